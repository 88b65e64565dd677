import { runMigrations } from 'graphile-worker'
import pg from 'pg'
import { graphileLogger, type QueueLog } from './queue-log.ts'
import { MIGRATE_LOCK, QUEUE_SCHEMA } from './queue-schema.ts'

/**
 * Installs or upgrades graphile-worker's own schema. Needs the role that owns the database, nothing more.
 * Several processes may do it at once: an advisory lock lets one through at a time (graphile-worker's own
 * handling of the race misses errors such as "tuple concurrently updated").
 * @throws what node-postgres throws when the database cannot be reached.
 */
export async function migrateQueue({
  databaseUrl,
  log,
}: {
  databaseUrl: string
  log: QueueLog
}): Promise<void> {
  const guard = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 })
  // Without a listener a connection that breaks between two queries ends the process.
  guard.on('error', (err) => log.warn({ err }, 'connection of the queue migration broke'))
  await guard.connect()
  try {
    await guard.query('select pg_advisory_lock($1)', [MIGRATE_LOCK])
    await runMigrations({ connectionString: databaseUrl, schema: QUEUE_SCHEMA, logger: graphileLogger(log) })
  } finally {
    await guard.end()
  }
}
