import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { lockConversation } from '../../src/conversations/conversation-row.ts'
import { writeOutbound } from '../../src/conversations/outbox.ts'
import { claim, takeOver } from '../../src/handoff/ownership.ts'
import { sweepConversations } from '../../src/handoff/sweep-conversations.ts'
import { AppError } from '../../src/shared/app-error.ts'
import { loadTenantProfile } from '../../src/tenancy/tenant-profile.ts'
import {
  type ConversationHarness,
  createConversationHarness,
  freshPhone,
} from '../support/conversation-harness.ts'
import { handoffSteps } from '../support/handoff-steps.ts'
import { loggedIn, type Send, testApp, tokenOf } from '../support/http-harness.ts'

let world: ConversationHarness
let steps: ReturnType<typeof handoffSteps>
let app: FastifyInstance
let address: string
let paula: Send
let rita: Send

beforeAll(async () => {
  world = await createConversationHarness()
  steps = handoffSteps(world)
  app = await testApp(world.db.store, { clock: world.clock })
  address = await app.listen({ host: '127.0.0.1', port: 0 })
  paula = await loggedIn(app, world.one.slug, 'paula@example.com')
  rita = await loggedIn(app, world.one.slug, 'rita@example.com')
})
afterAll(async () => {
  await app.close()
  await world.close()
})

describe('a claim against the running server', () => {
  it('of 50 at once is one 200 and 49 times 409 with the winner’s name', async () => {
    const { one } = world
    const conversationId = await steps.queued()
    const tokens = await Promise.all(
      ['dona', 'paula', 'rita'].map((name) => tokenOf(app, one.slug, `${name}@example.com`)),
    )
    const answers = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const response = await fetch(`${address}/v1/conversations/${conversationId}/claim`, {
          method: 'POST',
          headers: { authorization: `Bearer ${tokens[index % 3]}` },
        })
        const body: unknown = await response.json()
        return { status: response.status, body }
      }),
    )
    const won = answers.filter(({ status }) => status === 200)
    const lost = answers.filter(({ status }) => status === 409)
    expect([won.length, lost.length]).toEqual([1, 49])
    const { assignee } = z.object({ assignee: z.object({ name: z.string() }) }).parse(won[0]?.body)
    for (const { body } of lost) expect(body).toMatchObject({ code: 'already_claimed', assignee })
  })
})

describe('a bot message', () => {
  it('never follows a claim, in 1,000 interleavings of model, claim and send', async () => {
    const { one, db, clock, channel } = world
    const store = db.store
    const play = async (): Promise<number> => {
      const { conversationId } = await world.say(one, freshPhone(), 'oi')
      const { ownerEpoch } = await world.conversation(one, conversationId)
      let claimedAt = Number.POSITIVE_INFINITY
      const turns = (count: number) => Math.floor(Math.random() * count)
      const stages = [stage(), stage(), stage()] as const
      const model = async () => {
        stages[0].reach()
        for (let waits = turns(12); waits > 0; waits -= 1) await setImmediateOnce()
        await store
          .transact(one.id, async (tx) => {
            const conversation = await lockConversation(tx, conversationId)
            const content = { kind: 'text', text: conversationId } as const
            return writeOutbound(tx, { conversation, author: 'bot', content, ownerEpoch, clock })
          })
          .catch((error: unknown) => {
            if (!(error instanceof AppError && error.code === 'owner_changed')) throw error
          })
        stages[1].reach()
        await world.drain(one, conversationId)
        stages[2].reach()
      }
      const person = async () => {
        await stages[turns(3)]?.reached
        for (let waits = turns(12); waits > 0; waits -= 1) await setImmediateOnce()
        await steps.act(takeOver, one.paula, conversationId)
        claimedAt = channel.requests.length
      }
      await Promise.all([model(), person()])
      await world.drain(one, conversationId)
      return channel.requests
        .slice(claimedAt)
        .filter(({ content }) => content.kind === 'text' && content.text === conversationId).length
    }
    const late: number[] = []
    for (let played = 0; played < 1_000; played += 10) {
      late.push(...(await Promise.all(Array.from({ length: 10 }, play))))
    }
    expect(late).toHaveLength(1_000)
    expect(late.filter((count) => count > 0)).toEqual([])
    const sent = channel.requests.length
    // Both ends of the race were met: some messages left before, some never did.
    expect(sent).toBeGreaterThan(0)
    expect(sent).toBeLessThan(1_000)
  }, 600_000)
})

describe('a message that is sent with a key', () => {
  it('is sent once, however often it is asked for, and the key stands for nothing else', async () => {
    const { one } = world
    const conversationId = await steps.assigned()
    const url = `/v1/conversations/${conversationId}/messages`
    const key = { 'idempotency-key': 'k-1' }
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => paula('POST', url, { text: 'Olá!' }, key)),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    const sent = await world.messages(one, conversationId)
    expect(sent.filter(({ direction }) => direction === 'out')).toHaveLength(1)
    expect(await paula('POST', url, { text: 'Outra' }, key)).toMatchObject({
      status: 422,
      body: { code: 'idempotency_mismatch' },
    })
    await world.drain(one, conversationId)
    expect((await paula('POST', url, { text: 'Olá!' }, key)).body).toEqual(answers[0]?.body)
    expect((await rita('POST', url, { text: 'Olá!' }, key)).body).toMatchObject({ code: 'not_assigned' })
    const after = await paula('POST', url, { text: 'Olá!' })
    expect(after.body).toMatchObject({ staff: { id: one.paula.id, name: 'paula' }, author: 'staff' })
    expect(after.body['id']).not.toBe(answers[0]?.body['id'])
  })
})

describe('who is looking', () => {
  it('is shown to all, until they leave or say nothing any more', async () => {
    const { one, other, clock, db } = world
    const { conversationId } = await world.say(one, freshPhone(), 'oi')
    const url = `/v1/conversations/${conversationId}`
    const viewers = async () => (await rita('GET', url)).body['viewers']
    const looking = { id: one.paula.id, name: 'paula' }
    expect((await paula('POST', `${url}/presence`)).body).toEqual({ viewers: [looking] })
    expect((await rita('POST', `${url}/presence`)).body['viewers']).toHaveLength(2)
    expect((await rita('DELETE', `${url}/presence`)).status).toBe(204)
    expect(await viewers()).toEqual([looking])
    clock.advance(30_000)
    await paula('POST', `${url}/presence`)
    clock.advance(30_000)
    expect(await viewers()).toEqual([looking])
    clock.advance(11_000)
    expect(await viewers()).toEqual([])
    await sweepConversations({ store: db.store, clock, loadProfile: loadTenantProfile })
    expect(await db.store.read(one.id, (reader) => reader.conversationViewer.count())).toBe(0)
    const stranger = await loggedIn(app, other.slug, 'paula@example.com')
    expect((await stranger('POST', `${url}/presence`)).status).toBe(404)
  })
})

describe('the figures', () => {
  it('tell each day, all of them, and the queue now, of one tenant', async () => {
    const stranger = await loggedIn(app, world.other.slug, 'paula@example.com')
    const before = z
      .object({ totals: z.object({ handoffs: z.int(), rehandoffs: z.int(), messagesIn: z.int() }) })
      .parse((await paula('GET', '/v1/metrics/overview?from=2026-11-29&to=2026-12-01')).body)
    const phone = freshPhone()
    const conversationId = await steps.queued(phone)
    await steps.act(claim, world.one.paula, conversationId)
    world.clock.advance(60_000)
    await paula('POST', `/v1/conversations/${conversationId}/return-to-bot`)
    await world.say(world.one, phone, 'de novo')
    await steps.handOff(conversationId)
    world.clock.advance(90_000)
    const { status, body } = await paula('GET', '/v1/metrics/overview?from=2026-11-29&to=2026-12-01')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      days: [{ date: '2026-11-29', conversations: 0 }, { date: '2026-11-30' }, { date: '2026-12-01' }],
      totals: {
        handoffs: before.totals.handoffs + 2,
        rehandoffs: before.totals.rehandoffs + 1,
        messagesIn: before.totals.messagesIn + 2,
      },
      queue: { depth: 1, oldestWaitSeconds: 90 },
    })
    expect((await stranger('GET', '/v1/metrics/overview')).body).toMatchObject({
      totals: { handoffs: 0, messagesIn: 0, botOnlyShare: null },
      queue: { depth: 0, oldestWaitSeconds: null },
    })
  })
})

function stage(): { readonly reached: Promise<void>; readonly reach: () => void } {
  let reach = (): void => undefined
  const reached = new Promise<void>((resolve) => {
    reach = resolve
  })
  return { reached, reach: () => reach() }
}

function setImmediateOnce(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
