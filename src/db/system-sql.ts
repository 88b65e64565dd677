import { Pool } from 'pg'
import { connectionSettings } from './connection-settings.ts'

/**
 * A few connections of their own for statements of no tenant that have to be fast: one round trip each, no
 * interactive transaction, and no waiting behind the tenants' work for a connection. Row level security holds
 * as everywhere; the connections are in the system scope (`app.scope`) from their start.
 */
export interface SystemSql {
  /** One statement, committed when the promise resolves. @throws what node-postgres throws. */
  run(text: string, values: readonly unknown[]): Promise<void>
  /** Waits for statements under way. */
  close(): Promise<void>
}

export interface SystemSqlOptions {
  readonly databaseUrl: string
  /** Why these statements are of no tenant; for readers of the code. */
  readonly reason: string
  readonly connections: number
  /** Connecting may take this long, and a statement after it as long again, milliseconds. */
  readonly timeoutMs: number
  readonly onConnectionError: (error: Error) => void
}

/** Connects at the first statement. */
export function openSystemSql(options: SystemSqlOptions): SystemSql {
  const settings = connectionSettings(options.databaseUrl)
  const pool = new Pool({
    ...settings,
    options: `${settings.options ?? ''} -c app.scope=system`,
    max: options.connections,
    connectionTimeoutMillis: options.timeoutMs,
    query_timeout: options.timeoutMs,
  })
  pool.on('error', options.onConnectionError)
  return {
    async run(text, values) {
      await pool.query(text, [...values])
    },
    close: () => pool.end(),
  }
}
