import type { FastifyInstance } from 'fastify'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { liveEventDataSchemas } from '../../src/contracts/dashboard-api.ts'
import { claim, returnToBot } from '../../src/handoff/ownership.ts'
import { addNote } from '../../src/handoff/write-as-staff.ts'
import { forgetOldEvents } from '../../src/live/live-events.ts'
import { createLiveHub, type LiveHub } from '../../src/live/live-hub.ts'
import {
  type ConversationHarness,
  createConversationHarness,
  freshPhone,
  type StaffedTenant,
} from '../support/conversation-harness.ts'
import { type EventSourceClient, openEvents } from '../support/event-source.ts'
import { createCustomer } from '../support/factories.ts'
import { handoffSteps } from '../support/handoff-steps.ts'
import { loggedIn, testApp, tokenOf } from '../support/http-harness.ts'

interface Process {
  readonly app: FastifyInstance
  readonly address: string
  readonly hub: LiveHub
}

let world: ConversationHarness
let steps: ReturnType<typeof handoffSteps>
let first: Process
let second: Process
const clients: EventSourceClient[] = []

beforeAll(async () => {
  world = await createConversationHarness()
  steps = handoffSteps(world)
  first = await startProcess()
  second = await startProcess()
})
afterEach(() => {
  for (const client of clients.splice(0)) client.cut()
})
afterAll(async () => {
  for (const { app, hub } of [first, second]) {
    await app.close()
    await hub.close()
  }
  await world.close()
})

async function startProcess(): Promise<Process> {
  const hub = createLiveHub({ databaseUrl: world.db.url, onLost: () => undefined })
  const app = await testApp(world.db.store, { clock: world.clock, live: hub })
  return { app, hub, address: await app.listen({ host: '127.0.0.1', port: 0 }) }
}

async function listen(
  { app, address }: Process,
  tenant: StaffedTenant,
  lastEventId?: string,
): Promise<EventSourceClient> {
  const token = await tokenOf(app, tenant.slug, 'paula@example.com')
  const client = await openEvents(address, {
    authorization: `Bearer ${token}`,
    ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
  })
  clients.push(client)
  return client
}

const ofConversation = (client: EventSourceClient, conversationId: string) =>
  client.events.filter(({ data }) => JSON.stringify(data).includes(conversationId))

describe('the live stream', () => {
  it('tells every change with the row as the API shows it, in growing ids, in every process', async () => {
    const { one, db, clock } = world
    const [here, there, others] = [
      await listen(first, one),
      await listen(second, one),
      await listen(first, world.other),
    ]
    expect(here.status).toBe(200)
    expect(here.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-content-type-options': 'nosniff',
    })
    const conversationId = await steps.queued()
    await steps.act(claim, one.paula, conversationId)
    await db.store.transact(one.id, (tx) =>
      addNote(tx, { conversationId, staffId: one.paula.id, text: 'prefere a Ana', clock }),
    )
    await steps.act(returnToBot, one.paula, conversationId)
    for (const client of [here, there]) {
      await client.next(
        ({ event, data }) =>
          event === 'conversation.updated' && JSON.stringify(data).includes('"status":"bot","customer"'),
      )
      await client.next(({ data }) => JSON.stringify(data).includes('prefere a Ana'))
      const ids = client.events.map(({ id }) => Number(id))
      expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b))
      for (const { event } of client.events) {
        const name = Object.keys(liveEventDataSchemas).find((known) => known === event)
        expect(name).toBeDefined()
      }
      const created = client.events.find(({ event }) => event === 'message.created')
      expect(liveEventDataSchemas['message.created'].parse(created?.data)).toMatchObject({
        conversationId,
        message: { direction: 'in', text: 'quero falar com alguém' },
      })
    }
    expect(others.events).toEqual([])
  })

  it('tells appointments, unread, statuses and who is looking', async () => {
    const { one, db } = world
    const paula = await loggedIn(first.app, one.slug, 'paula@example.com')
    const client = await listen(second, one)
    const conversationId = await steps.assigned()
    await paula('POST', `/v1/conversations/${conversationId}/presence`)
    await client.next(({ data }) => JSON.stringify(data).includes('"viewers":[{"id"'))
    await paula('POST', `/v1/conversations/${conversationId}/messages`, { text: 'Olá!' })
    await world.drain(one, conversationId)
    await client.next(
      ({ event, data }) => event === 'message.updated' && JSON.stringify(data).includes('"status":"sent"'),
    )
    const customer = { id: await createCustomer(db.store, one.id) }
    const booked = await paula('POST', '/v1/appointments', {
      service: 'corte',
      startsAt: '2026-12-01T10:00:00-03:00',
      customer,
    })
    const { data } = await client.next(({ event }) => event === 'appointment.updated')
    expect(liveEventDataSchemas['appointment.updated'].parse(data).appointment).toEqual(booked.body)
  })

  it('replays what a cut made a client miss, also one that had heard nothing yet', async () => {
    const { one } = world
    const before = await listen(first, one)
    await expect.poll(() => before.lastEventId()).toMatch(/^\d+$/)
    before.cut()
    await before.ended
    const { conversationId } = await world.say(one, freshPhone(), 'enquanto isso')
    const after = await listen(second, one, before.lastEventId())
    await after.next(
      ({ event, data }) => event === 'message.created' && JSON.stringify(data).includes('isso'),
    )
    expect(
      ofConversation(after, conversationId)
        .map(({ event }) => event)
        .toSorted(),
    ).toEqual(['conversation.updated', 'message.created'])
    expect(after.events.some(({ event }) => event === 'reload')).toBe(false)
  })

  it('tells a client that is too old, or knows more than there is, to reload, and goes on from now', async () => {
    const { one } = world
    const { lastEventId } = await listen(first, one)
    await expect.poll(() => lastEventId()).toMatch(/^\d+$/)
    const old = lastEventId()
    await world.say(one, freshPhone(), 'antes')
    await world.say(one, freshPhone(), 'depois')
    const client = new Client({ connectionString: world.db.superuserUrl })
    await client.connect()
    await client.query(
      "update live_events set created_at = now() - interval '61 minutes' where tenant_id = $1",
      [one.id],
    )
    await client.end()
    await forgetOldEvents(world.db.store)
    for (const known of [old, '999999999', 'nonsense']) {
      const late = await listen(first, one, known)
      await late.next(({ event }) => event === 'reload')
      const { conversationId } = await world.say(one, freshPhone(), `agora ${known}`)
      await late.next(({ data }) => JSON.stringify(data).includes(`agora ${known}`))
      expect(late.events[0]).toMatchObject({ event: 'reload', data: {} })
      expect(ofConversation(late, conversationId)).toHaveLength(late.events.length - 1)
    }
  })

  it('misses nothing when the connection that listens breaks', async () => {
    const { one } = world
    const stream = await listen(first, one)
    await world.say(one, freshPhone(), 'ligado')
    await stream.next(({ data }) => JSON.stringify(data).includes('ligado'))
    const client = new Client({ connectionString: world.db.superuserUrl })
    await client.connect()
    await client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'agendou live' and datname = current_database()",
    )
    await client.end()
    await world.say(one, freshPhone(), 'caiu')
    await stream.next(({ data }) => JSON.stringify(data).includes('caiu'))
    await world.say(one, freshPhone(), 'voltou')
    await stream.next(({ data }) => JSON.stringify(data).includes('voltou'))
  })

  it('needs a session, and ends when the server stops', async () => {
    expect((await openEvents(first.address, {})).status).toBe(401)
    const third = await startProcess()
    const client = await listen(third, world.one)
    await third.app.close()
    await client.ended
    await third.hub.close()
  })
})
