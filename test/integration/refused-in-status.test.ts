import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createBooking } from '../../src/booking/create-booking.ts'
import { lockConversation } from '../../src/conversations/conversation-row.ts'
import type { OutboundContent } from '../../src/conversations/outbound-channel.ts'
import { writeOutbound } from '../../src/conversations/outbox.ts'
import { newWamid, statusUpdate, webhookBody } from '../../src/demo/signed-webhook.ts'
import { applyTenantDocument } from '../../src/tenancy/apply-tenant-document.ts'
import { loadSendState, resumeSends } from '../../src/tenancy/channel-sends.ts'
import { ingestWebhook } from '../../src/whatsapp/ingest-webhook.ts'
import {
  type ConversationHarness,
  createConversationHarness,
  freshPhone,
  type StaffedTenant,
} from '../support/conversation-harness.ts'
import { TEST_ENCRYPTION_KEY } from '../support/factories.ts'

let world: ConversationHarness

beforeAll(async () => {
  world = await createConversationHarness()
})
afterAll(() => world.close())

/** Ingests a `failed` status of one message, twice, as Meta may send it. */
async function ingestFailure(
  tenant: StaffedTenant,
  failed: { wamid: string; code: number; messageId?: string; to: string },
): Promise<void> {
  const { db, clock } = world
  const { phoneNumberId, wabaId, displayPhoneNumber } = tenant.document.channel
  const { wamid, messageId, code } = failed
  const change = statusUpdate({
    number: { phoneNumberId, wabaId, displayPhoneNumber },
    wamid,
    ...(messageId === undefined ? {} : { messageId }),
    status: 'failed',
    atMs: clock.now(),
    to: { waId: failed.to },
    error: { code, details: 'refused' },
  })
  const body = Uint8Array.from(Buffer.from(JSON.stringify(webhookBody(change))))
  for (const _twice of [1, 2]) {
    const { id } = await db.store.unsafeTransact('test', (tx) => tx.webhookEvent.create({ data: { body } }))
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
}

/**
 * Sends one message of `tenant`, and lets the channel refuse it in a status: `after` the answer to the send, or
 * `before` it, without our id, so that the status waits for its message.
 */
async function refuse(
  when: 'before' | 'after',
  tenant: StaffedTenant,
  content: OutboundContent,
  code: number,
): Promise<string> {
  const { db, clock } = world
  const to = freshPhone()
  const { conversationId } = await world.say(tenant, to, 'oi')
  await db.store.transact(tenant.id, async (tx) => {
    const conversation = await lockConversation(tx, conversationId)
    return writeOutbound(tx, { conversation, author: 'system', content, ownerEpoch: null, clock })
  })
  const written = (await world.messages(tenant, conversationId)).at(-1)
  const messageId = written?.id ?? ''
  const wamid = newWamid()
  world.channel.answerNext(async () => {
    if (when === 'before') await ingestFailure(tenant, { wamid, code, to })
    return { kind: 'accepted', wamid }
  })
  await world.drain(tenant, conversationId)
  if (when === 'after') await ingestFailure(tenant, { wamid, code, messageId, to })
  const messages = await world.messages(tenant, conversationId)
  expect(messages.find(({ id }) => id === messageId)).toMatchObject({ status: 'failed', errorCode: code })
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

/** What the owner was told since. */
async function toldDuring<T>(tenant: StaffedTenant, act: () => Promise<T>): Promise<[T, unknown[]]> {
  const before = (await alerts(tenant)).length
  const result = await act()
  return [result, (await alerts(tenant)).slice(before)]
}

afterEach(async () => {
  const { db, clock, one, other } = world
  for (const tenant of [one, other]) {
    await db.store.transact(tenant.id, (tx) => resumeSends(tx, clock.now()))
    await db.store.unsafeTransact('test', (tx) =>
      tx.customer.updateMany({ data: { proactiveStoppedAt: null } }),
    )
  }
  clock.advance(1_000)
})

describe.each(['after', 'before'] as const)(
  'a refusal in a status that comes %s the answer to the send',
  (when) => {
    it('takes a template out of use, of its tenant alone', async () => {
      const template = { kind: 'template', name: 'lembrete', language: 'pt_BR', components: [] } as const
      const [, told] = await toldDuring(world.one, () => refuse(when, world.one, template, 132_015))
      expect((await state(world.one))?.disabledTemplates).toEqual([
        { name: 'lembrete', language: 'pt_BR', code: 132_015 },
      ])
      expect(told).toEqual([['template_disabled', '132015']])
      expect((await state(world.other))?.disabledTemplates).toEqual([])
      expect(await alerts(world.other)).toEqual([])
    })

    it('that is the customer’s own wish opts them out', async () => {
      const conversationId = await refuse(when, world.one, { kind: 'text', text: 'Oi' }, 131_050)
      const { customerId } = await world.conversation(world.one, conversationId)
      const customer = await world.db.store.read(world.one.id, (reader) =>
        reader.customer.findUniqueOrThrow({
          where: { tenantId_id: { tenantId: world.one.id, id: customerId } },
        }),
      )
      expect(customer.proactiveStoppedAt).not.toBeNull()
    })

    it('for the account pauses the number, and nothing of the other tenant', async () => {
      const [, told] = await toldDuring(world.one, () =>
        refuse(when, world.one, { kind: 'text', text: 'Oi' }, 131_042),
      )
      expect(told).toEqual([['sends_paused', '131042']])
      expect((await state(world.one))?.paused).toMatchObject({ code: 131_042 })
      expect((await state(world.other))?.paused).toBeNull()
    })

    it('for spam stops templates of the number outside the window', async () => {
      await refuse(when, world.one, { kind: 'text', text: 'Oi' }, 131_048)
      expect((await state(world.one))?.proactiveStoppedSince).not.toBeNull()
      expect((await state(world.other))?.proactiveStoppedSince).toBeNull()
    })

    it('that nobody planned for is told to the owner', async () => {
      const [, told] = await toldDuring(world.one, () =>
        refuse(when, world.one, { kind: 'text', text: 'Oi' }, 987_654),
      )
      expect(told).toEqual([['send_failed', '987654']])
    })

    it('for a closed window is followed by the tenant’s template, once, where there is one', async () => {
      const { one, other, db, clock } = world
      const texts = { reopenTemplate: { name: 'retomar_conversa', language: 'pt_BR' } }
      const options = { encryptionKey: TEST_ENCRYPTION_KEY, clock }
      await applyTenantDocument(db.store, { ...one.document, texts }, options)
      const conversationId = await refuse(when, one, { kind: 'text', text: 'Oi' }, 131_047)
      expect((await world.messages(one, conversationId)).slice(1)).toMatchObject([
        { type: 'text', status: 'failed', errorCode: 131_047 },
        { type: 'template', author: 'system', text: 'retomar_conversa' },
      ])
      const without = await refuse(when, other, { kind: 'text', text: 'Oi' }, 131_047)
      expect(await world.messages(other, without)).toHaveLength(2)
      await applyTenantDocument(db.store, one.document, options)
    })
  },
)
