import { type MessageChange, recordChange } from '../conversations/message-changes.ts'
import { asksToStop } from '../conversations/proactive.ts'
import { type InboundMessage, recordInbound } from '../conversations/record-inbound.ts'
import { type OutsideMessage, recordOutside } from '../conversations/record-outside.ts'
import { phoneTakeOver } from '../handoff/phone-take-over.ts'
import { asksForBot, resumeBot } from '../handoff/resume-bot.ts'
import type { ChannelRef } from '../tenancy/channels.ts'
import { loadTenantProfile } from '../tenancy/tenant-profile.ts'
import { actOnTap, isOurAction } from './act-on-tap.ts'
import type { Action } from './action-id.ts'
import { channelOf, type Delivery, type IngestDeps, type IngestResult, sensibleTime } from './ingest-deps.ts'
import { ingestSystemMessage, stopProactive } from './ingest-people.ts'
import { messageContent } from './message-content.ts'
import { customerOf, identitiesOf, isFromBusiness } from './person-identities.ts'
import type { HistoryUpdate, InboundContent, MessageUpdate } from './webhook-types.ts'

/**
 * One message, whoever wrote it. Groups are kept aside: they are logged and never answered. Reactions, edits
 * and revocations go to the message they are about, system messages to the customer's names.
 */
export async function ingestMessage(
  deps: IngestDeps,
  update: MessageUpdate | HistoryUpdate,
  delivery: Delivery,
): Promise<IngestResult> {
  const { message } = update
  if (message.groupId !== null) return { kept: 'group' }
  const channel = await channelOf(deps, update)
  if (channel === null) return { kept: 'unknown_number' }
  const sentAt = sensibleTime(message.sentAtMs)
  const change = changeOf(message.content)
  if (change !== null) {
    const author = isFromBusiness(update) ? 'staff' : 'customer'
    const { wamid } = message
    const at = sentAt ?? delivery.arrivedAt
    return deps.store.transact(channel.tenantId, (tx) =>
      recordChange(tx, { ...change, channelId: channel.channelId, wamid, author, sentAt: at }),
    )
  }
  const identities = identitiesOf(customerOf(update))
  if (identities.length === 0) return { kept: 'nobody' }
  const { action, startsTurn, ...content } = messageContent(message, deps)
  const common = {
    channelId: channel.channelId,
    identities,
    profileName: update.contact.name,
    wamid: message.wamid,
    sentAt,
    arrivedAt: delivery.arrivedAt,
    ...content,
  }
  if (message.content.type === 'system' && update.kind === 'message') {
    return ingestSystemMessage(deps, channel, { ...common, content: message.content })
  }
  if (update.kind !== 'message') return ingestOutside(deps, channel, update, common)
  const { debounceMs, clock } = deps
  const inbound = { ...common, startsTurn, debounceMs, clock }
  if (asksForNoMore(message.content)) {
    return deps.store.transact(channel.tenantId, (tx) => stopProactive(tx, deps, inbound))
  }
  return ingestInbound(deps, channel, inbound, action)
}

/** Typed, or a template's button. A choice of the model's may be called "Sair" and mean the menu. */
function asksForNoMore(content: InboundContent): boolean {
  if (content.type === 'text') return asksToStop(content.body)
  return content.type === 'template_button' && (asksToStop(content.text) || asksToStop(content.payload))
}

/** What passed without us: typed on the business's phone, another app's conversation, or the past. */
async function ingestOutside(
  deps: IngestDeps,
  channel: ChannelRef,
  update: MessageUpdate | HistoryUpdate,
  message: Omit<OutsideMessage, 'direction' | 'isHistory'>,
): Promise<IngestResult> {
  const { clock } = deps
  const { tenantId } = channel
  if (update.kind === 'echo') {
    const taken = await deps.store.transact(tenantId, (tx) => phoneTakeOver(tx, { ...message, clock }))
    const { conversationId, handoff } = taken
    if (handoff !== null) deps.onHandoff({ tenantId, conversationId, reason: handoff })
    return taken.kind
  }
  const recorded = await deps.store.transact(tenantId, async (tx) => {
    switch (update.kind) {
      case 'history': {
        const status = historyStatus(update.deliveryStatus)
        return recordOutside(tx, { ...message, direction: update.direction, isHistory: true, status })
      }
      default:
        return recordOutside(tx, { ...message, direction: 'in', isHistory: false })
    }
  })
  return recorded.kind
}

async function ingestInbound(
  deps: IngestDeps,
  channel: ChannelRef,
  inbound: InboundMessage,
  action: Action | null,
): Promise<IngestResult> {
  if (action !== null && isOurAction(action)) return actOnTap(deps, channel, inbound, action)
  return deps.store.transact(channel.tenantId, async (tx) => {
    const recorded = await recordInbound(tx, inbound)
    if (recorded.kind === 'stored' && recorded.status === 'queued' && inbound.startsTurn && !recorded.isOld) {
      const { locale } = await loadTenantProfile(tx)
      const { debounceMs, clock } = deps
      if (asksForBot(locale, inbound.text)) await resumeBot(tx, { ...recorded, debounceMs, clock })
    }
    return recorded.kind
  })
}

type Change = Pick<MessageChange, 'kind' | 'targetWamid' | 'content'>

function changeOf(content: InboundContent): Change | null {
  switch (content.type) {
    case 'reaction':
      return { kind: 'reaction', targetWamid: content.wamid, content: content.emoji }
    case 'edit':
      return { kind: 'edit', targetWamid: content.wamid, content: content.text }
    case 'revoke':
      return { kind: 'revoke', targetWamid: content.wamid, content: null }
    default:
      return null
  }
}

/** `history_context.status`; what was still on its way then has long been sent. */
function historyStatus(word: string | null): NonNullable<OutsideMessage['status']> {
  switch (word) {
    case 'read':
    case 'played':
      return 'read'
    case 'delivered':
      return 'delivered'
    case 'error':
      return 'failed'
    default:
      return 'sent'
  }
}
