import { PrismaPg } from '@prisma/adapter-pg'
import { Client, Pool } from 'pg'
import { InfrastructureError } from '../shared/app-error.ts'
import { connectionSettings } from './connection-settings.ts'
import { PrismaClient } from './generated/client.ts'
import { pendingMigrations } from './migrations.ts'

export interface PrismaClientOptions {
  readonly databaseUrl: string
  /** Connections of this process at most; default 15. */
  readonly poolSize?: number
  /** Told of connections that broke while nobody used them; the pool replaces them by itself. */
  readonly onConnectionError?: (error: Error) => void
}

const DEFAULT_POOL_SIZE = 15
const PING_TIMEOUT_MS = 2_000
const OLDEST_VERSION = 14

/** The client that the tenant store works on. Connects at the first query; end it with `$disconnect()`. */
export function createPrismaClient(options: PrismaClientOptions): PrismaClient {
  const { databaseUrl, poolSize = DEFAULT_POOL_SIZE, onConnectionError = () => undefined } = options
  const settings = { ...connectionSettings(databaseUrl), max: poolSize }
  const pool = new Pool(settings)
  pool.on('error', onConnectionError)
  const adapter = new PrismaPg(pool, { onConnectionError, disposeExternalPool: true })
  const prisma = new PrismaClient({ adapter, errorFormat: 'minimal' })
  pools.set(prisma, pool)
  return prisma
}

const pools = new WeakMap<PrismaClient, Pool>()

/** The connections that a client of {@link createPrismaClient} works on; it ends them. */
export function poolOf(prisma: PrismaClient): Pool {
  const pool = pools.get(prisma)
  if (pool === undefined) throw new TypeError('not a client of createPrismaClient')
  return pool
}

/** True when the database answers within `timeoutMs`. Never throws. */
export async function pingDatabase(prisma: PrismaClient, timeoutMs = PING_TIMEOUT_MS): Promise<boolean> {
  const answered = prisma.$queryRaw`select 1`.then(
    () => true,
    () => false,
  )
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, false)
  })
  return Promise.race([answered, late]).finally(() => clearTimeout(timer))
}

/**
 * Refuses a database that the product must not run on: older than PostgreSQL 14, a session zone other than
 * UTC, a role that row level security does not bind, or migrations that are not applied.
 * @throws InfrastructureError `database_unfit`: one line that says what is wrong and how to mend it.
 */
export async function assertDatabaseFit(databaseUrl: string): Promise<void> {
  const facts = await readFacts(databaseUrl)
  const problem = problemOf(facts) ?? (await migrationProblem(databaseUrl))
  if (problem !== null) throw new InfrastructureError('database_unfit', problem)
}

interface DatabaseFacts {
  readonly version: number
  readonly time_zone: string
  readonly role: string
  readonly superuser: boolean
  readonly bypass_rls: boolean
}

async function readFacts(databaseUrl: string): Promise<DatabaseFacts> {
  const client = new Client(connectionSettings(databaseUrl))
  await client.connect()
  try {
    const { rows } = await client.query<DatabaseFacts>(`
      select current_setting('server_version_num')::int / 10000 as version,
        current_setting('TimeZone') as time_zone,
        rolname as role, rolsuper as superuser, rolbypassrls as bypass_rls
      from pg_roles where rolname = current_user`)
    const facts = rows[0]
    if (facts === undefined) throw new InfrastructureError('database_unfit', 'the database role is unknown')
    return facts
  } finally {
    await client.end()
  }
}

function problemOf(facts: DatabaseFacts): string | null {
  if (facts.version < OLDEST_VERSION) {
    return `PostgreSQL ${facts.version} is too old: use ${OLDEST_VERSION} or newer`
  }
  if (facts.time_zone !== 'UTC') {
    return (
      `the session time zone is ${facts.time_zone} and must be UTC: let the connection pooler pass the ` +
      `start-up option timezone, or run ALTER ROLE "${facts.role}" SET timezone TO 'UTC'`
    )
  }
  if (facts.superuser) {
    return (
      `DATABASE_URL connects as the superuser "${facts.role}", whom row level security does not bind: ` +
      'use a plain role that owns the database'
    )
  }
  if (facts.bypass_rls) {
    return `the role "${facts.role}" bypasses row level security: run ALTER ROLE "${facts.role}" NOBYPASSRLS`
  }
  return null
}

async function migrationProblem(databaseUrl: string): Promise<string | null> {
  const pending = await pendingMigrations(databaseUrl)
  if (pending.length === 0) return null
  return `${pending.length} migration(s) are not applied, first ${pending[0]}: run npm run db:migrate`
}
