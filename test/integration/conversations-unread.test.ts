import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { markAnswered } from '../../src/conversations/unread.ts'
import { sql } from '../../src/db/index.ts'
import { claim, resolve, returnToBot, takeOver } from '../../src/handoff/ownership.ts'
import { phoneTakeOver } from '../../src/handoff/phone-take-over.ts'
import { sweepConversations } from '../../src/handoff/sweep-conversations.ts'
import { addNote, markRead, reply } from '../../src/handoff/write-as-staff.ts'
import { AppError } from '../../src/shared/app-error.ts'
import { loadTenantProfile } from '../../src/tenancy/tenant-profile.ts'
import {
  type ConversationHarness,
  createConversationHarness,
  freshPhone,
  inbound,
  type StaffedTenant,
} from '../support/conversation-harness.ts'
import { handoffSteps, releaseStep } from '../support/handoff-steps.ts'

const EVENTS = [
  'customer',
  'bot_answers',
  'bot_writes',
  'hand_off',
  'claim',
  'take_over',
  'release',
  'return_to_bot',
  'resolve',
  'reply',
  'note',
  'read',
  'phone',
  'drain',
  'hour',
  'day',
] as const
type Event = (typeof EVENTS)[number]

let world: ConversationHarness
let steps: ReturnType<typeof handoffSteps>

beforeAll(async () => {
  world = await createConversationHarness()
  steps = handoffSteps(world)
})
afterAll(() => world.close())

describe('after any sequence of what can happen to a conversation', () => {
  it('unread equals a recount, one handoff is open exactly while people have it, and no bot message is overtaken', async () => {
    const sequences = fc.array(fc.tuple(fc.constantFrom(...EVENTS), fc.boolean()), {
      minLength: 5,
      maxLength: 25,
    })
    await fc.assert(
      fc.asyncProperty(sequences, async (sequence) => {
        const phones = { true: freshPhone(), false: freshPhone() }
        for (const [event, isOne] of sequence) {
          const tenant = isOne ? world.one : world.other
          await happen(event, tenant, phones[`${isOne}`])
          await checkInvariants(world.one)
          await checkInvariants(world.other)
        }
      }),
      { numRuns: 12, seed: 20_261_130 },
    )
  }, 120_000)
})

async function happen(event: Event, tenant: StaffedTenant, phone: string): Promise<void> {
  const { conversationId } = await world.say(tenant, phone, 'oi')
  const { clock, db } = world
  const { paula, owner } = tenant
  const staffId = paula.id
  const transact = db.store.transact
  const moves: Readonly<Record<Event, () => Promise<unknown>>> = {
    customer: () => world.say(tenant, phone, 'oi de novo'),
    bot_answers: () => answerAll(tenant, conversationId),
    bot_writes: async () => {
      const { status } = await world.conversation(tenant, conversationId)
      return status === 'bot' ? world.botSays(tenant, conversationId, 'Olá!') : undefined
    },
    hand_off: () => steps.handOff(conversationId, 'step_limit', tenant),
    claim: () => steps.act(claim, paula, conversationId, tenant),
    take_over: () => steps.act(takeOver, paula, conversationId, tenant),
    release: () => steps.act(releaseStep, owner, conversationId, tenant),
    return_to_bot: () => steps.act(returnToBot, owner, conversationId, tenant),
    resolve: () => steps.act(resolve, owner, conversationId, tenant),
    reply: () =>
      transact(tenant.id, (tx) =>
        reply(tx, { conversationId, staffId, content: { text: 'já vejo' }, clock }),
      ),
    note: () => transact(tenant.id, (tx) => addNote(tx, { conversationId, staffId, text: 'nota', clock })),
    read: () => transact(tenant.id, (tx) => markRead(tx, { conversationId, clock })),
    phone: () => {
      const { startsTurn: _starts, debounceMs: _debounce, ...echo } = inbound(tenant, phone, 'eu', clock)
      return transact(tenant.id, (tx) => phoneTakeOver(tx, echo))
    },
    drain: () => world.drain(tenant, conversationId),
    hour: () => pass(3_600_000),
    day: () => pass(24 * 3_600_000),
  }
  try {
    await moves[event]()
  } catch (error) {
    // A step that the state does not allow is refused and changes nothing.
    if (!(error instanceof AppError)) throw error
  }
}

async function pass(milliseconds: number): Promise<void> {
  world.clock.advance(milliseconds)
  const { store } = world.db
  const report = await sweepConversations({ store, loadProfile: loadTenantProfile, clock: world.clock })
  expect(report.failures).toEqual([])
}

async function answerAll(tenant: StaffedTenant, conversationId: string): Promise<void> {
  const { status } = await world.conversation(tenant, conversationId)
  if (status !== 'bot') return
  const uptoSeq = (await world.messages(tenant, conversationId)).at(-1)?.seq ?? 0n
  await world.db.store.transact(tenant.id, (tx) =>
    markAnswered(tx, { conversationId, uptoSeq, now: world.clock.now() }),
  )
}

async function checkInvariants(tenant: StaffedTenant): Promise<void> {
  await world.db.store.read(tenant.id, async (reader) => {
    for (const { id, unread, status, assigneeId } of await reader.conversation.findMany()) {
      const waiting = { conversationId: id, direction: 'in', answeredAt: null, seenByStaffAt: null }
      expect(unread).toBe(await reader.message.count({ where: waiting }))
      const open = await reader.handoff.count({ where: { conversationId: id, endedAt: null } })
      expect(open).toBe(status === 'queued' || status === 'assigned' ? 1 : 0)
      if (status !== 'assigned') expect(assigneeId).toBeNull()
      const awaiting = await reader.message.count({ where: { conversationId: id, awaitsTurn: true } })
      if (status !== 'bot') expect(awaiting).toBe(0)
    }
    const overtaken = await reader.$queryRaw(sql`select o.id from outbox o
      join conversations c on c.tenant_id = o.tenant_id and c.id = o.conversation_id
      where o.state = 'pending' and o.owner_epoch is not null and o.owner_epoch <> c.owner_epoch`)
    expect(overtaken).toEqual([])
  })
}
