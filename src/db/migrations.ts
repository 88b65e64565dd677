/**
 * Applies `prisma/migrations` in Prisma's own layout and bookkeeping (`_prisma_migrations`), so that the
 * ordinary Prisma CLI agrees with the result.
 *
 * One process at a time, by an advisory lock on a connection of its own. A process killed in between leaves
 * a migration that is begun and not finished, at which Prisma would stop for ever (P3009). Each script is
 * one transaction here and marks its bookkeeping row in it, so what happened is known: a marked row is
 * finished, one without a mark is taken back and applied again.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { MigrationList } from '@prisma/schema-engine-wasm'
import { Client } from 'pg'
import { InfrastructureError } from '../shared/app-error.ts'
import { unlimitedConnectionSettings } from './connection-settings.ts'
import { withSchemaEngine } from './schema-engine.ts'

/** `prisma` of the package; this file is two levels below its root in `src/db` and in `dist/db` alike. */
const PRISMA_FOLDER = fileURLToPath(new URL('../../prisma/', import.meta.url))

/** Any number that nothing else uses; the engine's own is 72707369. */
const LOCK_KEY = 4_207_013_981
const LOCK_POLL_MS = 100
const LOCK_WAIT_MS = 10 * 60_000

const NO_FILTER = { externalTables: [], externalEnums: [] }
const MARK_AS_COMMITTED = `update public._prisma_migrations set applied_steps_count = applied_steps_count + 1
  where finished_at is null and rolled_back_at is null`

export interface MigrationOptions {
  readonly log: (line: string) => void
  /** Holds `migrations/*\/migration.sql` and `schema.prisma`; the package's own when left out. */
  readonly prismaFolder?: string
}

/**
 * Applies what is pending and gives the names. Safe to run at once from several processes, and again.
 * @throws InfrastructureError `migration_failed`, naming the migration; that one's script is rolled back.
 */
export async function applyMigrations(
  databaseUrl: string,
  options: MigrationOptions,
): Promise<readonly string[]> {
  const { log, prismaFolder = PRISMA_FOLDER } = options
  return withMigrationLock(databaseUrl, log, async (client) => {
    await settleInterrupted(client, log)
    const migrationsList = await readMigrations(prismaFolder)
    const applied = await withSchemaEngine(databaseUrl, MARK_AS_COMMITTED, (engine) =>
      engine.applyMigrations({ migrationsList, filters: NO_FILTER }),
    ).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message.trim().replace(/\s*\n\s*/g, ' ') : String(error)
      throw new InfrastructureError('migration_failed', `migration failed: ${reason}`, { cause: error })
    })
    for (const name of applied.appliedMigrationNames) log(`applied migration ${name}`)
    return applied.appliedMigrationNames
  })
}

/** Names of the migrations of this version that the database does not have, oldest first. */
export async function pendingMigrations(
  databaseUrl: string,
  prismaFolder = PRISMA_FOLDER,
): Promise<readonly string[]> {
  const names = await migrationNames(prismaFolder)
  const client = new Client(unlimitedConnectionSettings(databaseUrl))
  await client.connect()
  try {
    if (!(await hasBookkeeping(client))) return names
    const { rows } = await client.query<{ migration_name: string }>(
      `select migration_name from public._prisma_migrations
       where finished_at is not null and rolled_back_at is null`,
    )
    const applied = new Set(rows.map((row) => row.migration_name))
    return names.filter((name) => !applied.has(name))
  } finally {
    await client.end()
  }
}

async function readMigrations(prismaFolder: string): Promise<MigrationList> {
  const baseDir = join(prismaFolder, 'migrations')
  const lockfile = await readFile(join(baseDir, 'migration_lock.toml'), 'utf8').catch(() => null)
  const migrationDirectories = []
  for (const name of await migrationNames(prismaFolder)) {
    const value = await readFile(join(baseDir, name, 'migration.sql'), 'utf8')
    migrationDirectories.push({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value } },
    })
  }
  return {
    baseDir,
    lockfile: { path: 'migration_lock.toml', content: lockfile },
    shadowDbInitScript: '',
    migrationDirectories,
  }
}

async function migrationNames(prismaFolder: string): Promise<readonly string[]> {
  const entries = await readdir(join(prismaFolder, 'migrations'), { withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
}

async function withMigrationLock<T>(
  databaseUrl: string,
  log: (line: string) => void,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client(unlimitedConnectionSettings(databaseUrl))
  // A connection that breaks is reported by the next query; without a listener it would end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await takeLock(client, log)
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Tries instead of waiting in the server, where the wait's snapshot would block CREATE INDEX CONCURRENTLY. */
async function takeLock(client: Client, log: (line: string) => void): Promise<void> {
  for (let waitedMs = 0; waitedMs < LOCK_WAIT_MS; waitedMs += LOCK_POLL_MS) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      LOCK_KEY,
    ])
    if (rows[0]?.taken === true) return
    if (waitedMs === 0) log('another process is migrating the database: waiting for it')
    await delay(LOCK_POLL_MS)
  }
  throw new InfrastructureError('migration_locked', 'another process has been migrating for ten minutes')
}

async function settleInterrupted(client: Client, log: (line: string) => void): Promise<void> {
  if (!(await hasBookkeeping(client))) return
  const { rows } = await client.query<{ migration_name: string; finished: boolean }>(
    `update public._prisma_migrations
     set finished_at = case when applied_steps_count > 0 then now() end,
         rolled_back_at = case when applied_steps_count = 0 then now() end
     where finished_at is null and rolled_back_at is null
     returning migration_name, finished_at is not null as finished`,
  )
  for (const row of rows) {
    const outcome = row.finished ? 'it had been committed' : 'it had been rolled back and is applied again'
    log(`migration ${row.migration_name} was interrupted: ${outcome}`)
  }
}

async function hasBookkeeping(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    `select to_regclass('public._prisma_migrations') is not null as found`,
  )
  return rows[0]?.found === true
}
