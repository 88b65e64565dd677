import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rekeyCustomer, resolveCustomer } from '../../src/conversations/customers.ts'
import { recordInbound } from '../../src/conversations/record-inbound.ts'
import { recordOutside } from '../../src/conversations/record-outside.ts'
import { markAnswered } from '../../src/conversations/unread.ts'
import {
  bsuidIdentity,
  type ConversationHarness,
  createConversationHarness,
  DEBOUNCE_MS,
  freshPhone,
  inbound,
  phoneIdentity,
} from '../support/conversation-harness.ts'

let world: ConversationHarness

beforeAll(async () => {
  world = await createConversationHarness()
})
afterAll(() => world.close())

describe('an inbound message', () => {
  it('has one effect, also when it comes 20 times at once', async () => {
    const { db, one, other, clock } = world
    const message = inbound(one, freshPhone(), 'oi', clock)
    const results = await Promise.all(
      Array.from({ length: 20 }, () => db.store.transact(one.id, (tx) => recordInbound(tx, message))),
    )
    expect(results.filter(({ kind }) => kind === 'stored')).toHaveLength(1)
    expect(new Set(results.map(({ messageId }) => messageId)).size).toBe(1)
    const [result] = results
    if (result === undefined) throw new Error('no result')
    expect(await world.conversation(one, result.conversationId)).toMatchObject({ status: 'bot', unread: 1 })
    expect(await world.messages(one, result.conversationId)).toHaveLength(1)
    expect(await world.messages(other, result.conversationId)).toEqual([])
    expect(await world.jobs(result.conversationId)).toHaveLength(1)
    expect(await db.store.transact(one.id, (tx) => recordInbound(tx, message))).toMatchObject({
      kind: 'duplicate',
      messageId: result.messageId,
    })
  })

  it('of the same wamid and person is another one for another tenant', async () => {
    const { db, one, other, clock } = world
    const message = inbound(one, freshPhone(), 'oi', clock)
    const here = await db.store.transact(one.id, (tx) => recordInbound(tx, message))
    const there = await db.store.transact(other.id, (tx) =>
      recordInbound(tx, { ...message, channelId: other.channelId }),
    )
    expect([here.kind, there.kind]).toEqual(['stored', 'stored'])
    expect(there.conversationId).not.toBe(here.conversationId)
  })

  it('waits for quiet, but not past 8 s after the first: a burst is one job', async () => {
    const { one, clock } = world
    const phone = freshPhone()
    const { conversationId } = await world.say(one, phone, 'oi')
    const turn = async () => (await world.jobs(`turn:${conversationId}`)).map(({ delayMs }) => delayMs)
    expect(await turn()).toEqual([DEBOUNCE_MS])
    clock.advance(1_000)
    await world.say(one, phone, 'quero')
    expect(await turn()).toEqual([DEBOUNCE_MS])
    clock.advance(6_500)
    await world.say(one, phone, 'marcar')
    expect(await turn()).toEqual([500])
    clock.advance(1_000)
    await world.say(one, phone, 'corte')
    expect(await turn()).toEqual([0])
    expect(await world.messages(one, conversationId)).toMatchObject([
      { text: 'oi', awaitsTurn: true },
      { text: 'quero', awaitsTurn: true },
      { text: 'marcar', awaitsTurn: true },
      { text: 'corte', awaitsTurn: true },
    ])
  })

  it('starts no turn when it is older than 24 hours, nor opens the window', async () => {
    const { one, clock } = world
    const sentAt = clock.now() - 25 * 3_600_000
    const stored = await world.say(one, freshPhone(), 'ontem', { sentAt })
    expect(stored).toMatchObject({ kind: 'stored', awaitsTurn: false })
    expect(await world.jobs(stored.conversationId)).toEqual([])
    const conversation = await world.conversation(one, stored.conversationId)
    expect(conversation.lastInboundAt?.getTime()).toBe(sentAt)
    expect(conversation.lastMessageAt?.getTime()).toBe(clock.now())
  })

  it('of a kind that asks for no answer is unread and starts no turn', async () => {
    const { one } = world
    const stored = await world.say(one, freshPhone(), '', { type: 'unsupported', startsTurn: false })
    expect(await world.jobs(stored.conversationId)).toEqual([])
    expect(await world.conversation(one, stored.conversationId)).toMatchObject({ unread: 1 })
  })

  it('is answered to the form it came from', async () => {
    const { db, one, clock } = world
    const phone = freshPhone()
    const short = phone.slice(0, 4) + phone.slice(5)
    const first = await world.say(one, phone, 'oi')
    const message = { ...inbound(one, phone, 'oi de novo', clock), identities: [phoneIdentity(phone, short)] }
    const second = await db.store.transact(one.id, (tx) => recordInbound(tx, message))
    expect(second.conversationId).toBe(first.conversationId)
    expect(await world.conversation(one, first.conversationId)).toMatchObject({
      addressKind: 'phone',
      address: short,
    })
  })

  it('told from outside changes nothing but the thread', async () => {
    const { db, one, clock } = world
    const phone = freshPhone()
    const {
      debounceMs: _debounce,
      startsTurn: _starts,
      clock: _clock,
      ...message
    } = inbound(one, phone, 'antes', clock)
    const recorded = await db.store.transact(one.id, (tx) =>
      recordOutside(tx, { ...message, direction: 'in', isHistory: true }),
    )
    expect(recorded).toMatchObject({ kind: 'stored', conversation: { status: 'closed', unread: 0 } })
    const again = await db.store.transact(one.id, (tx) =>
      recordOutside(tx, { ...message, direction: 'in', isHistory: true }),
    )
    expect(again.kind).toBe('duplicate')
    expect(await world.jobs(recorded.conversation.id)).toEqual([])
    expect(await world.say(one, phone, 'agora')).toMatchObject({ status: 'bot', awaitsTurn: true })
  })
})

describe('unread', () => {
  it('falls when the bot has answered, up to what it answered', async () => {
    const { db, one, clock } = world
    const phone = freshPhone()
    const { conversationId } = await world.say(one, phone, 'um')
    await world.say(one, phone, 'dois')
    const [first] = await world.messages(one, conversationId)
    const uptoSeq = first?.seq ?? 0n
    await db.store.transact(one.id, (tx) => markAnswered(tx, { conversationId, uptoSeq, now: clock.now() }))
    expect(await world.conversation(one, conversationId)).toMatchObject({ unread: 1 })
    expect(await world.messages(one, conversationId)).toMatchObject([
      { awaitsTurn: false },
      { awaitsTurn: true },
    ])
  })
})

describe('a customer', () => {
  const resolve = (tenantId: string, ...args: [Parameters<typeof resolveCustomer>[1], string?]) =>
    world.db.store.transact(tenantId, (tx) => resolveCustomer(tx, ...args))

  it('is one, however many resolve them at once, and another for another tenant', async () => {
    const { one, other } = world
    const identities = [phoneIdentity(freshPhone()), bsuidIdentity('BR.1a')]
    const found = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        resolve(one.id, index % 2 === 0 ? identities : identities.toReversed(), 'Carla'),
      ),
    )
    expect(new Set(found.map(({ id }) => id)).size).toBe(1)
    expect(found[0]).toMatchObject({ name: 'Carla' })
    expect((await resolve(other.id, identities)).id).not.toBe(found[0]?.id)
  })

  it('keeps the name that is known', async () => {
    const identities = [phoneIdentity(freshPhone())]
    await resolve(world.one.id, identities, 'Carla')
    expect(await resolve(world.one.id, identities, 'Carlinha ✨')).toMatchObject({ name: 'Carla' })
  })

  it('known by number and by BSUID as two is found by the BSUID from then on', async () => {
    const { one, db } = world
    const phone = phoneIdentity(freshPhone())
    const bsuid = bsuidIdentity('BR.2b')
    const byPhone = await resolve(one.id, [phone], 'Carla')
    const byBsuid = await resolve(one.id, [bsuid])
    expect(byBsuid.id).not.toBe(byPhone.id)
    expect((await resolve(one.id, [phone, bsuid])).id).toBe(byBsuid.id)
    expect((await resolve(one.id, [phone])).id).toBe(byBsuid.id)
    expect(
      await db.store.read(one.id, (reader) => reader.customer.count({ where: { id: byPhone.id } })),
    ).toBe(1)
  })

  it('who changed the number stays the same, and the old number is free', async () => {
    const { one, other, db } = world
    const before = freshPhone()
    const after = freshPhone()
    const { conversationId } = await world.say(one, before, 'oi')
    const elsewhere = await world.say(other, before, 'oi')
    const customerId = await db.store.transact(one.id, (tx) =>
      rekeyCustomer(tx, { from: [phoneIdentity(before)], to: [phoneIdentity(after)] }),
    )
    expect(await world.conversation(one, conversationId)).toMatchObject({ customerId, address: after })
    expect((await world.say(one, after, 'número novo')).conversationId).toBe(conversationId)
    expect((await world.say(one, before, 'quem?')).conversationId).not.toBe(conversationId)
    expect((await world.say(other, before, 'eu')).conversationId).toBe(elsewhere.conversationId)
    const nobody = await db.store.transact(one.id, (tx) =>
      rekeyCustomer(tx, { from: [phoneIdentity(freshPhone())], to: [phoneIdentity(after)] }),
    )
    expect(nobody).toBeNull()
  })
})
