import { z } from 'zod'
import type { ConversationModel, MessageModel, Tx } from '../db/index.ts'
import { recordChannelEvent } from '../tenancy/channel-events.ts'
import { pauseSends, stopProactiveSends } from '../tenancy/channel-sends.ts'
import type { SendOutcome } from './outbound-channel.ts'
import { writeOutbound } from './outbox.ts'
import { changeProactive } from './proactive.ts'
import { reopenTemplateFor } from './reopen-window.ts'
import { loadGate, proactiveRefusalOf } from './send-gate.ts'

/** What left, as far as an effect needs to know it. */
type Sent = { readonly kind: 'text' | 'choices' } | ({ readonly kind: 'template' } & TemplateName)
interface TemplateName {
  readonly name: string
  readonly language: string
}

/**
 * What an outcome means beyond its own message: for the number, the template, the customer. The owner is told
 * by an entry in the channel's alerts.
 */
export async function applyOutcomeEffects(
  tx: Tx,
  input: {
    readonly outcome: SendOutcome
    readonly conversation: ConversationModel
    readonly messageId: string
    readonly content: Sent
    /** When the send began, epoch ms. */
    readonly startedAt: number
    readonly now: number
  },
): Promise<void> {
  const { outcome, conversation, messageId, content, startedAt, now } = input
  const { channelId } = conversation
  if (outcome.kind === 'accepted' || outcome.kind === 'account_unusable') return
  const { code, detail } = outcome.error
  const tell = (field: string) =>
    recordChannelEvent(tx, {
      channelId,
      field,
      event: String(code),
      payload: { detail, messageId },
      at: now,
    })
  switch (outcome.kind) {
    case 'pause_channel':
      if (await pauseSends(tx, { channelId, error: outcome.error, startedAt, now }))
        await tell('sends_paused')
      return
    case 'stop_proactive':
      if (await stopProactiveSends(tx, { channelId, startedAt, now })) await tell('proactive_stopped')
      return
    case 'rejected':
      if (outcome.optOut) await optOut(tx, conversation.customerId, now)
      if (outcome.disableTemplate && content.kind === 'template') {
        await disableTemplate(tx, content, { ...outcome.error, now })
        await tell('template_disabled')
      } else if (outcome.alert) await tell('send_failed')
      return
    default:
      return
  }
}

/**
 * As {@link applyOutcomeEffects} for a message that the channel took first and refused later, in a status. One
 * that did not leave through here has none. A text that met a closed window is followed by the tenant's
 * template.
 * @param input.at the status's own time, epoch ms.
 */
export async function applyRefusalEffects(
  tx: Tx,
  input: {
    readonly messageId: string
    readonly outcome: SendOutcome
    readonly at: number
    readonly now: number
  },
): Promise<void> {
  const { tenantId } = tx
  const { messageId, outcome, at, now } = input
  const row = await tx.outbox.findUnique({ where: { tenantId_id: { tenantId, id: messageId } } })
  if (row === null) return
  const { conversation, ...message } = await tx.message.findUniqueOrThrow({
    where: { tenantId_id: { tenantId, id: messageId } },
    include: { conversation: true },
  })
  const content = sentContent(message)
  const startedAt = message.sentAt?.getTime() ?? at
  await applyOutcomeEffects(tx, { outcome, conversation, messageId, content, startedAt, now })
  if (outcome.kind === 'window_closed' && content.kind !== 'template') {
    await inviteToWrite(tx, conversation, { messageId, startedAt, now })
  }
}

const templatePayload = z.object({ template: z.object({ name: z.string(), language: z.string() }) })

/** A text for which a template left is one by now (see `recordOutcome`). */
function sentContent(message: Pick<MessageModel, 'type' | 'payload'>): Sent {
  const stored = message.type === 'template' ? templatePayload.safeParse(message.payload).data : undefined
  return stored === undefined ? { kind: 'text' } : { kind: 'template', ...stored.template }
}

/** Writes the template that asks the customer to open the window, where there is one and they may be asked. */
async function inviteToWrite(
  tx: Tx,
  conversation: ConversationModel,
  refused: { readonly messageId: string; readonly startedAt: number; readonly now: number },
): Promise<void> {
  const { messageId, startedAt, now } = refused
  // They wrote since: whatever they were to be told can be said again.
  if ((conversation.lastInboundAt?.getTime() ?? 0) > startedAt) return
  const gate = await loadGate(tx, conversation)
  if (proactiveRefusalOf(gate) !== null) return
  const content = await reopenTemplateFor(tx, conversation, gate, messageId)
  if (content === null) return
  await writeOutbound(tx, {
    conversation,
    author: 'system',
    content,
    ownerEpoch: null,
    clock: { now: () => now },
  })
}

async function optOut(tx: Tx, customerId: string, now: number): Promise<void> {
  const { tenantId } = tx
  const customer = await tx.customer.findUniqueOrThrow({
    where: { tenantId_id: { tenantId, id: customerId } },
  })
  await changeProactive(tx, customer, { stop: true, at: now })
}

async function disableTemplate(
  tx: Tx,
  { name, language }: TemplateName,
  why: { readonly code: number; readonly detail: string; readonly now: number },
): Promise<void> {
  const { code, detail, now } = why
  await tx.disabledTemplate.createMany({
    data: [{ tenantId: tx.tenantId, name, language, code, detail, disabledAt: new Date(now) }],
    skipDuplicates: true,
  })
}
