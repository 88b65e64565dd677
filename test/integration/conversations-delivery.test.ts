import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lockConversation } from '../../src/conversations/conversation-row.ts'
import { writeOutbound } from '../../src/conversations/outbox.ts'
import { changeOwner } from '../../src/conversations/owner.ts'
import { applyStatus, type DeliveryStatus } from '../../src/conversations/statuses.ts'
import { claim } from '../../src/handoff/ownership.ts'
import { newId } from '../../src/shared/ids.ts'
import {
  type ConversationHarness,
  createConversationHarness,
  freshPhone,
} from '../support/conversation-harness.ts'

const error = { code: 131_000, detail: 'something went wrong' }
const MINUTE_MS = 60_000

let world: ConversationHarness

beforeAll(async () => {
  world = await createConversationHarness()
})
afterAll(() => world.close())

async function conversationWith(...texts: string[]): Promise<string> {
  const { conversationId } = await world.say(world.one, freshPhone(), 'oi')
  for (const text of texts) await world.botSays(world.one, conversationId, text)
  world.channel.takeTexts()
  return conversationId
}

async function statusesOf(conversationId: string): Promise<string[]> {
  const messages = await world.messages(world.one, conversationId)
  return messages.filter(({ direction }) => direction === 'out').map(({ status }) => status)
}

describe('a bot message never follows a change of owner', () => {
  const handOver = (conversationId: string) =>
    world.db.store.transact(world.one.id, async (tx) => {
      const conversation = await lockConversation(tx, conversationId)
      await changeOwner(tx, conversation, { kind: 'handoff' }, world.clock.now())
      await claim(tx, { conversationId, actor: world.one.paula, clock: world.clock })
    })

  it('when it was still waiting', async () => {
    const conversationId = await conversationWith('um')
    await handOver(conversationId)
    await world.drain(world.one, conversationId)
    expect(world.channel.takeTexts()).toEqual([])
    expect(await statusesOf(conversationId)).toEqual(['canceled'])
  })

  it('when the first of two is in the air: the second does not leave', async () => {
    const conversationId = await conversationWith('um', 'dois')
    world.channel.answerNext(async () => {
      await handOver(conversationId)
      return { kind: 'accepted', wamid: `wamid.${newId()}` }
    })
    await world.drain(world.one, conversationId)
    expect(world.channel.takeTexts()).toEqual(['um'])
    expect(await statusesOf(conversationId)).toEqual(['sent', 'canceled'])
  })

  it('when it was in the air and has to be tried again', async () => {
    const conversationId = await conversationWith('um')
    world.channel.answerNext(async () => {
      await handOver(conversationId)
      return { kind: 'retry', error, maxAttempts: 5 }
    })
    await world.drain(world.one, conversationId)
    world.clock.advance(MINUTE_MS)
    await world.drain(world.one, conversationId)
    expect(world.channel.takeTexts()).toEqual(['um'])
    expect(await statusesOf(conversationId)).toEqual(['canceled'])
  })

  it('when the claim and the drain race', async () => {
    for (let round = 0; round < 15; round += 1) {
      const conversationId = await conversationWith('um', 'dois', 'três')
      let claimedAfter: number | null = null
      const racing = handOver(conversationId).then(() => {
        claimedAfter = world.channel.requests.length
      })
      await Promise.all([racing, world.drain(world.one, conversationId)])
      const sent = world.channel.takeTexts().length
      const statuses = await statusesOf(conversationId)
      expect(statuses.filter((status) => status === 'sent')).toHaveLength(sent)
      expect(statuses.filter((status) => status === 'canceled')).toHaveLength(3 - sent)
      // One may have been marked as sending before the claim committed, and reach the channel just after.
      expect(sent - (claimedAfter ?? 0)).toBeLessThanOrEqual(1)
    }
  })

  it('but what a person wrote is sent whoever owns the conversation', async () => {
    const { db, one, clock, channel } = world
    const conversationId = await conversationWith()
    await db.store.transact(one.id, async (tx) => {
      const conversation = await lockConversation(tx, conversationId)
      const content = { kind: 'text' as const, text: 'sou eu, a Paula' }
      await writeOutbound(tx, { conversation, author: 'staff', content, ownerEpoch: null, clock })
    })
    await handOver(conversationId)
    await world.drain(one, conversationId)
    expect(channel.takeTexts()).toEqual(['sou eu, a Paula'])
  })
})

describe('a delivery status', () => {
  async function sentMessage() {
    const conversationId = await conversationWith('um')
    await world.drain(world.one, conversationId)
    world.channel.takeTexts()
    const message = (await world.messages(world.one, conversationId)).at(-1)
    if (message === undefined || message.wamid === null) throw new Error('nothing was sent')
    return { conversationId, id: message.id, wamid: message.wamid }
  }
  const apply = (wamid: string, status: DeliveryStatus['status'], more: Partial<DeliveryStatus> = {}) =>
    world.db.store.transact(world.one.id, (tx) =>
      applyStatus(tx, {
        channelId: world.one.channelId,
        wamid,
        status,
        at: world.clock.now(),
        errors: [],
        ...more,
      }),
    )
  const find = async (conversationId: string) => (await world.messages(world.one, conversationId)).at(-1)

  it('only ever raises the message, and each keeps its own time', async () => {
    const { conversationId, wamid } = await sentMessage()
    const at = world.clock.now()
    expect(await apply(wamid, 'read', { at: at + 3_000 })).toMatchObject({ kind: 'applied' })
    expect(await apply(wamid, 'delivered', { at: at + 2_000 })).toMatchObject({ kind: 'stale' })
    expect(await apply(wamid, 'sent', { at: at + 1_000 })).toMatchObject({ kind: 'stale' })
    expect(await find(conversationId)).toMatchObject({
      status: 'read',
      sentAt: new Date(at + 1_000),
      deliveredAt: new Date(at + 2_000),
      readAt: new Date(at + 3_000),
    })
  })

  it('of failure stands against a late sent', async () => {
    const { conversationId, wamid } = await sentMessage()
    await apply(wamid, 'failed', { errors: [{ code: 131_026, detail: 'undeliverable' }] })
    await apply(wamid, 'sent')
    expect(await find(conversationId)).toMatchObject({ status: 'failed', errorCode: 131_026 })
  })

  it('finds a message whose wamid nobody knows by our own id, and settles its row', async () => {
    const conversationId = await conversationWith('um')
    world.channel.answerNext({ kind: 'unknown', error })
    await world.drain(world.one, conversationId)
    const ourId = (await find(conversationId))?.id ?? ''
    const wamid = `wamid.${newId()}`
    expect(await apply(wamid, 'delivered', { ourId })).toMatchObject({ kind: 'applied', conversationId })
    expect(await find(conversationId)).toMatchObject({ status: 'delivered', wamid, errorCode: null })
    world.clock.advance(10 * MINUTE_MS)
    await world.drain(world.one, conversationId)
    expect(world.channel.takeTexts()).toEqual(['um'])
  })

  it('that is faster than the answer of the send is not undone by it', async () => {
    const conversationId = await conversationWith('um')
    const wamid = `wamid.${newId()}`
    world.channel.answerNext(async ({ messageId }) => {
      await apply(wamid, 'delivered', { ourId: messageId })
      return { kind: 'accepted', wamid }
    })
    await world.drain(world.one, conversationId)
    expect(await find(conversationId)).toMatchObject({ status: 'delivered', wamid })
  })

  it('is unmatched for a message of nobody, or of another tenant', async () => {
    const { id, wamid } = await sentMessage()
    expect(await apply(`wamid.${newId()}`, 'sent', { ourId: 'not-an-id' })).toEqual({ kind: 'unmatched' })
    const { other, db, clock } = world
    const foreign = { channelId: other.channelId, wamid, ourId: id, at: clock.now(), errors: [] }
    const result = await db.store.transact(other.id, (tx) => applyStatus(tx, { ...foreign, status: 'read' }))
    expect(result).toEqual({ kind: 'unmatched' })
  })
})
