import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getConversation, toConversationDto } from '../../src/conversations/conversation-view.ts'
import { AlreadyClaimedError } from '../../src/handoff/errors.ts'
import { claim, resolve, returnToBot, takeOver } from '../../src/handoff/ownership.ts'
import { phoneTakeOver } from '../../src/handoff/phone-take-over.ts'
import { asksForBot, resumeBot } from '../../src/handoff/resume-bot.ts'
import { addNote } from '../../src/handoff/write-as-staff.ts'
import {
  type ConversationHarness,
  createConversationHarness,
  DEBOUNCE_MS,
  freshPhone,
  inbound,
} from '../support/conversation-harness.ts'
import { handoffSteps, releaseStep } from '../support/handoff-steps.ts'

const MINUTE_MS = 60_000
let world: ConversationHarness
let steps: ReturnType<typeof handoffSteps>

beforeAll(async () => {
  world = await createConversationHarness()
  steps = handoffSteps(world)
})
afterAll(() => world.close())

describe('a handoff', () => {
  it('queues the conversation, raises the epoch, and leaves the messages to the staff', async () => {
    const { db, one, clock } = world
    const { conversationId } = await world.say(one, freshPhone(), 'quero falar com alguém')
    clock.advance(MINUTE_MS)
    const before = await world.conversation(one, conversationId)
    const { conversation, handoff } = await steps.handOff(conversationId)
    expect(conversation).toMatchObject({ status: 'queued', ownerEpoch: before.ownerEpoch + 1, unread: 1 })
    expect(conversation.queuedAt).toEqual(before.lastInboundAt)
    expect(handoff.firstReplyDueAt?.getTime()).toBe(clock.now() - MINUTE_MS + 10 * MINUTE_MS)
    expect(await world.messages(one, conversationId)).toMatchObject([{ awaitsTurn: false, answeredAt: null }])
    const dto = await steps.act(claim, one.paula, conversationId)
    expect(toConversationDto(dto, 'America/Sao_Paulo', clock.now())).toMatchObject({
      status: 'assigned',
      assignee: { id: one.paula.id, name: 'paula' },
      handoff: { reason: 'customer_request', summary: 'quer um desconto' },
    })
    await expect(steps.handOff(conversationId)).rejects.toMatchObject({ code: 'wrong_state' })
    expect(await db.store.read(world.other.id, (reader) => reader.handoff.count())).toBe(0)
  })

  it('starts no turn for what comes while people have it', async () => {
    const { one } = world
    const phone = freshPhone()
    const conversationId = await steps.queued(phone)
    expect(await world.say(one, phone, 'alô?')).toMatchObject({ status: 'queued', awaitsTurn: false })
    await steps.act(claim, one.paula, conversationId)
    expect(await world.say(one, phone, 'oi?')).toMatchObject({ status: 'assigned', awaitsTurn: false })
    expect(await world.conversation(one, conversationId)).toMatchObject({ unread: 3 })
  })
})

describe('a claim', () => {
  it('of 50 at once has one winner, and the others learn who', async () => {
    const { one } = world
    const conversationId = await steps.queued()
    const people = [one.owner, one.paula, one.rita]
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, (_, index) =>
        steps.act(claim, people[index % 3] ?? one.owner, conversationId),
      ),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const { assigneeId } = await world.conversation(one, conversationId)
    for (const result of results) {
      if (result.status === 'fulfilled') continue
      expect(result.reason).toBeInstanceOf(AlreadyClaimedError)
      expect(result.reason).toMatchObject({
        code: 'already_claimed',
        facts: { assignee: { id: assigneeId } },
      })
    }
  })

  it('of what the bot has, or nobody, is refused', async () => {
    const { one } = world
    const { conversationId } = await world.say(one, freshPhone(), 'oi')
    await expect(steps.act(claim, one.paula, conversationId)).rejects.toMatchObject({ code: 'wrong_state' })
    const mine = await steps.assigned()
    await steps.act(resolve, one.paula, mine)
    await expect(steps.act(claim, one.paula, mine)).rejects.toMatchObject({ code: 'wrong_state' })
  })
})

describe('the way back', () => {
  it('to the queue is for the assignee or an owner', async () => {
    const { one } = world
    const conversationId = await steps.assigned()
    await expect(steps.act(releaseStep, one.rita, conversationId)).rejects.toMatchObject({
      code: 'wrong_state',
    })
    expect(await steps.act(releaseStep, one.owner, conversationId)).toMatchObject({
      status: 'queued',
      assignee: null,
      handoffs: [{ reason: 'customer_request' }],
    })
    await expect(steps.act(releaseStep, one.owner, conversationId)).rejects.toMatchObject({
      code: 'wrong_state',
    })
  })

  it('to the bot is for anyone from the queue, for the assignee or an owner otherwise', async () => {
    const { one } = world
    expect(await steps.act(returnToBot, one.rita, await steps.queued())).toMatchObject({
      status: 'bot',
      handoffs: [],
    })
    const conversationId = await steps.assigned()
    await expect(steps.act(returnToBot, one.rita, conversationId)).rejects.toMatchObject({
      code: 'wrong_state',
    })
    expect(await steps.act(returnToBot, one.paula, conversationId)).toMatchObject({ status: 'bot' })
    await expect(steps.act(returnToBot, one.owner, conversationId)).rejects.toMatchObject({
      code: 'wrong_state',
    })
  })

  it('leaves the bot the next message, not the old ones', async () => {
    const { one } = world
    const phone = freshPhone()
    const conversationId = await steps.assigned(phone)
    await steps.act(returnToBot, one.paula, conversationId)
    expect((await world.messages(one, conversationId)).some(({ awaitsTurn }) => awaitsTurn)).toBe(false)
    expect(await world.say(one, phone, 'e agora?')).toMatchObject({ status: 'bot', awaitsTurn: true })
  })

  it('ends in closed when it is resolved, and the next message opens it for the bot', async () => {
    const { db, one } = world
    const phone = freshPhone()
    const conversationId = await steps.assigned(phone)
    const { ownerEpoch } = await steps.act(resolve, one.paula, conversationId)
    expect(await world.say(one, phone, 'mais uma coisa')).toMatchObject({ status: 'bot', awaitsTurn: true })
    expect((await world.conversation(one, conversationId)).ownerEpoch).toBe(ownerEpoch + 1)
    const rows = await db.store.read(one.id, (reader) =>
      reader.handoff.findMany({ where: { conversationId } }),
    )
    expect(rows).toMatchObject([{ outcome: 'resolved', staffId: one.paula.id }])
  })

  it('by the customer is one word, from the queue alone', async () => {
    const { db, one, clock } = world
    const phone = freshPhone()
    const conversationId = await steps.queued(phone)
    const { messageId } = await world.say(one, phone, 'Assistente.')
    const resume = () =>
      db.store.transact(one.id, (tx) =>
        resumeBot(tx, { conversationId, messageId, debounceMs: DEBOUNCE_MS, clock }),
      )
    expect(await resume()).toBe(true)
    expect(await world.conversation(one, conversationId)).toMatchObject({ status: 'bot' })
    expect(await world.messages(one, conversationId)).toMatchObject([
      { awaitsTurn: false },
      { awaitsTurn: true },
    ])
    expect(await resume(), 'the bot has it already').toBe(false)
    expect(asksForBot('pt-BR', '*assistente*')).toBe(true)
    expect(asksForBot('pt-BR', 'não quero o assistente')).toBe(false)
    expect(asksForBot('es', null)).toBe(false)
  })
})

describe('a take-over', () => {
  it('goes straight to the caller from any state', async () => {
    const { one } = world
    const phone = freshPhone()
    const { conversationId } = await world.say(one, phone, 'oi')
    expect(await steps.act(takeOver, one.paula, conversationId)).toMatchObject({
      status: 'assigned',
      assignee: { name: 'paula' },
      handoffs: [{ reason: 'staff_takeover', firstReplyDueAt: null }],
    })
    const { ownerEpoch } = await steps.act(takeOver, one.paula, conversationId)
    expect(await steps.act(takeOver, one.rita, conversationId)).toMatchObject({
      assignee: { name: 'rita' },
      ownerEpoch: ownerEpoch + 1,
    })
    await steps.act(resolve, one.rita, conversationId)
    expect(await steps.act(takeOver, one.owner, conversationId)).toMatchObject({ assignee: { name: 'dona' } })
    expect(await steps.act(takeOver, one.rita, await steps.queued())).toMatchObject({
      handoffs: [{ reason: 'customer_request' }],
    })
  })

  it('by the phone assigns to nobody, and anybody may claim then', async () => {
    const { db, one, clock } = world
    const phone = freshPhone()
    const {
      startsTurn: _starts,
      debounceMs: _debounce,
      ...echo
    } = inbound(one, phone, 'aqui é a Paula', clock)
    const take = () => db.store.transact(one.id, (tx) => phoneTakeOver(tx, echo))
    const { conversationId } = await take()
    expect(await take()).toMatchObject({ kind: 'duplicate' })
    const taken = await steps.act(
      (tx, step) => addNote(tx, { ...step, staffId: one.rita.id, text: 'vi' }),
      one.rita,
      conversationId,
    )
    expect(taken).toMatchObject({ direction: 'note', author: 'staff' })
    expect(await world.messages(one, conversationId)).toMatchObject([
      { direction: 'out', author: 'staff', status: 'sent' },
      { direction: 'note' },
    ])
    expect(await world.say(one, phone, 'oi Paula')).toMatchObject({ status: 'assigned', awaitsTurn: false })
    const view = await steps.act(claim, one.rita, conversationId)
    expect(view).toMatchObject({ assignee: { name: 'rita' }, handoffs: [{ reason: 'phone_takeover' }] })
  })

  it('by the phone of what waits is shown as such', async () => {
    const { db, one, clock } = world
    const phone = freshPhone()
    const conversationId = await steps.queued(phone)
    await world.botSays(one, conversationId, 'uma pessoa já vem')
    const { startsTurn: _starts, debounceMs: _debounce, ...echo } = inbound(one, phone, 'oi!', clock)
    await db.store.transact(one.id, (tx) => phoneTakeOver(tx, echo))
    const view = await steps.act((tx) => getConversation(tx, conversationId), one.paula, conversationId)
    if (view === null) throw new Error('no conversation')
    expect(toConversationDto(view, 'America/Sao_Paulo', world.clock.now())).toMatchObject({
      status: 'assigned',
      assignee: null,
      handoff: { reason: 'phone_takeover' },
      unread: 0,
    })
    await world.drain(one, conversationId)
    expect(world.channel.takeTexts()).toEqual([])
  })
})
