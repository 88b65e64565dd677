import type { ConversationModel, JsonInput, Tx } from '../db/index.ts'
import { newId } from '../shared/ids.ts'
import { openConversation } from './conversation-row.ts'
import { resolveCustomer } from './customers.ts'
import { type Identity, replyAddress } from './identities.ts'
import { addMedia, type InboundMedia } from './inbound-media.ts'
import { applyWaitingChanges } from './message-changes.ts'
import { applyParkedStatuses } from './parked-statuses.ts'
import { findQuoted } from './record-inbound.ts'

/** A message that passed between the business and a customer without us, told by the channel afterwards. */
export interface OutsideMessage {
  readonly channelId: string
  /** The customer's; at least one. */
  readonly identities: readonly Identity[]
  readonly profileName: string | null
  readonly wamid: string
  readonly direction: 'in' | 'out'
  readonly type: string
  readonly text: string | null
  readonly payload: JsonInput | null
  readonly quotedWamid?: string | null
  readonly media?: InboundMedia | null
  /** `system`: the channel's own words about the customer. Default: the side it came from. */
  readonly author?: 'system'
  /** The channel's own time, epoch ms. */
  readonly sentAt: number | null
  /** Arrival here, epoch ms. */
  readonly arrivedAt: number
  /** An outbound message's delivery as far as it is known. */
  readonly status?: 'sent' | 'delivered' | 'read' | 'failed'
  /** Of the past: it counts as activity when it was sent; any other when it arrived. */
  readonly isHistory: boolean
}

/**
 * Stores what happened outside, once for each `wamid`: outbound as the staff's, inbound as dealt with. Nothing
 * follows from it: no turn, no unread, no change of owner. The conversation comes back locked; a new one is
 * `closed`, since nobody here answers it.
 */
export async function recordOutside(
  tx: Tx,
  message: OutsideMessage,
): Promise<{ kind: 'stored' | 'duplicate'; conversation: ConversationModel }> {
  const { tenantId } = tx
  const customer = await resolveCustomer(tx, message.identities, message.profileName)
  const opened = await openConversation(tx, {
    id: newId(),
    channelId: message.channelId,
    customerId: customer.id,
    address: replyAddress(message.identities),
    status: 'closed',
  })
  const { channelId, wamid } = message
  const id = newId()
  const sentAt = new Date(message.sentAt ?? message.arrivedAt)
  const at = message.isHistory ? sentAt : new Date(message.arrivedAt)
  const { count } = await tx.message.createMany({
    data: [
      {
        tenantId,
        id,
        conversationId: opened.id,
        channelId,
        direction: message.direction,
        author: message.author ?? (message.direction === 'in' ? 'customer' : 'staff'),
        quotedId: await findQuoted(tx, channelId, message.quotedWamid),
        type: message.type,
        text: message.text,
        ...(message.payload === null ? {} : { payload: message.payload }),
        wamid,
        status: message.direction === 'in' ? 'received' : (message.status ?? 'sent'),
        sentAt,
        ...(message.direction === 'in' ? { seenByStaffAt: at, answeredAt: at } : {}),
        createdAt: at,
      },
    ],
    skipDuplicates: true,
  })
  if (count === 0) return { kind: 'duplicate', conversation: opened }
  if (message.media != null) {
    await addMedia(tx, { messageId: id, channelId, media: message.media, now: message.arrivedAt })
  }
  await applyWaitingChanges(tx, { id, channelId, wamid })
  if (message.direction === 'out') await applyParkedStatuses(tx, { id, channelId, wamid })
  const newest = (known: Date | null) => new Date(Math.max(known?.getTime() ?? 0, at.getTime()))
  const conversation = await tx.conversation.update({
    where: { tenantId_id: { tenantId, id: opened.id } },
    data: {
      lastMessageAt: newest(opened.lastMessageAt),
      ...(message.direction === 'in' && message.author === undefined
        ? { lastInboundAt: newest(opened.lastInboundAt) }
        : {}),
    },
  })
  return { kind: 'stored', conversation }
}
