import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { createPrismaClient, createTenantStore, type TenantStore } from '../../src/db/index.ts'
import { currentTestServer, databaseUrl, type TestServer } from './test-server.ts'

export interface TestDatabase {
  /** Connection URL as the plain role, for a process or a pool of the test's own. */
  readonly url: string
  /** Connection URL of the same database as superuser: row level security does not bind it. */
  readonly superuserUrl: string
  readonly prisma: ReturnType<typeof createPrismaClient>
  readonly store: TenantStore
  /** Disconnects and drops the database. Fails, naming them, when connections of the test are still open. */
  close(): Promise<void>
}

const LEAK_WAIT_MS = 3_000
const LEAK_POLL_MS = 50

/**
 * A database of its own for a test file, with all migrations applied; `empty: true` leaves them out. Make it
 * in `beforeAll`, close it in `afterAll`.
 */
export async function createTestDatabase(options: { empty?: boolean } = {}): Promise<TestDatabase> {
  const server = requireServer()
  const name = `agendou_${process.pid}_${randomBytes(4).toString('hex')}`
  const template = options.empty === true ? 'template0' : server.template
  await onServer(server, (client) =>
    client.query(`create database ${name} owner ${server.role} template ${template}`),
  )
  const url = databaseUrl(server, name)
  const superuserUrl = new URL(server.superuserUrl)
  superuserUrl.pathname = `/${name}`
  const prisma = createPrismaClient({ databaseUrl: url })
  return {
    url,
    superuserUrl: superuserUrl.href,
    prisma,
    store: createTenantStore({ prisma }),
    async close() {
      await prisma.$disconnect()
      await onServer(server, (client) => dropDatabase(client, name))
    },
  }
}

/** A statement that only a superuser may run, on the server's own database (roles, other databases). */
export async function runAsSuperuser(statement: string): Promise<void> {
  await onServer(requireServer(), (client) => client.query(statement))
}

async function dropDatabase(client: Client, name: string): Promise<void> {
  // A connection that was closed a moment ago takes the server a moment to see.
  let open = await openConnections(client, name)
  for (let waitedMs = 0; open.length > 0 && waitedMs < LEAK_WAIT_MS; waitedMs += LEAK_POLL_MS) {
    await delay(LEAK_POLL_MS)
    open = await openConnections(client, name)
  }
  await client.query(`drop database ${name} with (force)`)
  if (open.length > 0) throw new Error(`the test left ${open.length} connection(s) open: ${open.join('; ')}`)
}

async function openConnections(client: Client, name: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ what: string }>(
    `select concat_ws(' ', application_name, state, left(query, 100)) as what from pg_stat_activity
     where datname = $1 and backend_type = 'client backend'`,
    [name],
  )
  return rows.map((row) => row.what)
}

function requireServer(): TestServer {
  const server = currentTestServer()
  if (server === null) throw new Error('no test server: database tests live in test/integration and test/e2e')
  return server
}

async function onServer(server: TestServer, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: server.superuserUrl })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
