import type pg from 'pg'

/** Runs `work` in a transaction of the worker pool's own connections (no tenant, no row level security). */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  let failure: Error | undefined
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    failure = error instanceof Error ? error : new Error('transaction failed')
    throw error
  } finally {
    // A client released with an error is closed, which rolls back.
    client.release(failure)
  }
}
