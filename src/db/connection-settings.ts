import type { PoolConfig } from 'pg'

/** Limits in milliseconds. With the database away a call fails within the first of them. */
const CONNECT_TIMEOUT_MS = 4_000
const STATEMENT_TIMEOUT_MS = 10_000
/** Of the client: a server that stopped answering cannot end its own statement. */
const QUERY_TIMEOUT_MS = 12_000
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000

/**
 * How every connection of the product is made. The session zone is UTC whatever the role or database say:
 * the adapter writes timestamps without a zone, so 15:00Z would be stored as 18:00Z in São Paulo and hide
 * in round trips.
 */
export function connectionSettings(databaseUrl: string): PoolConfig {
  const { connectionString, options } = withoutOptions(databaseUrl)
  return {
    connectionString,
    options: [options, '-c timezone=UTC'].filter((part) => part !== '').join(' '),
    application_name: 'agendou',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
  }
}

/** As {@link connectionSettings}, without time limits on statements: for migrations. */
export function unlimitedConnectionSettings(databaseUrl: string): PoolConfig {
  const { statement_timeout, query_timeout, idle_in_transaction_session_timeout, ...settings } =
    connectionSettings(databaseUrl)
  return settings
}

/** node-postgres lets `options` of the URL win over those beside it, so they are taken out and joined. */
function withoutOptions(databaseUrl: string): { connectionString: string; options: string } {
  if (!URL.canParse(databaseUrl)) return { connectionString: databaseUrl, options: '' }
  const url = new URL(databaseUrl)
  const options = url.searchParams.get('options') ?? ''
  if (options === '') return { connectionString: databaseUrl, options }
  url.searchParams.delete('options')
  return { connectionString: url.href, options }
}
