import { jsonInput, type MessageModel, type Tx } from '../db/index.ts'
import { isId } from '../shared/ids.ts'
import { lockConversation } from './conversation-row.ts'
import { countDelivery, type Pricing, parsePricing } from './delivery-counts.ts'
import type { ChannelError } from './outbound-channel.ts'

export interface DeliveryStatus {
  readonly channelId: string
  readonly wamid: string
  /** Our message id, as the channel gave it back (`biz_opaque_callback_data`). */
  readonly ourId?: string | null
  readonly status: 'sent' | 'delivered' | 'read' | 'played' | 'failed'
  /** The channel's time, epoch ms. */
  readonly at: number
  readonly errors: readonly ChannelError[]
  readonly pricing?: Pricing | null
}

export type Applied =
  | { readonly kind: 'applied' | 'stale'; readonly messageId: string; readonly conversationId: string }
  | { readonly kind: 'unmatched' }

/** How far a message got. `failed` lies between: a late `sent` does not revive it, a delivery does. */
const RANK: Readonly<Record<string, number>> = {
  pending: 0,
  unknown: 0,
  canceled: 0,
  sent: 1,
  failed: 2,
  delivered: 3,
  read: 4,
}

/**
 * Applies one status of the channel. They come unordered and more than once: the message's status only ever
 * rises, and each kind keeps the time it came with first. A status whose `wamid` nobody knows yet finds its
 * message by our own id, and tells us the wamid.
 * @returns `unmatched` when no message of this tenant's channel is meant: it may come later.
 */
export async function applyStatus(tx: Tx, status: DeliveryStatus): Promise<Applied> {
  const { tenantId } = tx
  const found = await findMessage(tx, status)
  if (found === null) return { kind: 'unmatched' }
  const { id, conversationId } = found
  await lockConversation(tx, conversationId)
  const where = { tenantId_id: { tenantId, id } }
  const message = await tx.message.findUniqueOrThrow({ where })
  const next = status.status === 'played' ? 'read' : status.status
  const rises = (RANK[next] ?? 0) > (RANK[message.status] ?? 0)
  const error = status.errors[0]
  await tx.message.update({
    where,
    data: {
      wamid: message.wamid ?? status.wamid,
      ...timesOf(message, status.status, new Date(status.at)),
      ...(status.errors.length === 0 ? {} : { errors: jsonInput(status.errors) }),
      ...(status.pricing == null ? {} : { pricing: jsonInput(status.pricing) }),
      ...(rises ? { status: next, errorCode: null, errorDetail: null } : {}),
      ...(rises && next === 'failed' && error !== undefined
        ? { errorCode: error.code, errorDetail: error.detail }
        : {}),
    },
  })
  const pricing = status.pricing ?? parsePricing(message.pricing)
  const isDelivered = next === 'delivered' || next === 'read'
  if (pricing !== null && isDelivered) await countDelivery(tx, message, pricing, status.at)
  // It left, whatever the row still says: there is nothing to send again.
  await tx.outbox.updateMany({
    where: { tenantId, id, state: { in: ['pending', 'sending', 'unknown'] } },
    data: { state: next === 'failed' ? 'failed' : 'sent', nextAttemptAt: null },
  })
  return { kind: rises ? 'applied' : 'stale', messageId: id, conversationId }
}

async function findMessage(tx: Tx, status: DeliveryStatus): Promise<MessageModel | null> {
  const { tenantId } = tx
  const { channelId, wamid, ourId } = status
  const known = await tx.message.findUnique({
    where: { tenantId_channelId_wamid: { tenantId, channelId, wamid } },
  })
  if (known !== null) return known.direction === 'out' ? known : null
  if (ourId === undefined || ourId === null || !isId(ourId)) return null
  return tx.message.findFirst({ where: { tenantId, channelId, id: ourId, direction: 'out' } })
}

function timesOf(message: MessageModel, status: DeliveryStatus['status'], at: Date) {
  switch (status) {
    case 'played':
      return { playedAt: message.playedAt ?? at, readAt: message.readAt ?? at }
    case 'sent':
      return { sentAt: at }
    case 'delivered':
      return { deliveredAt: message.deliveredAt ?? at }
    case 'read':
      return { readAt: message.readAt ?? at }
    case 'failed':
      return { failedAt: message.failedAt ?? at }
  }
}
