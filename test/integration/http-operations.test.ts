import type { FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { buildApp, buildOperationsApp } from '../../src/http/build-app.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { createTestClock, createTwoTenants, staffEntry, TEST_PASSWORD } from '../support/factories.ts'
import {
  ADMIN_TOKEN,
  ask,
  loggedIn,
  type TestAppOptions,
  testConfig,
  testDeps,
} from '../support/http-harness.ts'

const EMAIL = 'dona@example.com'

let database: TestDatabase
const apps: FastifyInstance[] = []

beforeAll(async () => {
  database = await createTestDatabase()
})
afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()))
})
afterAll(() => database.close())

async function start(options: Partial<TestAppOptions> = {}): Promise<FastifyInstance> {
  const app = await buildApp(testDeps(database.store, { clock: createTestClock(), ...options }))
  apps.push(app)
  return app
}

async function startOperations(options: Partial<TestAppOptions> = {}): Promise<FastifyInstance> {
  const app = await buildOperationsApp(testDeps(database.store, { clock: createTestClock(), ...options }))
  apps.push(app)
  return app
}

describe('health', () => {
  it('is alive whatever happens, and ready with its database and its worker alone', async () => {
    const states = [
      { database: true, worker: null, status: 200 },
      { database: true, worker: true, status: 200 },
      { database: true, worker: false, status: 503 },
      { database: false, worker: true, status: 503 },
    ]
    for (const { status, ...state } of states) {
      const options = { pingDatabase: async () => state.database, isWorkerRunning: () => state.worker }
      for (const app of [await start(options), await startOperations(options)]) {
        expect(await ask(app, { url: '/healthz' })).toMatchObject({ status: 200, body: { status: 'ok' } })
        expect(await ask(app, { url: '/readyz' })).toMatchObject({ status, body: state })
      }
    }
  })

  it('is not ready when the database rejects or never answers', async () => {
    const pings = [() => Promise.reject(new Error('gone')), () => new Promise<boolean>(() => undefined)]
    for (const pingDatabase of pings) {
      const app = await start({ pingDatabase })
      expect(await ask(app, { url: '/readyz' })).toMatchObject({ status: 503, body: { database: false } })
    }
  })
})

describe('metrics', () => {
  it('measure every request by route, never by address', async () => {
    const app = await start()
    await app.inject('/v1/conversations/5511988887777?q=5511988887777')
    await app.inject('/nowhere/5511988887777')
    const { body, headers } = await app.inject('/metrics')
    expect(headers['content-type']).toMatch(/^text\/plain/)
    const series = 'http_request_duration_seconds_count'
    expect(body).toContain(`${series}{method="GET",route="/v1/conversations/:id",status="401"} 1`)
    expect(body).toContain(`${series}{method="GET",route="unmatched",status="404"} 1`)
    expect(body).toContain('handoffs_total{reason="customer_request"} 0')
    expect(body).not.toContain('5511988887777')
  })

  it('need their token where one is set', async () => {
    const app = await startOperations({ config: testConfig({ METRICS_TOKEN: 'the metrics token' }) })
    const metrics = (authorization: string) => app.inject({ url: '/metrics', headers: { authorization } })
    for (const header of ['', 'Bearer wrong', 'the metrics token']) {
      expect((await metrics(header)).statusCode, header).toBe(401)
    }
    expect((await metrics('Bearer the metrics token')).statusCode).toBe(200)
  })
})

describe('a process without the API', () => {
  it('serves health and metrics and nothing else', async () => {
    const app = await startOperations()
    for (const url of ['/v1/me', '/docs', '/webhooks/whatsapp', '/v1/admin/tenants/x', '/']) {
      expect(await ask(app, { url }), url).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
  })
})

describe('the log', () => {
  it('holds route, status and ids of every request, and no address, name, phone, text, password or token', async () => {
    const lines: string[] = []
    const [one] = await createTwoTenants(database.store, { staff: [staffEntry(EMAIL)] })
    const app = await start({ log: (line) => lines.push(line) })
    const send = await loggedIn(app, one.slug, EMAIL)
    const secrets = ['Segredo', '5511955554444', EMAIL, TEST_PASSWORD, ADMIN_TOKEN, 'ZZZZZZ', one.slug]
    await send('GET', '/v1/conversations?q=Segredo')
    await send('GET', '/v1/appointments/ZZZZZZ')
    await send('GET', '/nowhere?phone=5511955554444')
    const customer = { name: 'Segredo', phone: '5511955554444' }
    await send('POST', '/v1/appointments', {
      service: 'barba',
      startsAt: '2026-12-01T09:00:00-03:00',
      customer,
    })
    await ask(app, { url: '/v1/conversations/%zz' })
    const authorization = `Bearer ${ADMIN_TOKEN}`
    await ask(app, { url: `/v1/admin/tenants/${one.slug}`, headers: { authorization } })
    const answer = await send('GET', '/v1/me')
    const log = lines.join('')
    for (const secret of secrets) expect(log, secret).not.toContain(secret)
    const last = z.record(z.string(), z.unknown()).parse(JSON.parse(lines.at(-1) ?? ''))
    expect(last).toMatchObject({
      level: 'info',
      msg: 'request',
      method: 'GET',
      route: '/v1/me',
      status: 200,
      tenantId: one.id,
      reqId: answer.headers['x-request-id'],
    })
    expect(log).toContain('"route":"unmatched"')
  })

  it('keeps what failed under the id that the answer names, and tells the client no more', async () => {
    const lines: string[] = []
    const deps = testDeps(database.store, { clock: createTestClock(), log: (line) => lines.push(line) })
    const app = await buildApp(deps, [
      async (scope) => {
        scope.get('/broken', () => {
          throw new Error('password of Segredo')
        })
      },
    ])
    apps.push(app)
    const { status, body, headers } = await ask(app, { url: '/broken' })
    expect(status).toBe(500)
    expect(body).toMatchObject({ code: 'internal', requestId: headers['x-request-id'] })
    expect(JSON.stringify(body)).not.toContain('Segredo')
    expect(lines.join('')).toContain(String(headers['x-request-id']))
    expect(lines.join('')).not.toContain('Segredo')
  })
})

describe('answers', () => {
  it('tell browsers not to guess, frame or leak, and pages to load nothing from elsewhere', async () => {
    const app = await start()
    for (const url of ['/healthz', '/v1/me', '/docs/', '/nowhere']) {
      const { headers } = await app.inject(url)
      expect(headers, url).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
      })
    }
    expect((await app.inject('/v1/me')).headers['cache-control']).toBe('no-store')
    const { headers } = await app.inject('/docs/')
    expect(headers['content-security-policy']).toContain("script-src 'self';")
    expect((await app.inject('/healthz')).headers['x-powered-by']).toBeUndefined()
  })

  it('to what does not exist or is no URL are problem documents', async () => {
    const app = await start()
    for (const [url, status, code] of [
      ['/nowhere', 404, 'not_found'],
      ['/v1/nothing', 404, 'not_found'],
      ['/v1/conversations/%zz', 400, 'invalid_request'],
    ] as const) {
      const answer = await ask(app, { url })
      expect(answer).toMatchObject({ status, body: { type: 'about:blank', status, code } })
      expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/)
    }
  })
})

describe('the docs', () => {
  const schema = z.object({
    openapi: z.string(),
    tags: z.array(z.object({ name: z.string() })),
    paths: z.record(
      z.string(),
      z.record(
        z.string(),
        z.looseObject({
          tags: z.array(z.string()),
          summary: z.string(),
          responses: z.record(z.string(), z.unknown()),
        }),
      ),
    ),
    components: z.object({
      schemas: z.record(z.string(), z.looseObject({ examples: z.array(z.unknown()).optional() })),
      securitySchemes: z.record(z.string(), z.unknown()),
    }),
  })

  it('are a page whose scripts and styles are all there', async () => {
    const app = await start()
    const page = await app.inject('/docs/')
    expect(page.statusCode).toBe(200)
    const assets = [...page.body.matchAll(/(?:src|href)="(\.[^"]+)"/g)].map((match) => match[1] ?? '')
    expect(assets.length).toBeGreaterThan(3)
    for (const asset of assets) {
      const { pathname } = new URL(asset, 'http://localhost/docs/')
      expect((await app.inject(pathname)).statusCode, pathname).toBe(200)
    }
    expect(page.body).not.toMatch(/<script(?![^>]*src=)[^>]*>\s*\S/)
  })

  it('describe every route with tag, summary, answers and examples, and nothing that is not there', async () => {
    const app = await start()
    const document = schema.parse((await ask(app, { url: '/docs/json' })).body)
    expect(document.openapi).toBe('3.1.0')
    const tags = new Set(document.tags.map(({ name }) => name))
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(operations)) {
        const name = `${method} ${path}`
        for (const tag of operation.tags) expect(tags, name).toContain(tag)
        expect(
          Object.keys(operation.responses).some((status) => /^2/.test(status)),
          name,
        ).toBe(true)
      }
    }
    const text = JSON.stringify(document)
    const named = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map((match) => match[1] ?? '')
    expect(new Set(named)).toEqual(new Set(Object.keys(document.components.schemas)))
    expect(document.components.schemas['Conversation']?.examples).toHaveLength(1)
    expect(Object.keys(document.components.securitySchemes)).toEqual([
      'session',
      'bearer',
      'operator',
      'metrics',
    ])
    for (const later of ['webhooks', 'simulator', '/dashboard']) {
      expect(text).not.toContain(later)
    }
  })

  it('give an example of every body', async () => {
    const app = await start()
    const { paths } = schema.parse((await ask(app, { url: '/docs/json' })).body)
    const content = z.object({ content: z.object({ 'application/json': z.record(z.string(), z.unknown()) }) })
    const names = Object.entries(paths).flatMap(([path, operations]) =>
      Object.values(operations).flatMap(({ requestBody }) => {
        if (requestBody === undefined) return []
        const { schema: reference, ...examples } = content.parse(requestBody).content['application/json']
        // A named body has its example where it is described.
        if (JSON.stringify(reference).startsWith('{"$ref"')) return []
        return [{ path, examples }]
      }),
    )
    expect(names.length).toBeGreaterThanOrEqual(6)
    for (const { path, examples } of names) expect(Object.keys(examples).join(), path).toMatch(/example/)
    const document = schema.parse((await ask(app, { url: '/docs/json' })).body)
    expect(document.components.schemas['TenantDocumentInput']?.examples).toHaveLength(1)
  })
})
