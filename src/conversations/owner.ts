/**
 * Who answers a conversation: the bot, the queue, a person, nobody. One table says which event leads where;
 * an event that the table does not have for a status is refused (`wrong_state`).
 *
 * Every change of owner raises the conversation's epoch, and in the same transaction takes back what the old
 * owner's bot had written and not sent, and lets the waiting messages wait for no turn any more. The drain
 * job compares the epoch of each bot message under the same row lock before it leaves. So a bot message never
 * follows a claim, whatever the timing.
 */
import { type ConversationModel, sql, type Tx } from '../db/index.ts'
import { lockConversation } from './conversation-row.ts'
import { ownerChanged, wrongState } from './errors.ts'

type Status = 'bot' | 'queued' | 'assigned' | 'closed'

export type OwnerEvent =
  /** The customer wrote; only `closed` moves. */
  | { readonly kind: 'customer_message' }
  | { readonly kind: 'handoff' }
  | { readonly kind: 'claim'; readonly staffId: string }
  | { readonly kind: 'take_over'; readonly staffId: string }
  | { readonly kind: 'phone_take_over' }
  | { readonly kind: 'release' }
  | { readonly kind: 'return_to_bot' }
  | { readonly kind: 'resolve' }
  /** 24 hours without a message. */
  | { readonly kind: 'idle' }

const NEXT: Readonly<Record<OwnerEvent['kind'], Partial<Record<Status, Status>>>> = {
  customer_message: { bot: 'bot', queued: 'queued', assigned: 'assigned', closed: 'bot' },
  handoff: { bot: 'queued' },
  claim: { queued: 'assigned', assigned: 'assigned' },
  take_over: { bot: 'assigned', queued: 'assigned', assigned: 'assigned', closed: 'assigned' },
  phone_take_over: { bot: 'assigned', queued: 'assigned', assigned: 'assigned', closed: 'assigned' },
  release: { assigned: 'queued' },
  return_to_bot: { queued: 'bot', assigned: 'bot' },
  resolve: { assigned: 'closed' },
  idle: { bot: 'closed', assigned: 'closed' },
}

/**
 * Moves a conversation to its next owner and returns it as it is now. The caller holds the conversation's
 * lock and passes the row it read under it. An event that changes neither status nor assignee changes nothing.
 * @param queuedAt when the wait in the queue began (epoch ms); only looked at when the next status is `queued`.
 * @throws AppError `wrong_state`; `owner_changed` when the row passed in is not the current one.
 */
export async function changeOwner(
  tx: Tx,
  conversation: ConversationModel,
  event: OwnerEvent,
  queuedAt?: number,
): Promise<ConversationModel> {
  const next = nextOwner(conversation, event)
  if (next === null) throw wrongState()
  if (next.status === conversation.status && next.assigneeId === conversation.assigneeId) return conversation
  const { tenantId } = tx
  const { id, ownerEpoch } = conversation
  const { count } = await tx.conversation.updateMany({
    where: { tenantId, id, ownerEpoch },
    data: {
      status: next.status,
      assigneeId: next.assigneeId,
      ownerEpoch: ownerEpoch + 1,
      queuedAt: next.status === 'queued' && queuedAt !== undefined ? new Date(queuedAt) : null,
    },
  })
  if (count === 0) throw ownerChanged()
  await cancelUnsentBotMessages(tx, id)
  await tx.message.updateMany({
    where: { tenantId, conversationId: id, awaitsTurn: true },
    data: { awaitsTurn: false },
  })
  return lockConversation(tx, id)
}

/** The table's answer, or null when it has none: nobody claims what somebody has. */
export function nextOwner(
  conversation: Pick<ConversationModel, 'status' | 'assigneeId'>,
  event: OwnerEvent,
): { status: Status; assigneeId: string | null } | null {
  const { status, assigneeId } = conversation
  if (!isStatus(status)) return null
  const next = NEXT[event.kind][status]
  if (next === undefined || (event.kind === 'claim' && assigneeId !== null)) return null
  if (event.kind === 'claim' || event.kind === 'take_over') return { status: next, assigneeId: event.staffId }
  return { status: next, assigneeId: event.kind === 'customer_message' ? assigneeId : null }
}

function isStatus(status: string): status is Status {
  return Object.hasOwn(NEXT.customer_message, status)
}

/** Rows that are being sent right now cannot be taken back: they left before the change. */
async function cancelUnsentBotMessages(tx: Tx, conversationId: string): Promise<void> {
  await tx.$executeRaw(sql`with overtaken as (
      update outbox set state = 'canceled', next_attempt_at = null, updated_at = now()
      where tenant_id = ${tx.tenantId}::uuid and conversation_id = ${conversationId}::uuid
        and state = 'pending' and owner_epoch is not null
      returning id
    )
    update messages set status = 'canceled'
    where tenant_id = ${tx.tenantId}::uuid and id in (select id from overtaken)`)
}
