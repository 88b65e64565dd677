import { type ConversationModel, jsonInput, type MessageModel, type Tx } from '../db/index.ts'
import { enqueue } from '../queue/enqueue.ts'
import { drainJobName, drainOutboxJob } from '../queue/job-definition.ts'
import type { Clock } from '../shared/clock.ts'
import { newId } from '../shared/ids.ts'
import { ownerChanged } from './errors.ts'
import type { OutboundContent } from './outbound-channel.ts'
import { describeContent } from './outbound-content.ts'

export interface Outbound {
  /** As read under its lock, which the caller holds. */
  readonly conversation: ConversationModel
  readonly author: 'bot' | 'staff' | 'system'
  readonly content: OutboundContent
  /** The epoch a bot message belongs to; null for what a person wrote: that is sent whoever owns the conversation. */
  readonly ownerEpoch: number | null
  readonly runId?: string
  readonly staffId?: string
  readonly clock: Clock
}

/**
 * Writes one message to a customer: its row in the thread, its row in the outbox, and the job that sends, all
 * in the caller's transaction. One row is one message on the channel: who has a text that is too long for one
 * calls this once a piece, in order.
 * @returns the message, `pending`.
 * @throws AppError `owner_changed` when `ownerEpoch` is not the conversation's.
 */
export async function writeOutbound(tx: Tx, outbound: Outbound): Promise<MessageModel> {
  const { tenantId } = tx
  const { conversation, content, ownerEpoch } = outbound
  if (ownerEpoch !== null && ownerEpoch !== conversation.ownerEpoch) throw ownerChanged()
  const now = new Date(outbound.clock.now())
  const message = await tx.message.create({
    data: {
      tenantId,
      id: newId(),
      conversationId: conversation.id,
      channelId: conversation.channelId,
      direction: 'out',
      author: outbound.author,
      status: 'pending',
      ...describeContent(content),
      runId: outbound.runId ?? null,
      staffId: outbound.staffId ?? null,
      createdAt: now,
    },
  })
  await tx.outbox.create({
    data: {
      tenantId,
      id: message.id,
      conversationId: conversation.id,
      content: jsonInput(content),
      ownerEpoch,
      state: 'pending',
    },
  })
  await tx.conversation.update({
    where: { tenantId_id: { tenantId, id: conversation.id } },
    data: { lastMessageAt: now },
  })
  await queueDrain(tx, conversation.id)
  return message
}

/**
 * Queues the conversation's drain, now or at `runAt` (epoch ms). The key makes it one waiting job, the queue
 * keeps two of one conversation from running at once.
 */
export async function queueDrain(tx: Tx, conversationId: string, runAt?: number): Promise<void> {
  const name = drainJobName(conversationId)
  await enqueue(
    tx,
    drainOutboxJob,
    { tenantId: tx.tenantId, conversationId },
    { jobKey: name, queueName: name, ...(runAt === undefined ? {} : { runAt }) },
  )
}
