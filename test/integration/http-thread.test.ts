import type { FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { messageDtoSchema } from '../../src/contracts/staff-api.ts'
import { recordChange } from '../../src/conversations/message-changes.ts'
import type { InboundMessage } from '../../src/conversations/record-inbound.ts'
import { jsonInput } from '../../src/db/index.ts'
import { claim } from '../../src/handoff/ownership.ts'
import { createLiveHub, type LiveHub } from '../../src/live/live-hub.ts'
import { messageContent } from '../../src/whatsapp/message-content.ts'
import { parseMessage } from '../../src/whatsapp/webhook-message.ts'
import {
  type ConversationHarness,
  createConversationHarness,
  freshPhone,
} from '../support/conversation-harness.ts'
import { type EventSourceClient, openEvents } from '../support/event-source.ts'
import { handoffSteps } from '../support/handoff-steps.ts'
import { loggedIn, type Send, testApp, tokenOf } from '../support/http-harness.ts'

let world: ConversationHarness
let steps: ReturnType<typeof handoffSteps>
let app: FastifyInstance
let hub: LiveHub
let address: string
let paula: Send
let rita: Send
let stranger: Send
const clients: EventSourceClient[] = []

beforeAll(async () => {
  world = await createConversationHarness()
  steps = handoffSteps(world)
  hub = createLiveHub({ databaseUrl: world.db.url, onLost: () => undefined })
  app = await testApp(world.db.store, { clock: world.clock, live: hub })
  address = await app.listen({ host: '127.0.0.1', port: 0 })
  paula = await loggedIn(app, world.one.slug, 'paula@example.com')
  rita = await loggedIn(app, world.one.slug, 'rita@example.com')
  stranger = await loggedIn(app, world.other.slug, 'paula@example.com')
})
afterEach(() => {
  for (const client of clients.splice(0)) client.cut()
})
afterAll(async () => {
  await app.close()
  await hub.close()
  await world.close()
})

/** A message of Meta's own shape, stored as the ingest stores it. */
async function receive(type: string, content: unknown, fields: object = {}, phone = freshPhone()) {
  const message = parseMessage({
    id: 'wamid.any',
    from: phone,
    timestamp: '1',
    type,
    [type]: content,
    ...fields,
  })
  if (message === null) throw new Error('no message')
  const stored = messageContent(message, { actionSecret: 's', mediaWaitMs: 0, transcriptWaitMs: null })
  const { text, payload, media } = stored
  const more: Partial<InboundMessage> = { type, payload, media }
  const recorded = await world.say(world.one, phone, '', { ...more, text })
  const { body } = await paula('GET', `/v1/conversations/${recorded.conversationId}/messages?limit=1`)
  const [shown] = z.array(messageDtoSchema).parse(body['items'])
  return { ...recorded, shown }
}

async function listen(): Promise<EventSourceClient> {
  const token = await tokenOf(app, world.one.slug, 'paula@example.com')
  const client = await openEvents(address, { authorization: `Bearer ${token}` })
  clients.push(client)
  return client
}

describe('what the thread shows of a message', () => {
  it('is the place, the cards and the order that were sent', async () => {
    const place = { latitude: -23.5, longitude: -46.6, name: 'Casa', address: 'Av. Paulista, 1000' }
    expect((await receive('location', place)).shown).toMatchObject({
      location: place,
      contacts: [],
      order: null,
    })
    const card = [{ name: { formatted_name: 'Lúcia' }, phones: [{ phone: '+55 11 97777-6666' }] }]
    expect((await receive('contacts', card)).shown).toMatchObject({
      location: null,
      contacts: [{ name: 'Lúcia', phones: ['+55 11 97777-6666'] }],
    })
    const order = { catalog_id: '1', product_items: [{}, {}], text: 'Reserva?' }
    expect((await receive('order', order)).shown).toMatchObject({ order: { itemCount: 2 }, text: 'Reserva?' })
  })

  it('is the ad that the customer came from, and that a message was passed on', async () => {
    const referral = { source_url: 'https://fb.me/a', headline: 'Corte', body: 'Só hoje', ctwa_clid: 'x' }
    const { shown } = await receive('text', { body: 'oi' }, { referral, context: { forwarded: true } })
    expect(shown).toMatchObject({
      referral: { url: 'https://fb.me/a', headline: 'Corte', body: 'Só hoje' },
      forwarded: true,
    })
  })

  it('is nothing where the stored form is not what it should be', async () => {
    const payload = jsonInput({ content: { type: 'location', latitude: 'north' }, raw: {} })
    const { conversationId } = await world.say(world.one, freshPhone(), '', { type: 'location', payload })
    const { body } = await paula('GET', `/v1/conversations/${conversationId}/messages`)
    expect(body['items']).toMatchObject([{ type: 'location', location: null }])
  })
})

describe('an open page hears', () => {
  it('that a file arrived, what was said in it, of reactions, edits and what was taken back', async () => {
    const phone = freshPhone()
    const { conversationId, messageId, shown } = await receive(
      'audio',
      { id: 'm-1', mime_type: 'audio/ogg', voice: true },
      {},
      phone,
    )
    const media = shown?.media
    expect(media).toMatchObject({ kind: 'audio', state: 'pending', voice: true })
    const client = await listen()
    const { one, db, clock } = world
    const where = { tenantId_id: { tenantId: one.id, id: media?.id ?? '' } }
    const heard = async (expected: object) => {
      await expect
        .poll(() => client.events.at(-1)?.data, { timeout: 5_000 })
        .toMatchObject({
          conversationId,
          message: { id: messageId, ...expected },
        })
    }
    await db.store.transact(one.id, (tx) =>
      tx.media.update({ where, data: { state: 'stored', contentType: 'audio/ogg', sizeBytes: 9 } }),
    )
    await heard({ media: { state: 'stored', contentType: 'audio/ogg' } })
    await db.store.transact(one.id, (tx) => tx.media.update({ where, data: { transcript: 'quero marcar' } }))
    await heard({ media: { transcript: 'quero marcar' } })
    const { wamid } = (await world.messages(one, conversationId)).at(-1) ?? { wamid: null }
    const change = async (kind: 'reaction' | 'edit' | 'revoke', content: string | null) => {
      clock.advance(1_000)
      await db.store.transact(one.id, (tx) =>
        recordChange(tx, {
          channelId: one.channelId,
          wamid: `wamid.${kind}`,
          targetWamid: wamid ?? '',
          kind,
          author: 'customer',
          content,
          sentAt: clock.now(),
        }),
      )
    }
    await change('reaction', '❤️')
    await heard({ reactions: [{ author: 'customer', emoji: '❤️' }] })
    await change('edit', null)
    await heard({ editedAt: expect.any(String) })
    await change('revoke', null)
    await heard({ revokedAt: expect.any(String), media: null, text: null })
  })
})

describe('the counts', () => {
  it('are of all conversations of the tenant, and follow whoever takes one', async () => {
    const before = (await rita('GET', '/v1/conversations/counts')).body
    const queued = z
      .object({ queued: z.object({ conversations: z.int(), unread: z.int() }) })
      .parse(before).queued
    const ids = await Promise.all(Array.from({ length: 55 }, () => steps.queued()))
    const [taken = ''] = ids
    await steps.act(claim, world.one.rita, taken)
    await world.db.store.transact(world.one.id, (tx) =>
      tx.conversation.update({
        where: { tenantId_id: { tenantId: world.one.id, id: ids[1] ?? '' } },
        data: { unread: 4 },
      }),
    )
    expect((await rita('GET', '/v1/conversations/counts')).body).toMatchObject({
      queued: { conversations: queued.conversations + 54, unread: queued.unread + 57 },
      mine: { conversations: 1, unread: 1 },
      assigned: { conversations: 1, unread: 1 },
    })
    expect((await paula('GET', '/v1/conversations/counts')).body).toMatchObject({
      mine: { conversations: 0, unread: 0 },
      assigned: { conversations: 1 },
    })
    const none = { conversations: 0, unread: 0 }
    expect((await stranger('GET', '/v1/conversations/counts')).body).toEqual({
      queued: none,
      mine: none,
      assigned: none,
      bot: none,
    })
  })
})
