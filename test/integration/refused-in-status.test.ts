import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBooking } from '../../src/booking/create-booking.ts'
import { lockConversation } from '../../src/conversations/conversation-row.ts'
import type { OutboundContent } from '../../src/conversations/outbound-channel.ts'
import { writeOutbound } from '../../src/conversations/outbox.ts'
import { statusUpdate, webhookBody } from '../../src/demo/signed-webhook.ts'
import { loadSendState } from '../../src/tenancy/channel-sends.ts'
import { ingestWebhook } from '../../src/whatsapp/ingest-webhook.ts'
import {
  type ConversationHarness,
  createConversationHarness,
  freshPhone,
  type StaffedTenant,
} from '../support/conversation-harness.ts'

let world: ConversationHarness

beforeAll(async () => {
  world = await createConversationHarness()
})
afterAll(() => world.close())

/** Sends one message of `tenant`, and lets the channel refuse it afterwards. */
async function refuseLater(tenant: StaffedTenant, content: OutboundContent, code: number): Promise<string> {
  const { db, clock } = world
  const phone = freshPhone()
  const { conversationId } = await world.say(tenant, phone, 'oi')
  await db.store.transact(tenant.id, async (tx) => {
    const conversation = await lockConversation(tx, conversationId)
    return writeOutbound(tx, { conversation, author: 'system', content, ownerEpoch: null, clock })
  })
  await world.drain(tenant, conversationId)
  const message = (await world.messages(tenant, conversationId)).at(-1)
  if (message?.wamid == null) throw new Error('nothing was sent')
  const { phoneNumberId, wabaId, displayPhoneNumber } = tenant.document.channel
  const change = statusUpdate({
    number: { phoneNumberId, wabaId, displayPhoneNumber },
    wamid: message.wamid,
    messageId: message.id,
    status: 'failed',
    atMs: clock.now(),
    to: { waId: phone },
    error: { code, details: 'refused' },
  })
  const body = Uint8Array.from(Buffer.from(JSON.stringify(webhookBody(change))))
  const { id } = await db.store.unsafeTransact('test', (tx) => tx.webhookEvent.create({ data: { body } }))
  for (const _twice of [1, 2]) {
    await ingestWebhook(
      {
        store: db.store,
        clock,
        debounceMs: 0,
        actionSecret: 'secret',
        mediaWaitMs: 0,
        transcriptWaitMs: null,
        booking: createBooking({ store: db.store, clock }),
        onUpdate: () => {},
        onKept: () => {},
        onHandoff: () => {},
        onFailure: (error) => {
          throw error
        },
      },
      { eventId: id, isLastAttempt: false },
    )
  }
  expect((await world.messages(tenant, conversationId)).at(-1)).toMatchObject({
    status: 'failed',
    errorCode: code,
  })
  return conversationId
}

const state = (tenant: StaffedTenant) => world.db.store.read(tenant.id, loadSendState)
const alerts = (tenant: StaffedTenant) =>
  world.db.store.read(tenant.id, async (reader) =>
    (await reader.channelEvent.findMany({ orderBy: { id: 'asc' } })).map(({ field, event }) => [
      field,
      event,
    ]),
  )

describe('a refusal that comes in a status', () => {
  it('takes a template out of use, of its tenant alone', async () => {
    const template = { kind: 'template', name: 'lembrete', language: 'pt_BR', components: [] } as const
    await refuseLater(world.one, template, 132015)
    expect((await state(world.one))?.disabledTemplates).toEqual([
      { name: 'lembrete', language: 'pt_BR', code: 132015 },
    ])
    expect(await alerts(world.one)).toEqual([['template_disabled', '132015']])
    expect((await state(world.other))?.disabledTemplates).toEqual([])
    expect(await alerts(world.other)).toEqual([])
  })

  it('that is the customer’s own wish opts them out', async () => {
    const conversationId = await refuseLater(world.one, { kind: 'text', text: 'Oi' }, 131050)
    const { customerId } = await world.conversation(world.one, conversationId)
    const customer = await world.db.store.read(world.one.id, (reader) =>
      reader.customer.findUniqueOrThrow({
        where: { tenantId_id: { tenantId: world.one.id, id: customerId } },
      }),
    )
    expect(customer.proactiveStoppedAt).not.toBeNull()
  })

  it('for the account pauses the number, and nothing of the other tenant', async () => {
    await refuseLater(world.one, { kind: 'text', text: 'Oi' }, 131042)
    expect((await state(world.one))?.paused).toMatchObject({ code: 131042 })
    expect((await state(world.other))?.paused).toBeNull()
  })
})
