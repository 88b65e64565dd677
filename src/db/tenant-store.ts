import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../shared/app-error.ts'
import { isId } from '../shared/ids.ts'
import { classifyDatabaseError } from './classify-database-error.ts'
import type { Prisma, PrismaClient } from './generated/client.ts'
import { labelled, type Reader, type SystemReader, type SystemTx, type Tx, withoutWrites } from './handles.ts'
import { poolOf } from './prisma-client.ts'
import { runSqlTransaction, type SqlTx } from './sql-transaction.ts'

/** Limits of one transaction. Prisma's own (5 s, and 2 s to begin) are shorter than a tool's. */
export interface TransactOptions {
  /** From begin to commit, milliseconds; default 15,000. Past it the transaction is rolled back. */
  readonly timeoutMs?: number
  /** Waiting for the transaction to begin, milliseconds; default 6,000. */
  readonly maxWaitMs?: number
  /** Tries in all when PostgreSQL reports a serialization failure or deadlock; default 4, at least 1. */
  readonly attempts?: number
  /** PostgreSQL's default (read committed) when left out. */
  readonly isolationLevel?: Prisma.TransactionIsolationLevel
}

/**
 * The only way to a database handle outside `src/db`.
 *
 * Every call is one transaction, for which the tenant (`app.tenant_id`) or the system scope
 * (`app.scope = 'system'`) is set; row level security reads these settings, and they end with the
 * transaction, so nothing leaks to the next user of the connection.
 *
 * Functions may run more than once: `transact` and `unsafeTransact` start again from the beginning after
 * a serialization failure (40001) or deadlock (40P01), also one reported at COMMIT, and after nothing
 * else. So `fn` must have no effect outside the transaction. An error caught inside `fn` leaves the
 * transaction aborted (25P02): catch outside. Errors come as Prisma throws them; ask
 * `classifyDatabaseError`.
 */
export interface TenantStore {
  /** Runs `fn` in a READ ONLY transaction that sees the rows of `tenantId` alone. */
  read<T>(tenantId: string, fn: (reader: Reader) => Promise<T>, options?: TransactOptions): Promise<T>
  /** Runs `fn` in a transaction that sees and writes the rows of `tenantId` alone. */
  transact<T>(tenantId: string, fn: (tx: Tx) => Promise<T>, options?: TransactOptions): Promise<T>
  /**
   * Calls a boolean function of the database that sets the tenant itself (`hold_run` and those over it): one
   * statement, one round trip, a transaction of its own. For the writes of a run, of which a turn has many.
   * @throws what node-postgres throws.
   */
  call(tenantId: string, name: TenantFunction, args: readonly unknown[]): Promise<boolean>
  /** As `transact` for hot paths: SQL only, on the connection itself; fewer round trips, no limit as a whole. */
  transactSql<T>(tenantId: string, fn: (tx: SqlTx) => Promise<T>): Promise<T>
  /** Reads across tenants. `reason` says why the caller must; it is for readers of the code and the log. */
  unsafeRead<T>(
    reason: string,
    fn: (reader: SystemReader) => Promise<T>,
    options?: TransactOptions,
  ): Promise<T>
  /** Writes across tenants. `reason` says why the caller must; it is for readers of the code and the log. */
  unsafeTransact<T>(reason: string, fn: (tx: SystemTx) => Promise<T>, options?: TransactOptions): Promise<T>
}

/** Functions of the migrations whose first argument is the tenant. */
type TenantFunction = 'save_run_writes'

const DEFAULTS = { timeoutMs: 15_000, maxWaitMs: 6_000, attempts: 4 }
const RETRY_BASE_MS = 15
const SYSTEM = { scope: 'system' } as const

/** Builds the store over one Prisma client (see `createPrismaClient`). */
export function createTenantStore({ prisma }: { prisma: PrismaClient }): TenantStore {
  return {
    read: (tenantId, fn, options) =>
      run(prisma, options, async (client) => {
        assertTenantId(tenantId)
        await client.$queryRaw`select set_config('app.tenant_id', ${tenantId}, true),
          set_config('transaction_read_only', 'on', true)`
        return fn(withoutWrites(labelled(client, { tenantId }), 'tenantId'))
      }),
    transact: (tenantId, fn, options) =>
      run(prisma, options, async (client) => {
        assertTenantId(tenantId)
        await client.$queryRaw`select set_config('app.tenant_id', ${tenantId}, true)`
        return fn(labelled(client, { tenantId }))
      }),
    async call(tenantId, name, args) {
      assertTenantId(tenantId)
      const places = ['$1', ...args.map((_arg, index) => `$${index + 2}`)].join(', ')
      const { rows } = await poolOf(prisma).query<{ held: boolean }>({
        name,
        text: `select ${name}(${places}) as held`,
        values: [tenantId, ...args],
      })
      return rows[0]?.held === true
    },
    transactSql: (tenantId, fn) =>
      retrying(DEFAULTS.attempts, async () => {
        assertTenantId(tenantId)
        return runSqlTransaction(poolOf(prisma), tenantId, fn)
      }),
    unsafeRead: (reason, fn, options) =>
      run(prisma, options, async (client) => {
        assertReason(reason)
        await client.$queryRaw`select set_config('app.scope', 'system', true),
          set_config('transaction_read_only', 'on', true)`
        return fn(withoutWrites(labelled(client, SYSTEM), 'scope'))
      }),
    unsafeTransact: (reason, fn, options) =>
      run(prisma, options, async (client) => {
        assertReason(reason)
        await client.$queryRaw`select set_config('app.scope', 'system', true)`
        return fn(labelled(client, SYSTEM))
      }),
  }
}

async function run<T>(
  prisma: PrismaClient,
  options: TransactOptions | undefined,
  work: (client: Prisma.TransactionClient) => Promise<T>,
): Promise<T> {
  const limits = { ...DEFAULTS, ...options }
  return retrying(limits.attempts, () =>
    prisma.$transaction(work, {
      timeout: limits.timeoutMs,
      maxWait: limits.maxWaitMs,
      ...(limits.isolationLevel === undefined ? {} : { isolationLevel: limits.isolationLevel }),
    }),
  )
}

async function retrying<T>(attempts: number, transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction()
    } catch (error) {
      const { kind } = classifyDatabaseError(error)
      const again = kind === 'serialization' || kind === 'deadlock'
      if (!again || attempt >= attempts) throw error
      // Those who collided must not meet again: full jitter over a window that doubles.
      await delay(Math.random() * RETRY_BASE_MS * 2 ** attempt)
    }
  }
}

function assertTenantId(tenantId: string): void {
  if (!isId(tenantId)) throw new AppError('invalid_tenant_id', 'a tenant handle needs the id of a tenant')
}

function assertReason(reason: string): void {
  if (reason.trim() === '') throw new AppError('reason_missing', 'a handle across tenants needs a reason')
}
