import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import {
  createTestClock,
  createTwoTenants,
  staffEntry,
  type TestClock,
  type TestTenant,
} from '../support/factories.ts'
import { ask, loggedIn, type Send, testApp } from '../support/http-harness.ts'

const ATTENDANT = 'paula@example.com'
let database: TestDatabase
let clock: TestClock
let app: FastifyInstance
let one: TestTenant
let other: TestTenant
let owner: Send
let attendant: Send

beforeAll(async () => {
  database = await createTestDatabase()
  clock = createTestClock()
  const staff = [staffEntry('dona@example.com'), staffEntry(ATTENDANT, 'attendant')]
  ;[one, other] = await createTwoTenants(database.store, { staff })
  app = await testApp(database.store, { clock })
  owner = await loggedIn(app, one.slug, 'dona@example.com')
  attendant = await loggedIn(app, one.slug, ATTENDANT)
})
afterAll(async () => {
  await app.close()
  await database.close()
})

describe('the settings', () => {
  it('are the tenant document without channel and staff, and come back as they were put', async () => {
    const { status, body, headers } = await owner('GET', '/v1/settings')
    expect(status).toBe(200)
    expect(body).toMatchObject({ slug: one.slug, name: 'Studio Aurora' })
    expect(body).not.toHaveProperty('channel')
    expect(body).not.toHaveProperty('staff')
    const etag = String(headers['etag'])
    const same = await owner('PUT', '/v1/settings', body, { 'if-match': etag })
    expect(same).toMatchObject({ status: 200, body, headers: { etag } })
    const changed = { ...body, name: 'Studio Aurora Centro' }
    const put = await owner('PUT', '/v1/settings', changed, { 'if-match': etag })
    expect(put).toMatchObject({ status: 200, body: changed })
    expect(put.headers['etag']).not.toBe(etag)
    expect(await owner('GET', '/v1/settings')).toMatchObject({
      body: changed,
      headers: { etag: put.headers['etag'] },
    })
    const stored = await database.store.read(one.id, (reader) => reader.channel.findFirstOrThrow())
    expect(stored.accessTokenEncrypted).not.toBeNull()
    const names = await database.store.unsafeRead('test', (reader) =>
      reader.tenant.findUniqueOrThrow({ where: { id: other.id }, select: { name: true } }),
    )
    expect(names.name).toBe('Studio Aurora')
  })

  it('refuse a change that was made from what is no more, and one that does not say', async () => {
    const { body, headers } = await owner('GET', '/v1/settings')
    expect(await owner('PUT', '/v1/settings', body)).toMatchObject({
      status: 428,
      body: { code: 'precondition_required' },
    })
    const etag = { 'if-match': String(headers['etag']) }
    const puts = await Promise.all(
      ['A', 'B', 'C', 'D'].map((name) => owner('PUT', '/v1/settings', { ...body, name }, etag)),
    )
    expect(puts.map(({ status }) => status).toSorted()).toEqual([200, 412, 412, 412])
    for (const wrong of ['"0"', 'nonsense', '*']) {
      expect(await owner('PUT', '/v1/settings', body, { 'if-match': wrong })).toMatchObject({
        status: 412,
        body: { code: 'precondition_failed' },
      })
    }
  })

  it('name every path that is wrong, and change nothing then', async () => {
    const before = await owner('GET', '/v1/settings')
    const etag = { 'if-match': String(before.headers['etag']) }
    const wrong = { ...before.body, timeZone: 'Mars/Base', policy: { slotStepMinutes: 1 }, extra: 1 }
    const refused = await owner('PUT', '/v1/settings', wrong, etag)
    expect(refused).toMatchObject({ status: 422, body: { code: 'invalid_document' } })
    for (const path of ['timeZone', 'policy.slotStepMinutes', 'extra']) {
      expect(refused.body['issues']).toContainEqual(expect.objectContaining({ path }))
    }
    const channel = { ...before.body, channel: one.document.channel, staff: [] }
    expect((await owner('PUT', '/v1/settings', channel, etag)).body['issues']).toMatchObject([
      { path: 'channel' },
      { path: 'staff' },
    ])
    const slug = await owner('PUT', '/v1/settings', { ...before.body, slug: other.slug }, etag)
    expect(slug).toMatchObject({ status: 422, body: { issues: [{ path: 'slug' }] } })
    expect((await owner('PUT', '/v1/settings', [], etag)).status).toBe(422)
    expect(await owner('GET', '/v1/settings')).toMatchObject({ body: before.body })
  })

  it('are for owners alone; what there is to book is for everybody', async () => {
    for (const answer of [
      await attendant('GET', '/v1/settings'),
      await attendant('PUT', '/v1/settings', {}, { 'if-match': '"1"' }),
      await attendant('GET', '/v1/staff'),
    ]) {
      expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    }
    expect((await attendant('GET', '/v1/catalog')).body).toMatchObject({
      services: [{ key: 'corte', durationMinutes: 45 }, { key: 'barba' }],
      professionals: [{ key: 'ana', services: ['corte', 'barba'] }, { key: 'bia' }],
    })
  })
})

describe('the people', () => {
  it('are added, changed and let go by an owner', async () => {
    const person = { email: 'Nova@example.com', name: 'Nova', role: 'attendant', password: 'a-long-password' }
    const added = await owner('POST', '/v1/staff', person)
    expect(added).toMatchObject({
      status: 201,
      body: { email: 'nova@example.com', role: 'attendant', active: true, sessions: 0 },
    })
    expect(added.body).not.toHaveProperty('passwordHash')
    expect(await owner('POST', '/v1/staff', person)).toMatchObject({
      status: 409,
      body: { code: 'email_taken' },
    })
    expect((await owner('POST', '/v1/staff', { ...person, password: 'short' })).status).toBe(400)
    const nova = await loggedIn(app, one.slug, 'nova@example.com')
    expect((await nova('GET', '/v1/me')).status).toBe(200)
    const url = `/v1/staff/${String(added.body['id'])}`
    expect((await owner('PATCH', url, { role: 'owner' })).body).toMatchObject({ role: 'owner', sessions: 1 })
    expect((await owner('PATCH', url, { active: false })).body).toMatchObject({ active: false, sessions: 0 })
    expect((await nova('GET', '/v1/me')).status).toBe(401)
    const login = { tenant: one.slug, email: 'nova@example.com', password: person.password }
    const refused = await ask(app, { method: 'POST', url: '/v1/auth/login', payload: login })
    expect(refused).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
    expect((await owner('PATCH', url, { active: true, password: 'another-long-one' })).status).toBe(200)
    const again = { ...login, password: 'another-long-one' }
    expect((await ask(app, { method: 'POST', url: '/v1/auth/login', payload: again })).status).toBe(200)
    expect((await owner('PATCH', url, { active: false })).status).toBe(200)
  })

  it('keep one owner, whatever happens', async () => {
    const me = await owner('GET', '/v1/me')
    const { id } = JSON.parse(JSON.stringify(me.body['staff']))
    for (const change of [{ role: 'attendant' }, { active: false }]) {
      expect(await owner('PATCH', `/v1/staff/${id}`, change)).toMatchObject({
        status: 409,
        body: { code: 'last_owner' },
      })
    }
  })

  it('are of one tenant: nobody changes or logs out those of another', async () => {
    const stranger = await loggedIn(app, other.slug, 'dona@example.com')
    const { body } = await owner('GET', '/v1/staff')
    const [first] = JSON.parse(JSON.stringify(body['items']))
    expect((await stranger('PATCH', `/v1/staff/${first.id}`, { name: 'x' })).status).toBe(404)
    expect((await stranger('POST', `/v1/staff/${first.id}/logout`)).status).toBe(404)
    expect((await owner('GET', '/v1/me')).status).toBe(200)
  })

  it('end all their own sessions; those of others only an owner ends', async () => {
    const { body } = await owner('GET', '/v1/staff')
    const people: { id: string; email: string }[] = JSON.parse(JSON.stringify(body['items']))
    const idOf = (email: string) => people.find((person) => person.email === email)?.id
    const elsewhere = await loggedIn(app, one.slug, ATTENDANT)
    expect((await attendant('POST', `/v1/staff/${idOf('dona@example.com')}/logout`)).status).toBe(403)
    expect((await attendant('POST', `/v1/staff/${idOf(ATTENDANT)}/logout`)).status).toBe(204)
    expect((await elsewhere('GET', '/v1/me')).status).toBe(401)
    const back = await loggedIn(app, one.slug, ATTENDANT)
    expect((await owner('POST', `/v1/staff/${idOf(ATTENDANT)}/logout`)).status).toBe(204)
    expect((await back('GET', '/v1/me')).status).toBe(401)
  })
})
