import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changeProactive } from '../../src/conversations/proactive.ts'
import { resumeSends, stopProactiveSends } from '../../src/tenancy/channel-sends.ts'
import { freshPhone, type StaffedTenant } from '../support/conversation-harness.ts'
import { handoffSteps } from '../support/handoff-steps.ts'
import { loggedIn, testApp } from '../support/http-harness.ts'
import { createOutboundHarness, type OutboundHarness } from '../support/outbound-harness.ts'

const DAY_MS = 24 * 60 * 60_000
const TEMPLATE = { name: 'lembrete', language: 'pt_BR' }
const REMINDER = { kind: 'template', ...TEMPLATE, components: [] } as const

let world: OutboundHarness['world']
let graph: OutboundHarness['graph']
let outbound: OutboundHarness
let app: FastifyInstance

beforeAll(async () => {
  outbound = await createOutboundHarness()
  ;({ world, graph } = outbound)
  app = await testApp(world.db.store, { clock: world.clock })
})
afterAll(async () => {
  await app.close()
  await outbound.close()
})

async function setStopped(conversationId: string, stop: boolean, tenant = world.one): Promise<void> {
  const { customerId } = await world.conversation(tenant, conversationId)
  await world.db.store.transact(tenant.id, async (tx) => {
    const customer = await tx.customer.findFirstOrThrow({ where: { id: customerId } })
    await changeProactive(tx, customer, { stop, at: world.clock.now() })
  })
}

/** What one of the staff gets for a template in a conversation that is theirs. */
async function sendAsStaff(conversationId: string) {
  const paula = await loggedIn(app, world.one.slug, 'paula@example.com')
  const answer = await paula('POST', `/v1/conversations/${conversationId}/messages`, { template: TEMPLATE })
  return { status: answer.status, body: answer.body }
}

const attempts = () => graph.attempts.length

describe('a customer who asked for nothing that they did not ask for', () => {
  it('gets no template outside the window; inside it one answers them', async () => {
    const late = await outbound.conversationWith(REMINDER)
    await setStopped(late, true)
    world.clock.advance(DAY_MS)
    const fresh = await outbound.conversationWith(REMINDER)
    await setStopped(fresh, true)
    const before = attempts()
    await outbound.drain(late)
    expect(attempts()).toBe(before)
    expect(await outbound.last(late)).toMatchObject({
      status: 'failed',
      errorCode: 131_050,
      errorDetail: expect.stringContaining('asked for no messages'),
    })
    await outbound.drain(fresh)
    expect(await outbound.last(fresh)).toMatchObject({ status: 'sent' })
  })

  it('is another one than the same person with another tenant', async () => {
    const phone = freshPhone()
    const write = async (tenant: StaffedTenant) => {
      const { conversationId } = await world.say(tenant, phone, 'oi')
      await outbound.write(tenant, conversationId, REMINDER)
      return conversationId
    }
    const [stopped, other] = [await write(world.one), await write(world.other)]
    await setStopped(stopped, true)
    world.clock.advance(DAY_MS)
    await outbound.drain(stopped)
    await outbound.drain(other, world.other)
    expect(await outbound.last(stopped)).toMatchObject({ status: 'failed' })
    expect(await outbound.last(other, world.other)).toMatchObject({ status: 'sent' })
  })

  it('who takes it back gets templates again', async () => {
    const conversationId = await outbound.conversationWith(REMINDER)
    await setStopped(conversationId, true)
    world.clock.advance(DAY_MS)
    await setStopped(conversationId, false)
    await outbound.drain(conversationId)
    expect(await outbound.last(conversationId)).toMatchObject({ status: 'sent' })
  })

  it('whose word comes after the row met an unknown fate: it is not sent again, and stays unknown', async () => {
    const conversationId = await outbound.conversationWith(REMINDER)
    world.clock.advance(DAY_MS)
    graph.script({ kind: 'reset', accept: true })
    await outbound.drain(conversationId)
    await setStopped(conversationId, true)
    world.clock.advance(11 * 60_000)
    const before = attempts()
    await outbound.drain(conversationId)
    expect(attempts()).toBe(before)
    expect(await outbound.last(conversationId)).toMatchObject({ status: 'unknown' })
  })

  it('is told to who of the staff writes a template outside the window: 409, and nothing is written', async () => {
    const conversationId = await handoffSteps(world).assigned()
    await setStopped(conversationId, true)
    expect(await sendAsStaff(conversationId)).toMatchObject({ status: 202 })
    world.clock.advance(DAY_MS)
    const before = (await world.messages(world.one, conversationId)).length
    expect(await sendAsStaff(conversationId)).toMatchObject({
      status: 409,
      body: { code: 'customer_opted_out', detail: expect.stringContaining('asked for no messages') },
    })
    expect(await world.messages(world.one, conversationId)).toHaveLength(before)
    await setStopped(conversationId, false)
    expect(await sendAsStaff(conversationId)).toMatchObject({ status: 202 })
  })
})

describe('a number that WhatsApp stopped proactive messages of', () => {
  it('is told to who of the staff writes a template outside the window, until the owner resumes', async () => {
    const conversationId = await handoffSteps(world).assigned()
    world.clock.advance(DAY_MS)
    const now = world.clock.now()
    const { store } = world.db
    await store.transact(world.one.id, (tx) =>
      stopProactiveSends(tx, { channelId: world.one.channelId, startedAt: now, now }),
    )
    expect(await sendAsStaff(conversationId)).toMatchObject({
      status: 409,
      body: { code: 'proactive_stopped' },
    })
    await store.transact(world.one.id, (tx) => resumeSends(tx, world.clock.now()))
    expect(await sendAsStaff(conversationId)).toMatchObject({ status: 202 })
  })
})
