import { lockConversation } from '../conversations/conversation-row.ts'
import { rekeyCustomer, resolveCustomer } from '../conversations/customers.ts'
import type { Identity } from '../conversations/identities.ts'
import { writeOutbound } from '../conversations/outbox.ts'
import { changeProactive } from '../conversations/proactive.ts'
import { type InboundMessage, recordInbound } from '../conversations/record-inbound.ts'
import { type OutsideMessage, recordOutside } from '../conversations/record-outside.ts'
import { markMessageAnswered } from '../conversations/unread.ts'
import type { Tx } from '../db/index.ts'
import type { ChannelRef } from '../tenancy/channels.ts'
import { loadTenantProfile } from '../tenancy/tenant-profile.ts'
import { customerTexts } from './customer-texts.ts'
import { channelOf, type Delivery, type IngestDeps, type IngestResult, sensibleTime } from './ingest-deps.ts'
import { identitiesOf } from './person-identities.ts'
import type { IdentityUpdate, InboundContent, PreferenceUpdate } from './webhook-types.ts'

/** `user_preferences`: the customer stopped or resumed what they did not ask for, in WhatsApp's own menu. */
export async function ingestPreference(
  deps: IngestDeps,
  update: PreferenceUpdate,
  { arrivedAt }: Delivery,
): Promise<IngestResult> {
  const word = update.value.toLowerCase()
  if (word !== 'stop' && word !== 'resume') return { kept: 'unknown_preference' }
  const channel = await channelOf(deps, update)
  if (channel === null) return { kept: 'unknown_number' }
  const identities = identitiesOf(update.contact)
  if (identities.length === 0) return { kept: 'nobody' }
  const at = sensibleTime(update.atMs) ?? arrivedAt
  return deps.store.transact(channel.tenantId, async (tx) => {
    const customer = await resolveCustomer(tx, identities, update.contact.name)
    return (await changeProactive(tx, customer, { stop: word === 'stop', at })) ? 'applied' : 'stale'
  })
}

/** `user_id_update`: the same person under other business-scoped ids. */
export async function ingestIdentityUpdate(deps: IngestDeps, update: IdentityUpdate): Promise<IngestResult> {
  const channel = await channelOf(deps, update)
  if (channel === null) return { kept: 'unknown_number' }
  const { waId } = update.contact
  const from = identitiesOf({
    waId,
    bsuid: update.previousBsuid,
    parentBsuid: update.previousParentBsuid,
  })
  const to = identitiesOf({ waId, bsuid: update.currentBsuid, parentBsuid: update.currentParentBsuid })
  const customerId = await deps.store.transact(channel.tenantId, (tx) =>
    rekeyCustomer(tx, { from, to: withUnchanged(from, to) }),
  )
  return customerId === null ? { kept: 'unknown_customer' } : 'applied'
}

type SystemContent = Extract<InboundContent, { type: 'system' }>

/**
 * The channel's own words about a customer. A new number or id re-keys them; the message is stored as the
 * system's under the new names, asks for nothing and opens no window. Of somebody unknown it is kept aside.
 */
export async function ingestSystemMessage(
  deps: IngestDeps,
  channel: ChannelRef,
  message: Omit<OutsideMessage, 'direction' | 'isHistory'> & { readonly content: SystemContent },
): Promise<IngestResult> {
  const { content, ...common } = message
  return deps.store.transact(channel.tenantId, async (tx) => {
    const known = await tx.message.count({
      where: { tenantId: tx.tenantId, channelId: channel.channelId, wamid: message.wamid },
    })
    if (known > 0) return 'duplicate'
    const to = newIdentities(content)
    const identities = to.length === 0 ? message.identities : withUnchanged(message.identities, to)
    const customerId = await rekeyCustomer(tx, { from: message.identities, to: identities })
    if (customerId === null) return { kept: 'unknown_customer' }
    const recorded = await recordOutside(tx, {
      ...common,
      identities,
      direction: 'in',
      author: 'system',
      isHistory: false,
    })
    return recorded.kind
  })
}

const REKEYING: ReadonlySet<string> = new Set(['user_changed_number', 'user_changed_user_id'])

function newIdentities(content: SystemContent): Identity[] {
  if (content.event === null || !REKEYING.has(content.event)) return []
  return identitiesOf({
    waId: content.newPhone,
    bsuid: content.newBsuid,
    parentBsuid: content.newParentBsuid,
  })
}

/** The new identities, with the old ones of kinds that did not change. */
function withUnchanged(from: readonly Identity[], to: readonly Identity[]): Identity[] {
  const changed = new Set(to.map(({ kind }) => kind))
  return [...to, ...from.filter(({ kind }) => !changed.has(kind))]
}

/**
 * The customer wrote the word for "no more": it is stored, holds from now, and is answered by one sentence
 * while no person has the conversation. The model has no part in it.
 */
export async function stopProactive(
  tx: Tx,
  deps: IngestDeps,
  inbound: InboundMessage,
): Promise<IngestResult> {
  const recorded = await recordInbound(tx, { ...inbound, startsTurn: false })
  if (recorded.kind === 'duplicate') return recorded.kind
  const { conversationId, customerId, messageId } = recorded
  const customer = await tx.customer.findUniqueOrThrow({
    where: { tenantId_id: { tenantId: tx.tenantId, id: customerId } },
  })
  const at = inbound.sentAt ?? inbound.arrivedAt
  await changeProactive(tx, customer, { stop: true, at })
  if (recorded.status !== 'bot' || recorded.isOld) return 'applied'
  const { clock } = deps
  const { locale } = await loadTenantProfile(tx)
  const conversation = await lockConversation(tx, conversationId)
  await writeOutbound(tx, {
    conversation,
    author: 'bot',
    content: { kind: 'text', text: customerTexts(locale).stopped },
    ownerEpoch: conversation.ownerEpoch,
    clock,
  })
  await markMessageAnswered(tx, { conversationId, messageId, now: clock.now() })
  return 'applied'
}
