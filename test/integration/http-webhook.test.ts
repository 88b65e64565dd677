import { createHmac } from 'node:crypto'
import { createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPrismaClient, createTenantStore, sql } from '../../src/db/index.ts'
import { migrateQueue } from '../../src/queue/migrate-queue.ts'
import { createTestDatabase, runAsSuperuser, type TestDatabase } from '../support/database.ts'
import { createTestClock, createTwoTenants } from '../support/factories.ts'
import { APP_SECRET, testApp, VERIFY_TOKEN } from '../support/http-harness.ts'

const URL_PATH = '/webhooks/whatsapp'
const MAX_BYTES = 4 * 1024 * 1024
const silent = () => undefined

let database: TestDatabase
let app: FastifyInstance

beforeAll(async () => {
  database = await createTestDatabase()
  await migrateQueue({
    databaseUrl: database.url,
    log: { debug: silent, info: silent, warn: silent, error: silent },
  })
  app = await testApp(database.store, { clock: createTestClock(), databaseUrl: database.url })
})
afterAll(async () => {
  await app.close()
  await database.close()
})

function sign(body: string | Buffer): string {
  return `sha256=${createHmac('sha256', APP_SECRET).update(body).digest('hex')}`
}

function post(body: string | Buffer, headers: Record<string, string> = {}, to = app) {
  return to.inject({
    method: 'POST',
    url: URL_PATH,
    payload: body,
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': sign(body), ...headers },
  })
}

function stored(): Promise<{ body: string; jobs: number }[]> {
  return database.store.unsafeRead('test', (reader) =>
    reader.$queryRaw(sql`select convert_from(e.body, 'utf8') as body,
      (select count(*)::int from graphile_worker._private_jobs j
        where (j.payload->'eventIds')::jsonb ? e.id::text) as jobs
      from webhook_events e order by e.id`),
  )
}

function update(phoneNumberId: string, id: string): string {
  const message = { from: '5511988887777', id, timestamp: '1700000000', type: 'text', text: { body: 'oi' } }
  const value = {
    messaging_product: 'whatsapp',
    metadata: { phone_number_id: phoneNumberId },
    messages: [message],
  }
  return JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: '1', changes: [{ value }] }] })
}

describe('the handshake', () => {
  const ask = (query: string) => app.inject({ method: 'GET', url: `${URL_PATH}?${query}` })

  it('gives the raw challenge back for the right token, as plain text, without a signature', async () => {
    const token = encodeURIComponent(VERIFY_TOKEN)
    const response = await ask(`hub.mode=subscribe&hub.verify_token=${token}&hub.challenge=1158201444`)
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toMatch(/^text\/plain/)
    expect(response.body).toBe('1158201444')
  })

  it('is refused for a wrong or missing token and for another mode', async () => {
    const token = encodeURIComponent(VERIFY_TOKEN)
    for (const query of [
      'hub.mode=subscribe&hub.verify_token=wrong&hub.challenge=1',
      'hub.mode=subscribe&hub.challenge=1',
      `hub.mode=unsubscribe&hub.verify_token=${token}&hub.challenge=1`,
      '',
    ]) {
      expect((await ask(query)).statusCode, query).toBe(403)
    }
  })
})

describe('a webhook body', () => {
  it('is stored to the byte with its job before 200, for known and unknown numbers of any tenant', async () => {
    const [one, other] = await createTwoTenants(database.store)
    const bodies = [
      update(one.document.channel.phoneNumberId, 'wamid.1'),
      update(other.document.channel.phoneNumberId, 'wamid.2'),
      update('999', 'wamid.3'),
      '{ "unknown":  ["kept", "as it \\u00e9"] }',
    ]
    for (const body of bodies) expect((await post(body)).statusCode).toBe(200)
    expect((await stored()).slice(-4)).toEqual(bodies.map((body) => ({ body, jobs: 1 })))
  })

  it('counts as bytes, whatever its content type says', async () => {
    for (const type of ['application/json; charset=utf-8', 'text/plain', 'no type', '']) {
      expect((await post('{"a":1}', { 'content-type': type })).statusCode, type).toBe(200)
    }
  })

  it('is stored by nobody without the right signature over these very bytes', async () => {
    const before = (await stored()).length
    const body = update('999', 'wamid.4')
    const wrong = createHmac('sha256', 'another secret').update(body).digest('hex')
    for (const signature of ['', 'sha256=', sign(`${body} `), `sha256=${wrong}`, sign(body).slice(7)]) {
      const response = await post(body, { 'x-hub-signature-256': signature })
      expect(response.statusCode, signature).toBe(401)
      expect(response.json()).toMatchObject({ status: 401, code: 'invalid_signature' })
    }
    const unsigned = await app.inject({ method: 'POST', url: URL_PATH, payload: { a: 1 } })
    expect(unsigned.statusCode).toBe(401)
    expect(await stored()).toHaveLength(before)
  })

  it('is refused as 400 when it is signed but no JSON object', async () => {
    const before = (await stored()).length
    for (const body of ['not json', '[]', '[{"a":1}]', '"text"', 'null', '1', '']) {
      expect((await post(body)).statusCode, body).toBe(400)
    }
    expect(await stored()).toHaveLength(before)
  })

  it('may have 4 MiB and not a byte more, signed or not', async () => {
    const fill = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`
    expect((await post(fill(MAX_BYTES))).statusCode).toBe(200)
    const larger = fill(MAX_BYTES + 1)
    expect((await post(larger)).statusCode).toBe(413)
    expect((await post(larger, { 'x-hub-signature-256': 'sha256=00' })).statusCode).toBe(413)
  })
})

describe('with the database away', () => {
  it('the webhook answers 503 within 10 s, so that Meta sends it again, and the process goes on', async () => {
    const prisma = createPrismaClient({ databaseUrl: 'postgresql://nobody:x@127.0.0.1:1/none' })
    const away = await testApp(createTenantStore({ prisma }), { clock: createTestClock() })
    const startedAt = performance.now()
    const response = await post('{"a":1}', {}, away)
    expect(response.statusCode).toBe(503)
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    expect((await away.inject('/healthz')).statusCode).toBe(200)
    await away.close()
    await prisma.$disconnect()
  })

  it('that goes away and comes back, the webhook takes up again by itself', async () => {
    const name = new URL(database.url).pathname.slice(1)
    await runAsSuperuser(`alter database ${name} with allow_connections false`)
    await runAsSuperuser(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
    for (let attempt = 0; attempt < 3; attempt += 1) expect((await post('{"a":"away"}')).statusCode).toBe(503)
    await runAsSuperuser(`alter database ${name} with allow_connections true`)
    await expect.poll(async () => (await post('{"a":"back"}')).statusCode).toBe(200)
    expect((await stored()).at(-1)).toEqual({ body: '{"a":"back"}', jobs: 1 })
  })

  it('a database that takes the connection and stays silent is away too', async () => {
    const sockets = new Set<{ destroy(): void }>()
    const mute = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', silent)
    })
    await new Promise<void>((resolve) => {
      mute.listen(0, '127.0.0.1', resolve)
    })
    const address = mute.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const databaseUrl = `postgresql://nobody:x@127.0.0.1:${port}/none`
    const prisma = createPrismaClient({ databaseUrl })
    const away = await testApp(createTenantStore({ prisma }), { clock: createTestClock(), databaseUrl })
    const startedAt = performance.now()
    expect((await post('{"a":1}', {}, away)).statusCode).toBe(503)
    const headers = { authorization: `Bearer ${'a'.repeat(43)}` }
    const me = await away.inject({ method: 'GET', url: '/v1/me', headers })
    expect(me.statusCode).toBe(503)
    expect(me.json()).toMatchObject({ code: 'database_unavailable' })
    expect(performance.now() - startedAt).toBeLessThan(20_000)
    await away.close()
    for (const socket of sockets) socket.destroy()
    await prisma.$disconnect()
    await new Promise((resolve) => mute.close(resolve))
  })
})
