import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { newId } from '../../src/shared/ids.ts'
import {
  type ConversationHarness,
  createConversationHarness,
  freshPhone,
} from '../support/conversation-harness.ts'
import { handoffSteps } from '../support/handoff-steps.ts'
import { type Answer, ask, loggedIn, type Send, testApp } from '../support/http-harness.ts'

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
const operationSchema = z.object({
  security: z.array(z.record(z.string(), z.unknown())).optional(),
  responses: z.record(z.string(), z.unknown()),
  requestBody: z.record(z.string(), z.unknown()).optional(),
})
const documentSchema = z.object({
  paths: z.record(z.string(), z.partialRecord(z.enum(METHODS), operationSchema)),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
})

interface Route {
  readonly method: Method
  readonly path: string
  readonly operation: z.output<typeof operationSchema>
}

/** For owners alone. */
const OWNER_ROUTES = new Set([
  'POST /v1/channel/resume',
  'GET /v1/settings',
  'PUT /v1/settings',
  'GET /v1/staff',
  'POST /v1/staff',
  'PATCH /v1/staff/{id}',
  'POST /v1/staff/{id}/logout',
])

/** Bodies that are valid where a route wants one. */
const BODIES: Readonly<Record<string, object>> = {
  'POST /v1/conversations/{id}/messages': { text: 'oi' },
  'POST /v1/conversations/{id}/notes': { text: 'oi' },
  'POST /v1/appointments': {
    service: 'corte',
    startsAt: '2026-12-01T10:00:00-03:00',
    customer: { name: 'Carla', phone: '5511988887777' },
  },
  'PATCH /v1/appointments/{code}': { startsAt: '2026-12-01T11:00:00-03:00' },
  'POST /v1/canned-replies': { shortcut: 'rota', text: 'oi' },
  'PUT /v1/canned-replies/{id}': { text: 'oi' },
  'PATCH /v1/canned-replies/{id}': { text: 'oi' },
  'POST /v1/staff': {
    email: 'rota@example.com',
    name: 'Rota',
    role: 'attendant',
    password: 'a-long-password',
  },
  'PATCH /v1/staff/{id}': { name: 'Rota' },
}

let world: ConversationHarness
let app: FastifyInstance
let routes: readonly Route[]
let document: z.output<typeof documentSchema>
let owner: Send
let attendant: Send
let stranger: Send
/** Ids of tenant one, by the name of the path they go into. */
let ids: (path: string) => string

beforeAll(async () => {
  world = await createConversationHarness()
  app = await testApp(world.db.store, { clock: world.clock })
  const { one, other } = world
  owner = await loggedIn(app, one.slug, 'dona@example.com')
  attendant = await loggedIn(app, one.slug, 'paula@example.com')
  stranger = await loggedIn(app, other.slug, 'dona@example.com')
  document = documentSchema.parse((await ask(app, { url: '/docs/json' })).body)
  routes = Object.entries(document.paths).flatMap(([path, operations]) =>
    METHODS.flatMap((method) => {
      const operation = operations[method]
      return operation === undefined ? [] : [{ method: upper(method), path, operation }]
    }),
  )
  ids = await makeRows()
})
afterAll(async () => {
  await app.close()
  await world.close()
})

function upper(method: (typeof METHODS)[number]): Method {
  return ({ get: 'GET', post: 'POST', put: 'PUT', patch: 'PATCH', delete: 'DELETE' } as const)[method]
}

/** One of everything that has an id. */
async function makeRows(): Promise<(path: string) => string> {
  const { one, db } = world
  const conversationId = await handoffSteps(world).queued(freshPhone())
  const { customerId } = await world.conversation(one, conversationId)
  const reply = await owner('POST', '/v1/canned-replies', { shortcut: 'linha', text: 'oi' })
  const booked = await owner('POST', '/v1/appointments', {
    service: 'corte',
    startsAt: '2026-12-02T10:00:00-03:00',
    customer: { id: customerId },
  })
  const runId = newId()
  await db.store.transact(one.id, async (tx) => {
    await tx.run.create({
      data: {
        tenantId: one.id,
        id: runId,
        conversationId,
        ownerEpoch: 1,
        status: 'completed',
        stopReason: 'end_turn',
        model: 'guided',
        uptoSeq: 1n,
        opening: [],
        steps: 1,
        costMicroUsd: 1_500n,
        startedAt: new Date(world.clock.now()),
        finishedAt: new Date(world.clock.now()),
      },
    })
    await tx.toolCall.create({
      data: {
        tenantId: one.id,
        runId,
        toolUseId: 'toolu_1',
        stepIndex: 0,
        name: 'list_services',
        input: {},
        effect: 'read',
        result: { content: '[]' },
        outcome: 'ok',
        startedAt: new Date(world.clock.now()),
        finishedAt: new Date(world.clock.now()),
      },
    })
  })
  return (path) =>
    path
      .replace('{runId}', runId)
      .replace('{code}', String(booked.body['code']))
      .replace('/customers/{id}', `/customers/${customerId}`)
      .replace('/canned-replies/{id}', `/canned-replies/${String(reply.body['id'])}`)
      .replace('/staff/{id}', `/staff/${one.rita.id}`)
      .replace('{id}', conversationId)
}

const nameOf = ({ method, path }: Route) => `${method} ${path}`
const ofStaff = (operation: Route['operation']) =>
  operation.security?.some((way) => Object.hasOwn(way, 'session')) === true
const staffRoutes = () =>
  routes.filter(({ operation, path }) => ofStaff(operation) && path !== '/v1/auth/logout')

function call(route: Route, send: Send): Promise<Answer> {
  return send(route.method, ids(route.path), BODIES[nameOf(route)], { 'if-match': '"1"' })
}

describe('every route of the OpenAPI document', () => {
  it('is of the staff, of the operator, or one of the few that are open', () => {
    const open = routes.filter(({ operation }) => operation.security === undefined).map(nameOf)
    expect(open.toSorted()).toEqual(['GET /healthz', 'GET /readyz', 'POST /v1/auth/login'])
    expect(staffRoutes().length).toBeGreaterThan(35)
  })

  it('answers 401 without a session, before anything else is looked at', async () => {
    for (const route of staffRoutes()) {
      const { method, path } = route
      const answer = await ask(app, { method, url: ids(path), payload: 'no json' })
      expect([nameOf(route), answer.status, answer.body['code']]).toEqual([
        nameOf(route),
        401,
        'unauthorized',
      ])
    }
  })

  it('answers 404 for whatever is another tenant’s, and changes nothing there', async () => {
    const before = await world.db.store.read(world.one.id, (reader) => reader.liveCounter.findMany())
    for (const route of staffRoutes()) {
      if (!route.path.includes('{')) continue
      const answer = await call(route, stranger)
      expect([nameOf(route), answer.status, answer.body['code']]).toEqual([nameOf(route), 404, 'not_found'])
    }
    expect(await world.db.store.read(world.one.id, (reader) => reader.liveCounter.findMany())).toEqual(before)
  })

  it('answers 404, never 500, for ids that are none', async () => {
    for (const route of staffRoutes()) {
      if (!route.path.includes('{')) continue
      for (const id of [newId(), 'nonsense', '%00', "1'--"]) {
        const url = route.path.replace(/\{\w+\}/g, encodeURIComponent(id))
        const answer = await owner(route.method, url, BODIES[nameOf(route)])
        expect([nameOf(route), id, answer.status]).toEqual([nameOf(route), id, 404])
      }
    }
  })

  it('answers 403 to an attendant where it is for owners, and lets them do the rest', async () => {
    for (const route of staffRoutes()) {
      if (route.path === '/v1/events') continue
      const answer = await call(route, attendant)
      const expected = OWNER_ROUTES.has(nameOf(route)) ? 'forbidden' : 'allowed'
      const got = answer.status === 403 ? 'forbidden' : 'allowed'
      expect([nameOf(route), got]).toEqual([nameOf(route), expected])
      expect([nameOf(route), answer.status < 500]).toEqual([nameOf(route), true])
      expect([nameOf(route), answer.status === 401]).toEqual([nameOf(route), false])
    }
  })

  it('takes a body with an example, and tells shared bodies by example', () => {
    for (const route of routes) {
      const text = JSON.stringify(route.operation.requestBody ?? null)
      const named = /"#\/components\/schemas\/(\w+)"/.exec(text)?.[1]
      const told = text + JSON.stringify(named === undefined ? null : document.components.schemas[named])
      expect([nameOf(route), text === 'null' || told.includes('"example')], text).toEqual([
        nameOf(route),
        true,
      ])
    }
    for (const name of ['Conversation', 'Message', 'Appointment', 'RunDetail', 'MetricsOverview']) {
      const schema = document.components.schemas[name]
      expect([name, JSON.stringify(schema ?? null).includes('"examples"')]).toEqual([name, true])
    }
  })
})

describe('what the panels show', () => {
  it('of a run: its tools, what they answered, what it cost', async () => {
    const { body } = await attendant('GET', ids('/v1/conversations/{id}/runs/{runId}'))
    expect(body).toMatchObject({
      status: 'completed',
      model: 'guided',
      costUsd: 0.0015,
      toolCalls: [
        { id: 'toolu_1', name: 'list_services', effect: 'read', outcome: 'ok', result: { content: '[]' } },
      ],
      handoff: null,
    })
  })

  it('of a customer: what they have booked, and what they had', async () => {
    const booked = await attendant('POST', '/v1/appointments', {
      service: 'barba',
      startsAt: '2026-12-03T15:00:00-03:00',
      customer: { name: 'Célia', phone: '5511977776666' },
    })
    const found = await attendant('GET', '/v1/customers?q=celia')
    expect(found.body['items']).toMatchObject([{ name: 'Célia', phone: '5511977776666' }])
    expect((await stranger('GET', '/v1/customers?q=celia')).body['items']).toEqual([])
    const [customer] = z.array(z.object({ id: z.string() })).parse(found.body['items'])
    const url = `/v1/customers/${customer?.id}`
    const code = String(booked.body['code'])
    expect((await attendant('GET', url)).body).toMatchObject({
      conversations: [],
      upcoming: [{ code }],
      past: [],
    })
    expect((await attendant('POST', `/v1/appointments/${code}/cancel`)).status).toBe(200)
    expect((await attendant('GET', url)).body).toMatchObject({
      upcoming: [],
      past: [{ code, status: 'cancelled' }],
    })
  })
})
