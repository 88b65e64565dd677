import type { DatabaseConfig } from './config/config.ts'
import { startEmbeddedPostgres } from './db/embedded-postgres.ts'
import { applyMigrations } from './db/index.ts'
import { migrateQueue } from './queue/migrate-queue.ts'

export interface OpenDatabase {
  readonly url: string
  /** Gives an embedded server back; nothing for one that DATABASE_URL names. */
  close(): Promise<void>
}

/** The database of the configuration: the one that DATABASE_URL names, or the embedded server, started or adopted. */
export async function openDatabase(
  config: DatabaseConfig,
  log: (line: string) => void,
): Promise<OpenDatabase> {
  if (config.url !== null) return { url: config.url, close: async () => {} }
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, log })
  return { url: embedded.url, close: () => embedded.stop() }
}

/** Brings tables and queue to this version; safe to run again, and by several processes at once. */
export async function migrateDatabase(
  databaseUrl: string,
  log: (line: string) => void,
): Promise<readonly string[]> {
  const applied = await applyMigrations(databaseUrl, { log })
  const quiet = () => {}
  const tell = (_fields: object, message: string) => log(message)
  await migrateQueue({ databaseUrl, log: { debug: quiet, info: quiet, warn: tell, error: tell } })
  return applied
}
