import fastifyCookie from '@fastify/cookie'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorsPlugin } from '../../src/http/plugins/errors.ts'
import { addressLimitPlugin, LOGIN_LIMIT, rateLimitPlugin } from '../../src/http/plugins/rate-limit.ts'
import { sessionDecoratorPlugin, sessionPlugin } from '../../src/http/plugins/session.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { createTestClock, createTwoTenants, staffEntry, type TestTenant } from '../support/factories.ts'
import { ask, sendAs, testApp, testConfig, testDeps, tokenOf } from '../support/http-harness.ts'

let database: TestDatabase
let app: FastifyInstance
let one: TestTenant
let other: TestTenant

beforeAll(async () => {
  database = await createTestDatabase()
  const staff = [staffEntry('dona@example.com'), staffEntry('paula@example.com', 'attendant')]
  ;[one, other] = await createTwoTenants(database.store, { staff })
  app = await testApp(database.store, { clock: createTestClock() })
})
afterAll(async () => {
  await app.close()
  await database.close()
})

describe('the limits', () => {
  it('stop one person who asks too much, and leave colleagues and other tenants alone', async () => {
    const small = Fastify()
    await small.register(fastifyCookie)
    await small.register(sessionDecoratorPlugin)
    await small.register(errorsPlugin)
    await small.register(sessionPlugin, { deps: testDeps(database.store, { clock: createTestClock() }) })
    await small.register(rateLimitPlugin, { perMinute: 3 })
    small.get('/anything', () => ({ ok: true }))
    const sendAsStaff = async (tenant: TestTenant, email: string) =>
      sendAs(small, await tokenOf(app, tenant.slug, email))
    const dona = await sendAsStaff(one, 'dona@example.com')
    for (let sent = 0; sent < 3; sent += 1) expect((await dona('GET', '/anything')).status).toBe(200)
    const refused = await dona('GET', '/anything')
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests', status: 429 } })
    expect(refused.headers['content-type']).toMatch(/^application\/problem\+json/)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    for (const [tenant, email] of [
      [one, 'paula@example.com'],
      [other, 'dona@example.com'],
    ] as const) {
      expect((await (await sendAsStaff(tenant, email))('GET', '/anything')).status).toBe(200)
    }
    await small.close()
  })

  it('stop an address that does nothing but log in', async () => {
    const attempt = () =>
      ask(app, {
        method: 'POST',
        url: '/v1/auth/login',
        payload: { tenant: 'nobody', email: 'a@b.c' },
        remoteAddress: '192.0.2.7',
      })
    const answers: number[] = []
    for (let sent = 0; sent < LOGIN_LIMIT.perMinute; sent += 1) answers.push((await attempt()).status)
    expect(new Set(answers)).toEqual(new Set([400]))
    expect(await attempt()).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
  })

  it('tell senders behind a trusted proxy apart, and believe no other header', async () => {
    const config = testConfig({ TRUSTED_PROXIES: '10.0.0.0/8' })
    const behind = await testApp(database.store, { clock: createTestClock(), config })
    const attempt = async (remoteAddress: string, sender: string) => {
      const headers = { 'x-forwarded-for': sender }
      const payload = { tenant: 'nobody', email: 'a@b.c' }
      return (await ask(behind, { method: 'POST', url: '/v1/auth/login', payload, headers, remoteAddress }))
        .status
    }
    for (const [address, nth] of [
      ['10.1.2.3', () => '192.0.2.8'],
      ['192.0.2.99', (sent: number) => `198.51.100.${sent % 250}`],
    ] as const) {
      for (let sent = 0; sent < LOGIN_LIMIT.perMinute; sent += 1) await attempt(address, nth(sent))
      expect(await attempt(address, nth(0))).toBe(429)
    }
    expect(await attempt('10.1.2.3', '192.0.2.9')).toBe(400)
    await behind.close()
  })

  it('stop an address that asks without a session, before the session is looked up', async () => {
    const small = Fastify()
    await small.register(fastifyCookie)
    await small.register(sessionDecoratorPlugin)
    await small.register(errorsPlugin)
    await small.register(addressLimitPlugin, { perMinute: 3 })
    await small.register(sessionPlugin, { deps: testDeps(database.store, { clock: createTestClock() }) })
    await small.register(rateLimitPlugin, { perMinute: 3 })
    small.get('/anything', () => ({ ok: true }))
    const askFrom = async (remoteAddress: string) =>
      ask(small, { url: '/anything', headers: { authorization: `Bearer ${'a'.repeat(43)}` }, remoteAddress })
    for (let sent = 0; sent < 3; sent += 1) expect((await askFrom('192.0.2.7')).status).toBe(401)
    expect(await askFrom('192.0.2.7')).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
    expect((await askFrom('192.0.2.8')).status).toBe(401)
    await small.close()
  })
})
