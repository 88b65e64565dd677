import type { FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { changeStaff } from '../../src/tenancy/manage-staff.ts'
import { hashPassword } from '../../src/tenancy/passwords.ts'
import { login as openSession, SESSION_TTL_MS } from '../../src/tenancy/staff-sessions.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import {
  createTestClock,
  createTwoTenants,
  staffEntry,
  TEST_PASSWORD,
  type TestClock,
} from '../support/factories.ts'
import { ask, SESSION_SECRET, sendAs, testApp, tokenOf } from '../support/http-harness.ts'

const OWNER = 'dona@example.com'
const ATTENDANT = 'paula@example.com'

let database: TestDatabase
const apps: FastifyInstance[] = []

beforeAll(async () => {
  database = await createTestDatabase()
})
afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()))
})
afterAll(() => database.close())

async function start(clock: TestClock): Promise<FastifyInstance> {
  const app = await testApp(database.store, { clock })
  apps.push(app)
  return app
}

async function setUp() {
  const clock = createTestClock()
  const staff = [staffEntry(OWNER), staffEntry(ATTENDANT, 'attendant')]
  const [one, other] = await createTwoTenants(database.store, { staff })
  const app = await start(clock)
  const login = (tenant: string, email = OWNER, password = TEST_PASSWORD, headers = {}) =>
    ask(app, { method: 'POST', url: '/v1/auth/login', payload: { tenant, email, password }, headers })
  return { app, clock, one, other, login }
}

/** Keeps every place for passwords taken, until the returned function is called. */
async function floodWithPasswords(): Promise<() => Promise<void>> {
  const flood = { isOn: true, isFull: false }
  const hashAgainAndAgain = async () => {
    while (flood.isOn) {
      try {
        await hashPassword(TEST_PASSWORD)
      } catch {
        flood.isFull = true
        return
      }
    }
  }
  const running: Promise<void>[] = []
  while (!flood.isFull) {
    running.push(hashAgainAndAgain())
    await new Promise(setImmediate)
  }
  return async () => {
    flood.isOn = false
    await Promise.all(running)
  }
}

describe('login', () => {
  it('returns token and person, and sets a strict http-only cookie of the same session', async () => {
    const { app, one, login } = await setUp()
    const { status, body, headers } = await login(one.slug)
    expect(status).toBe(200)
    expect(body).toMatchObject({ staff: { email: OWNER, name: 'dona', role: 'owner' } })
    expect(Object.keys(body)).toEqual(['token', 'staff'])
    const cookie = String(headers['set-cookie'])
    expect(cookie).toMatch(/^agendou_session=[\w-]{43}; /)
    for (const part of ['Path=/', 'HttpOnly', 'SameSite=Strict']) expect(cookie).toContain(part)
    expect(cookie).not.toContain('Secure')
    const me = await ask(app, { url: '/v1/me', headers: { cookie: cookie.split(';')[0] ?? '' } })
    expect(me.body).toMatchObject({
      staff: { email: OWNER },
      tenant: { slug: one.slug, name: 'Studio Aurora', timeZone: 'America/Sao_Paulo', locale: 'pt-BR' },
    })
  })

  it('keeps the cookie off plain connections when the request came over TLS', async () => {
    const { one, login } = await setUp()
    const { headers } = await login(one.slug, OWNER, TEST_PASSWORD, { 'x-forwarded-proto': 'https' })
    expect(String(headers['set-cookie'])).toContain('; Secure')
  })

  it('answers the very same 401 for an unknown tenant, e-mail and password', async () => {
    const { one, login } = await setUp()
    const answers = [
      await login('no-such-tenant'),
      await login(one.slug, 'nobody@example.com'),
      await login(one.slug, OWNER, 'not the password'),
    ]
    for (const { status, body } of answers) {
      expect(status).toBe(401)
      expect(body).toEqual(answers[0]?.body)
      expect(body).toMatchObject({ code: 'invalid_credentials' })
    }
  })

  it('closes one account for 15 minutes after ten failures, and leaves all others alone', async () => {
    const { clock, one, other, login } = await setUp()
    for (let failure = 0; failure < 10; failure += 1) {
      expect((await login(one.slug, OWNER, 'not the password')).status).toBe(401)
    }
    const closed = await login(one.slug)
    expect(closed.status).toBe(429)
    expect(closed.body).toMatchObject({ code: 'too_many_attempts' })
    expect(Number(closed.headers['retry-after'])).toBeGreaterThan(0)
    expect((await login(one.slug, ATTENDANT)).status).toBe(200)
    expect((await login(other.slug)).status).toBe(200)
    clock.advance(15 * 60_000 + 1)
    expect((await login(one.slug)).status).toBe(200)
  })

  it('is refused with Retry-After while the process checks all passwords it can, and is no failure then', async () => {
    const { one, other, login } = await setUp()
    const endFlood = await floodWithPasswords()
    const refused = await Promise.all([
      ...Array.from({ length: 10 }, () => login(one.slug)),
      login(one.slug, ATTENDANT, 'not the password'),
      login(one.slug, 'nobody@example.com'),
      login('no-such-tenant'),
      login(other.slug),
    ])
    await endFlood()
    for (const { status, body, headers } of refused) {
      expect({ status, code: body['code'] }).toEqual({ status: 503, code: 'busy' })
      expect(body).toEqual(refused[0]?.body)
      expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    }
    expect((await login(one.slug)).status).toBe(200)
    expect((await login(other.slug)).status).toBe(200)
  })

  it.each([
    ['the password was changed', { password: 'a new and long password' }],
    ['the person was deactivated', { active: false }],
  ])('opens nothing when %s while the old password was being checked', async (_what, change) => {
    const { clock, one, other } = await setUp()
    const { store } = database
    const person = await store.read(one.id, (reader) =>
      reader.staff.findFirstOrThrow({ where: { tenantId: one.id, email: ATTENDANT } }),
    )
    // The write of the session is what comes after the check.
    const overtaken: typeof store = {
      ...store,
      transact: async (...call) => {
        await changeStaff(store, one.id, person.id, change, clock.now())
        return store.transact(...call)
      },
    }
    const credentials = { email: ATTENDANT, password: TEST_PASSWORD, address: '192.0.2.1' }
    const dependencies = { clock, sessionSecret: SESSION_SECRET }
    await expect(
      openSession(overtaken, { ...credentials, tenant: one.slug }, dependencies),
    ).rejects.toMatchObject({ code: 'invalid_credentials' })
    expect(
      await store.read(one.id, (reader) => reader.staffSession.count({ where: { tenantId: one.id } })),
    ).toBe(0)
    await expect(
      openSession(store, { ...credentials, tenant: other.slug }, dependencies),
    ).resolves.toBeDefined()
  })

  it('names what is wrong with a request', async () => {
    const { app, login } = await setUp()
    const wrong = await ask(app, {
      method: 'POST',
      url: '/v1/auth/login',
      payload: { tenant: 'x', email: 7, passwort: 'x' },
    })
    expect(wrong).toMatchObject({ status: 400, body: { code: 'invalid_request', status: 400 } })
    expect(wrong.headers['content-type']).toMatch(/^application\/problem\+json/)
    const issues = wrong.body['issues']
    expect(issues).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ path: 'email' }),
        expect.objectContaining({ path: 'password' }),
        expect.objectContaining({ path: 'passwort' }),
      ]),
    )
    expect((await login('nul\0')).status).toBe(400)
    const noJson = await ask(app, {
      method: 'POST',
      url: '/v1/auth/login',
      payload: '{"tenant":',
      headers: { 'content-type': 'application/json' },
    })
    expect(noJson).toMatchObject({ status: 400, body: { detail: expect.stringContaining('not valid JSON') } })
    const polluting = await ask(app, {
      method: 'POST',
      url: '/v1/auth/login',
      payload: '{"__proto__":{"admin":true}}',
      headers: { 'content-type': 'application/json' },
    })
    expect(polluting).toMatchObject({ status: 400, body: { detail: expect.stringContaining('__proto__') } })
    const text = await ask(app, {
      method: 'POST',
      url: '/v1/auth/login',
      payload: '{}',
      headers: { 'content-type': 'text/plain' },
    })
    expect(text).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } })
  })
})

describe('a session', () => {
  it('survives a restart, and ends after its time', async () => {
    const { app, clock, one } = await setUp()
    const token = await tokenOf(app, one.slug, OWNER)
    const restarted = await start(clock)
    expect(await sendAs(restarted, token)('GET', '/v1/me')).toMatchObject({ status: 200 })
    clock.advance(SESSION_TTL_MS + 1)
    expect(await sendAs(restarted, token)('GET', '/v1/me')).toMatchObject({ status: 401 })
  })

  it('ends with logout, alone', async () => {
    const { app, one } = await setUp()
    const ended = sendAs(app, await tokenOf(app, one.slug, OWNER))
    const kept = sendAs(app, await tokenOf(app, one.slug, OWNER))
    const answer = await ended('POST', '/v1/auth/logout')
    expect(answer.status).toBe(204)
    expect(String(answer.headers['set-cookie'])).toMatch(/^agendou_session=; .*Expires=Thu, 01 Jan 1970/)
    expect(await ended('GET', '/v1/me')).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
    expect((await kept('GET', '/v1/me')).status).toBe(200)
  })

  it('in a cookie changes nothing for pages of other sites', async () => {
    const { app, one } = await setUp()
    const token = await tokenOf(app, one.slug, OWNER)
    const logout = (origin: string | null, method: 'POST' | 'GET' = 'POST') =>
      ask(app, {
        method,
        url: method === 'GET' ? '/v1/me' : '/v1/auth/logout',
        headers: {
          host: 'agenda.example.com:3000',
          cookie: `agendou_session=${token}`,
          ...(origin === null ? {} : { origin }),
        },
      })
    for (const origin of ['https://evil.example', 'http://agenda.example.com', 'null', 'http://x@']) {
      expect(await logout(origin), origin).toMatchObject({ status: 403, body: { code: 'cross_site' } })
    }
    expect((await logout('https://evil.example', 'GET')).status).toBe(200)
    expect((await logout('https://Agenda.example.com:3000')).status).toBe(204)
  })

  it('as a bearer token is bound to no page', async () => {
    const { app, one } = await setUp()
    const send = sendAs(app, await tokenOf(app, one.slug, OWNER))
    const origin = 'https://another.example'
    expect((await send('POST', '/v1/auth/logout', undefined, { origin })).status).toBe(204)
  })
})
