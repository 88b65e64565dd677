import type { Pool, PoolClient } from 'pg'
import type { Sql } from './sql.ts'

/** Reads by SQL for one tenant; both a `Reader` and a `Tx` are accepted wherever it is. */
export type SqlReader = Pick<SqlTx, 'tenantId' | '$queryRaw'>

/** Runs SQL for one tenant inside one transaction; a `Tx` is accepted wherever it is. */
export interface SqlTx {
  readonly tenantId: string
  /** The rows. */
  $queryRaw(query: Sql): Promise<unknown>
  /** The number of rows. */
  $executeRaw(query: Sql): Promise<number>
}

/**
 * One transaction on a connection of the pool, without Prisma: beginning and naming the tenant are one round
 * trip, and a statement costs what node-postgres costs. `tenantId` must be known to be the id of a tenant.
 * Errors come as node-postgres throws them.
 */
export async function runSqlTransaction<T>(
  pool: Pool,
  tenantId: string,
  fn: (tx: SqlTx) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  // Without a listener the end of a connection in use would end the process; its statement fails anyway.
  const onError = (error: Error) => {
    broken = error
  }
  client.on('error', onError)
  try {
    await client.query(`begin; select set_config('app.tenant_id', '${tenantId}', true)`)
    const result = await fn(sqlTxOf(client, tenantId))
    const { command } = await client.query('commit')
    if (command === 'ROLLBACK') throw new Error('an error inside the transaction was caught: it did nothing')
    return result
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => {
      broken = failure
    })
    throw error
  } finally {
    client.removeListener('error', onError)
    client.release(broken)
  }
}

function sqlTxOf(client: PoolClient, tenantId: string): SqlTx {
  const run = ({ text, values }: Sql) => client.query({ name: statementName(text), text, values })
  return {
    tenantId,
    $queryRaw: async (query) => (await run(query)).rows,
    $executeRaw: async (query) => (await run(query)).rowCount ?? 0,
  }
}

const names = new Map<string, string>()

/**
 * A name makes the server parse and plan a text once a connection instead of every time, which costs more
 * than running it. The texts are those of the code, so there are few.
 */
function statementName(text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  const name = `agendou_${names.size}`
  names.set(text, name)
  return name
}
