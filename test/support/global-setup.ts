import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { startEphemeralPostgres } from '../../src/db/ephemeral-postgres.ts'
import { applyMigrations } from '../../src/db/index.ts'
import { currentTestServer, databaseUrl, setTestServer, type TestServer } from './test-server.ts'

/**
 * Once a run: a PostgreSQL (an ephemeral one, or that of TEST_DATABASE_URL, a superuser's), a plain role as
 * the product expects it, and a template database with all migrations. Several projects share it: the one
 * that comes first makes it.
 */
export async function setup(): Promise<() => Promise<void>> {
  if (currentTestServer() !== null) return async () => undefined
  const given = process.env['TEST_DATABASE_URL']
  const ephemeral =
    given === undefined || given === '' ? await startEphemeralPostgres({ log: console.log }) : null
  const id = randomBytes(4).toString('hex')
  const server: TestServer = {
    superuserUrl: ephemeral?.superuserUrl ?? given ?? '',
    role: `agendou_test_${id}`,
    password: randomBytes(16).toString('hex'),
    template: `agendou_template_${id}`,
  }
  await asSuperuser(server, async (client) => {
    await client.query(
      `create role ${server.role} login nosuperuser nocreatedb nocreaterole nobypassrls password '${server.password}'`,
    )
    await client.query(`create database ${server.template} owner ${server.role}`)
  })
  await applyMigrations(databaseUrl(server, server.template), { log: () => undefined })
  setTestServer(server)
  return async () => {
    setTestServer(null)
    if (ephemeral !== null) return ephemeral.stop()
    await asSuperuser(server, async (client) => {
      await client.query(`drop database ${server.template} with (force)`)
      await client.query(`drop role ${server.role}`)
    })
  }
}

async function asSuperuser(server: TestServer, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: server.superuserUrl })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
