import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createBooking } from '../../src/booking/create-booking.ts'
import { createLocalMediaStorage, type MediaStorage } from '../../src/media/media-storage.ts'
import { newId } from '../../src/shared/ids.ts'
import {
  type ConversationHarness,
  createConversationHarness,
  freshPhone,
} from '../support/conversation-harness.ts'
import { type Answer, ask, loggedIn, type Send, testApp } from '../support/http-harness.ts'

/** Every other route of the document is the staff's, and needs a session. */
const WITHOUT_SESSION = new Set([
  'get /healthz',
  'get /readyz',
  'get /metrics',
  'post /v1/auth/login',
  'get /v1/admin/tenants/{slug}',
  'put /v1/admin/tenants/{slug}',
])

const METHODS = { get: 'GET', post: 'POST', patch: 'PATCH', put: 'PUT', delete: 'DELETE' } as const
const methodSchema = z.enum(['get', 'post', 'patch', 'put', 'delete'])

const documentSchema = z.object({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.looseObject({ security: z.array(z.record(z.string(), z.unknown())).optional() })),
  ),
})

interface Route {
  readonly name: string
  readonly method: keyof typeof METHODS
  readonly path: string
}

let harness: ConversationHarness
let app: FastifyInstance
let stranger: Send
let staff: Send
let routes: readonly Route[]
let folder: string
let storage: MediaStorage
const secret = {
  conversationId: '',
  customerId: '',
  staffId: '',
  cannedReplyId: '',
  mediaId: '',
  code: '',
  phone: freshPhone(),
}

beforeAll(async () => {
  harness = await createConversationHarness()
  const { clock, one, other, db } = harness
  folder = await mkdtemp(join(tmpdir(), 'agendou-isolation-'))
  storage = createLocalMediaStorage(folder)
  app = await testApp(db.store, { clock, mediaStorage: storage })
  stranger = await loggedIn(app, other.slug, 'dona@example.com')
  staff = await loggedIn(app, one.slug, 'dona@example.com')
  secret.conversationId = (await harness.say(one, secret.phone, 'um segredo')).conversationId
  await staff('POST', `/v1/conversations/${secret.conversationId}/take-over`)
  secret.customerId = (await harness.conversation(one, secret.conversationId)).customerId
  secret.staffId = z.object({ id: z.string() }).parse((await staff('GET', '/v1/me')).body['staff']).id
  const reply = await staff('POST', '/v1/canned-replies', { shortcut: 'pix', text: 'Chave de um segredo' })
  secret.cannedReplyId = z.string().parse(reply.body['id'])
  secret.mediaId = await storeFile()
  const booking = createBooking({ store: db.store, clock })
  const appointment = await booking.book(
    one.id,
    { kind: 'customer', customerId: secret.customerId },
    { service: 'barba', start: { wall: '2026-12-01T09:00' } },
  )
  secret.code = appointment.code
  routes = await staffRoutes()
})
afterAll(async () => {
  await app.close()
  await harness.close()
  await rm(folder, { recursive: true })
})

async function staffRoutes(): Promise<Route[]> {
  const { paths } = documentSchema.parse((await ask(app, { url: '/docs/json' })).body)
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations)
      .map((method) => ({ name: `${method} ${path}`, method: methodSchema.parse(method), path }))
      .filter(({ name }) => !WITHOUT_SESSION.has(name)),
  )
}

/** A picture that came with the secret message. */
async function storeFile(): Promise<string> {
  const { one, db } = harness
  const [message] = await harness.messages(one, secret.conversationId)
  const { channelId } = await harness.conversation(one, secret.conversationId)
  const id = newId()
  const bytes = Buffer.from('a picture')
  async function* chunks() {
    yield await Promise.resolve(bytes)
  }
  const { sizeBytes, sha256 } = await storage.write({ tenantId: one.id, mediaId: id }, chunks(), 100)
  const place = { tenantId: one.id, id, messageId: message?.id ?? '', channelId, providerId: 'p1' }
  const file = { kind: 'image', state: 'stored', contentType: 'image/png', sizeBytes, sha256 }
  await db.store.transact(one.id, (tx) =>
    tx.media.create({ data: { ...place, ...file, storedAt: new Date() } }),
  )
  return id
}

/** What an `{id}` names, by where it stands. */
function idOf(path: string): string {
  if (path.startsWith('/v1/staff/')) return secret.staffId
  if (path.startsWith('/v1/customers/')) return secret.customerId
  if (path.startsWith('/v1/canned-replies/')) return secret.cannedReplyId
  if (path.startsWith('/v1/media/')) return secret.mediaId
  if (path.startsWith('/v1/conversations/')) return secret.conversationId
  return '{id}'
}

/** The route with the other tenant's ids, and a body that would be right. */
function requestOf({ name, method, path }: Route) {
  const url = path.replace('{id}', idOf(path)).replace('{code}', secret.code)
  return { name, method: METHODS[method], url: withQuery(url), body: bodyOf(name) }
}

function withQuery(url: string): string {
  if (url === '/v1/availability') return `${url}?service=barba&from=2026-12-01&to=2026-12-01`
  if (url === '/v1/conversations') return `${url}?q=segredo`
  return url
}

function bodyOf(name: string): object | undefined {
  if (/\/(messages|notes)$/.test(name) && name.startsWith('post')) return { text: 'oi' }
  if (name.startsWith('patch /v1/appointments/')) return { startsAt: '2026-12-01T10:00:00-03:00' }
  if (/^(put|patch) \/v1\/canned-replies\//.test(name)) return { text: 'oi' }
  if (name === 'patch /v1/staff/{id}') return { name: 'Rota' }
  if (name !== 'post /v1/appointments') return undefined
  return { service: 'barba', startsAt: '2026-12-01T11:00:00-03:00', customer: { id: secret.customerId } }
}

function textOf({ body }: Answer): string {
  return JSON.stringify(body)
}

describe('the routes of the staff', () => {
  it('are all in the OpenAPI document, with the session they need', async () => {
    const { paths } = documentSchema.parse((await ask(app, { url: '/docs/json' })).body)
    expect(routes.length).toBeGreaterThanOrEqual(24)
    for (const { name, method, path } of routes) {
      expect(paths[path]?.[method]?.security, name).toEqual([{ session: [] }, { bearer: [] }])
    }
  })

  it('answer 401 without a session and with one that was never opened, before they read anything', async () => {
    for (const { name, method, url, body } of routes.map(requestOf)) {
      for (const headers of [
        {},
        { authorization: `Bearer ${'a'.repeat(43)}` },
        { cookie: 'agendou_session=nonsense' },
      ]) {
        const answer = await ask(app, { method, url, headers, payload: body ?? {} })
        expect(answer, name).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
        expect(answer.headers['content-type'], name).toMatch(/^application\/problem\+json/)
      }
    }
  })

  it('answer 404 for what is of another tenant, as if it did not exist', async () => {
    const withId = routes.filter(({ path }) => path.includes('{'))
    expect(withId.length).toBeGreaterThanOrEqual(17)
    for (const { name, method, path } of withId) {
      const { method: verb, url, body } = requestOf({ name, method, path })
      const answer = await stranger(verb, url, body)
      expect(answer, name).toMatchObject({ status: 404, body: { code: 'not_found' } })
      const nowhere = await stranger(verb, url.replace(idOf(path), crypto.randomUUID()), body)
      expect(textOf(nowhere), name).toBe(textOf(answer))
    }
    const booked = requestOf({ name: 'post /v1/appointments', method: 'post', path: '/v1/appointments' })
    expect(await stranger('POST', booked.url, booked.body)).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
  })

  it('list and count nothing of another tenant', async () => {
    // The stream of events never ends; it has tests of its own.
    const lists = routes.filter(
      ({ method, path }) => method === 'get' && !path.includes('{') && path !== '/v1/events',
    )
    for (const { name, url } of lists.map(requestOf)) {
      const answer = await stranger('GET', url)
      expect(answer.status, name).toBe(200)
      // What is free, and the stranger's own colleagues.
      if (!/availability|staff/.test(name) && 'items' in answer.body)
        expect(answer.body['items'], name).toEqual([])
      const told = textOf(answer)
      for (const value of Object.values(secret)) expect(told, name).not.toContain(value)
      expect(told, name).not.toContain(harness.one.slug)
    }
  })

  it('show the tenant itself what the stranger was not shown', async () => {
    for (const url of [
      `/v1/customers/${secret.customerId}`,
      `/v1/canned-replies/${secret.cannedReplyId}`,
      `/v1/media/${secret.mediaId}`,
    ]) {
      expect((await staff('GET', url)).status, url).toBe(200)
    }
    expect(textOf(await staff('GET', '/v1/staff'))).toContain(secret.staffId)
    for (const url of [
      `/v1/conversations/${secret.conversationId}`,
      `/v1/appointments/${secret.code}`,
      '/v1/conversations?q=segredo',
    ]) {
      expect(textOf(await staff('GET', url))).toContain(secret.customerId)
    }
    expect((await harness.conversation(harness.one, secret.conversationId)).status).toBe('assigned')
  })
})
