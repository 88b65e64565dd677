import type { ConversationModel, Tx } from '../db/index.ts'
import { recordChannelEvent } from '../tenancy/channel-events.ts'
import { pauseSends, stopProactiveSends } from '../tenancy/channel-sends.ts'
import type { OutboundContent, SendOutcome } from './outbound-channel.ts'
import { fallbackOf, parseOutboundContent } from './outbound-content.ts'
import { changeProactive } from './proactive.ts'

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
    readonly content: OutboundContent
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
 * that did not leave through here has none.
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
  const written = parseOutboundContent(row.content)
  // A text whose fallback left became a template (see `recordOutcome`).
  const content = message.type === 'template' ? (fallbackOf(written) ?? written) : written
  const startedAt = message.sentAt?.getTime() ?? at
  await applyOutcomeEffects(tx, { outcome, conversation, messageId, content, startedAt, now })
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
  { name, language }: { readonly name: string; readonly language: string },
  why: { readonly code: number; readonly detail: string; readonly now: number },
): Promise<void> {
  const { code, detail, now } = why
  await tx.disabledTemplate.createMany({
    data: [{ tenantId: tx.tenantId, name, language, code, detail, disabledAt: new Date(now) }],
    skipDuplicates: true,
  })
}
