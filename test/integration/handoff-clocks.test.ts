import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { markAnswered } from '../../src/conversations/unread.ts'
import { handoffMetrics } from '../../src/handoff/handoff-metrics.ts'
import { findOpenHandoff } from '../../src/handoff/handoff-row.ts'
import { claim, resolve, takeOver } from '../../src/handoff/ownership.ts'
import { sweepConversations } from '../../src/handoff/sweep-conversations.ts'
import { addNote, reply } from '../../src/handoff/write-as-staff.ts'
import { newId } from '../../src/shared/ids.ts'
import { loadTenantProfile } from '../../src/tenancy/tenant-profile.ts'
import {
  type ConversationHarness,
  createConversationHarness,
  freshPhone,
} from '../support/conversation-harness.ts'
import { TEST_NOW } from '../support/factories.ts'
import { handoffSteps } from '../support/handoff-steps.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
let world: ConversationHarness
let steps: ReturnType<typeof handoffSteps>

beforeAll(async () => {
  world = await createConversationHarness()
  steps = handoffSteps(world)
})
afterAll(() => world.close())
beforeEach(() => {
  world.clock.set(TEST_NOW)
  return sweepAway()
})

const sweep = () =>
  sweepConversations({ store: world.db.store, loadProfile: loadTenantProfile, clock: world.clock })

/** Closes what earlier tests left, so that each counts its own. */
async function sweepAway(): Promise<void> {
  for (const { id } of [world.one, world.other]) {
    await world.db.store.transact(id, async (tx) => {
      await tx.handoff.deleteMany()
      await tx.outbox.deleteMany()
      await tx.message.deleteMany()
      await tx.run.deleteMany()
      await tx.conversation.deleteMany()
    })
  }
}

function answer(conversationId: string, text: string) {
  const { one, clock, db } = world
  return db.store.transact(one.id, (tx) =>
    reply(tx, { conversationId, staffId: one.paula.id, content: { text }, clock }),
  )
}

describe('the clock of a silent assignee', () => {
  it('returns the conversation to the queue after the tenant\u2019s minutes', async () => {
    const { one, clock } = world
    const phone = freshPhone()
    const conversationId = await steps.assigned(phone)
    await answer(conversationId, 'já vejo')
    clock.advance(HOUR_MS)
    expect(await sweep(), 'nobody waits').toMatchObject({ returnedToQueue: 0, failures: [] })
    await world.say(one, phone, 'e então?')
    const askedAt = clock.now()
    clock.advance(15 * MINUTE_MS - 1)
    expect(await sweep()).toMatchObject({ returnedToQueue: 0 })
    clock.advance(1)
    expect(await sweep()).toMatchObject({ returnedToQueue: 1 })
    const conversation = await world.conversation(one, conversationId)
    expect(conversation).toMatchObject({ status: 'queued', assigneeId: null, unread: 1 })
    expect(conversation.queuedAt?.getTime()).toBe(askedAt)
    expect(await sweep()).toMatchObject({ returnedToQueue: 0 })
  })

  it('gives who comes back to the queue a first reply of their own to wait for', async () => {
    const { one, clock, db } = world
    const phone = freshPhone()
    const conversationId = await steps.assigned(phone)
    await answer(conversationId, 'já vejo')
    const dueAt = async () => {
      const handoff = await db.store.read(one.id, (reader) => findOpenHandoff(reader, conversationId))
      return handoff?.firstReplyDueAt?.getTime() ?? 0
    }
    const before = await dueAt()
    clock.advance(20 * MINUTE_MS)
    await world.say(one, phone, 'e então?')
    expect(await dueAt()).toBe(before)
    clock.advance(15 * MINUTE_MS)
    await sweep()
    expect(await dueAt()).toBeGreaterThan(before)
  })

  it('starts anew with a claim, and a note does not stop it', async () => {
    const { one, clock, db } = world
    const conversationId = await steps.queued()
    clock.advance(HOUR_MS)
    await steps.act(claim, one.paula, conversationId)
    clock.advance(14 * MINUTE_MS)
    await db.store.transact(one.id, (tx) =>
      addNote(tx, { conversationId, staffId: one.paula.id, text: 'vou ver', clock }),
    )
    expect(await sweep()).toMatchObject({ returnedToQueue: 0 })
    clock.advance(MINUTE_MS)
    expect(await sweep()).toMatchObject({ returnedToQueue: 1 })
  })

  it('does not run for what the bot has answered', async () => {
    const { one, clock, db } = world
    const { conversationId } = await world.say(one, freshPhone(), 'oi')
    const [message] = await world.messages(one, conversationId)
    const uptoSeq = message?.seq ?? 0n
    await db.store.transact(one.id, (tx) => markAnswered(tx, { conversationId, uptoSeq, now: clock.now() }))
    await steps.act(takeOver, one.paula, conversationId)
    clock.advance(HOUR_MS)
    expect(await sweep()).toMatchObject({ returnedToQueue: 0 })
  })
})

describe('the clock of an idle conversation', () => {
  it('closes those of the bot and of people after 24 hours, never a queued one', async () => {
    const { one, clock, db } = world
    const { conversationId: ofBot } = await world.say(one, freshPhone(), 'oi')
    const ofPaula = await steps.assigned()
    await answer(ofPaula, 'resolvido')
    const waiting = await steps.queued()
    clock.advance(24 * HOUR_MS - 1)
    expect(await sweep()).toMatchObject({ closed: 0 })
    clock.advance(1)
    expect(await sweep()).toMatchObject({ closed: 2, returnedToQueue: 0 })
    const statuses = await Promise.all(
      [ofBot, ofPaula, waiting].map(async (id) => (await world.conversation(one, id)).status),
    )
    expect(statuses).toEqual(['closed', 'closed', 'queued'])
    const ended = await db.store.read(one.id, (reader) =>
      reader.handoff.findMany({ where: { conversationId: ofPaula } }),
    )
    expect(ended).toMatchObject([{ outcome: 'resolved' }])
  })
})

describe('the clock of a turn that nobody will take', () => {
  it('gives the conversation to a person after five minutes, once, and leaves alone what has a job', async () => {
    const { one, other, clock, channel } = world
    const { conversationId: lost } = await world.say(one, freshPhone(), 'quero um corte')
    const { conversationId: failed } = await world.say(one, freshPhone(), 'oi')
    const { conversationId: late } = await world.say(one, freshPhone(), 'oi')
    const { conversationId: elsewhere } = await world.say(other, freshPhone(), 'oi')
    await db().$executeRaw`delete from graphile_worker._private_jobs where key = ${`turn:${lost}`}`
    await db().$executeRaw`update graphile_worker._private_jobs set attempts = max_attempts
      where key = ${`turn:${failed}`}`
    clock.advance(5 * MINUTE_MS - 1)
    expect(await sweep()).toMatchObject({ givenUp: [] })
    clock.advance(1)
    const [first, second] = await Promise.all([sweep(), sweep()])
    const givenUp = [...first.givenUp, ...second.givenUp]
    expect(givenUp.toSorted(byId)).toEqual(
      [lost, failed].map((conversationId) => ({ tenantId: one.id, conversationId })).toSorted(byId),
    )
    expect(await sweep()).toMatchObject({ givenUp: [], failures: [] })
    expect(await world.conversation(one, lost)).toMatchObject({ status: 'queued', unread: 1 })
    expect(await world.conversation(one, late)).toMatchObject({ status: 'bot' })
    expect(await world.conversation(other, elsewhere)).toMatchObject({ status: 'bot' })
    const handoffs = await world.db.store.read(one.id, (reader) => reader.handoff.findMany())
    expect(handoffs).toHaveLength(2)
    for (const { reason } of handoffs) expect(reason).toBe('model_error')
    await world.drain(one, lost)
    expect(channel.takeTexts()).toEqual([expect.stringContaining('Uma pessoa da nossa equipe')])
  })

  const db = () => world.db.prisma
  const byId = (a: { conversationId: string }, b: { conversationId: string }) =>
    a.conversationId.localeCompare(b.conversationId)
})

describe('a conversation that cannot be moved on', () => {
  it('keeps no other of its tenant, of whatever clock, and no other tenant from being moved on', async () => {
    const { one, other, clock } = world
    const broken = [await steps.assigned(), await steps.assigned()]
    const silent = await steps.assigned()
    const { conversationId: elsewhere } = await world.say(other, freshPhone(), 'oi')
    const mend = await breakConversations(broken)
    clock.advance(HOUR_MS)
    const report = await sweep()
    expect(report).toMatchObject({ returnedToQueue: 1, closed: 0 })
    expect(report.failures.map(({ conversationId }) => conversationId).toSorted()).toEqual(broken.toSorted())
    expect(report.failures).toMatchObject(broken.map(() => ({ tenantId: one.id })))
    expect(await world.conversation(one, silent)).toMatchObject({ status: 'queued' })

    const { conversationId: idle } = await world.say(one, freshPhone(), 'oi')
    clock.advance(24 * HOUR_MS)
    expect(await sweep()).toMatchObject({ closed: 2 })
    expect(await world.conversation(one, idle)).toMatchObject({ status: 'closed' })
    expect(await world.conversation(other, elsewhere)).toMatchObject({ status: 'closed' })

    await mend()
    expect(await sweep()).toMatchObject({ returnedToQueue: 2, failures: [] })
  })

  /** Makes every change of these rows fail, until the returned function is called. */
  async function breakConversations(ids: readonly string[]): Promise<() => Promise<void>> {
    const { prisma } = world.db
    await prisma.$executeRaw`create table broken_rows as select unnest(${ids}::uuid[]) as id`
    await prisma.$executeRaw`create function break_row() returns trigger language plpgsql as $$ begin
      if exists (select from broken_rows where id = old.id) then raise exception 'broken row'; end if;
      return new;
    end $$`
    await prisma.$executeRaw`create trigger break_row before update on conversations
      for each row execute function break_row()`
    return async () => {
      await prisma.$executeRaw`drop trigger break_row on conversations`
      await prisma.$executeRaw`drop table broken_rows`
    }
  }
})

describe('the metrics of handoffs', () => {
  it('count by local day and reason, and tell how long people took', async () => {
    const { one, other, clock, db } = world
    const metrics = (tenantId: string, from: string, to: string) =>
      db.store.read(tenantId, async (reader) =>
        handoffMetrics(reader, { profile: await loadTenantProfile(reader), from, to }),
      )
    expect(await metrics(one.id, '2026-11-30', '2026-12-01')).toEqual({
      items: [],
      firstReplySeconds: { p50: null, p90: null },
      resolutionSeconds: { p50: null, p90: null },
      botOnlyShare: null,
    })
    // 18:50 in São Paulo, ten minutes before the people go: the night does not count.
    clock.set(Date.parse('2026-11-30T21:50:00Z'))
    const first = await steps.queued()
    const { conversationId: second } = await world.say(one, freshPhone(), 'oi')
    await steps.handOff(second, 'step_limit')
    await world.say(one, freshPhone(), 'oi')
    await addRuns()
    clock.set(Date.parse('2026-12-01T11:05:00Z'))
    await steps.act(claim, one.paula, first)
    await answer(first, 'bom dia!')
    clock.advance(10 * MINUTE_MS)
    await steps.act(resolve, one.paula, first)
    const { conversationId: third } = await world.say(one, freshPhone(), 'oi')
    await steps.act(takeOver, one.paula, third)
    await answer(third, 'sou eu')
    expect(await metrics(one.id, '2026-11-30', '2026-12-01')).toEqual({
      items: [
        { date: '2026-11-30', reason: 'customer_request', count: 1 },
        { date: '2026-11-30', reason: 'step_limit', count: 1 },
        { date: '2026-12-01', reason: 'staff_takeover', count: 1 },
      ],
      firstReplySeconds: { p50: 15 * 60, p90: 15 * 60 },
      resolutionSeconds: { p50: 13 * 3_600 + 25 * 60, p90: 13 * 3_600 + 25 * 60 },
      botOnlyShare: 1 / 4,
    })
    expect((await metrics(one.id, '2026-12-01', '2026-12-01')).items).toHaveLength(1)
    expect((await metrics(other.id, '2026-11-30', '2026-12-01')).items).toEqual([])
  })

  /** The bot took a turn in every conversation there is. */
  async function addRuns(): Promise<void> {
    const { one, clock, db } = world
    await db.store.transact(one.id, async (tx) => {
      for (const { id: conversationId, ownerEpoch } of await tx.conversation.findMany()) {
        await tx.run.create({
          data: {
            tenantId: one.id,
            id: newId(),
            conversationId,
            ownerEpoch,
            status: 'completed',
            model: 'scripted',
            uptoSeq: 0,
            opening: [],
            startedAt: new Date(clock.now()),
          },
        })
      }
    })
  }
})
