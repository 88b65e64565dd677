/** The steps of the staff that change who owns a conversation. Each returns it as it is afterwards. */
import { lockConversation } from '../conversations/conversation-row.ts'
import { type ConversationView, getConversation } from '../conversations/conversation-view.ts'
import { conversationNotFound, newMessage, wrongState } from '../conversations/errors.ts'
import { changeOwner } from '../conversations/owner.ts'
import { waitingSince } from '../conversations/unread.ts'
import type { ConversationModel, Tx } from '../db/index.ts'
import type { Clock } from '../shared/clock.ts'
import { AlreadyClaimedError } from './errors.ts'
import { firstReplyDueAt, type HandoffProfile } from './first-reply-clock.ts'
import { endHandoff, holdHandoff } from './handoff-row.ts'

export interface StaffActor {
  readonly id: string
  readonly role: 'owner' | 'attendant'
}

export interface StaffStep {
  readonly conversationId: string
  readonly actor: StaffActor
  readonly clock: Clock
}

/**
 * Takes a conversation from the queue, or from the business's phone. Of many at once one wins: they pass one
 * by one through the row's lock, and the update is conditional on the epoch.
 * @throws AppError `not_found`, `wrong_state`; AlreadyClaimedError, also for whom it belongs to already.
 */
export async function claim(tx: Tx, step: StaffStep): Promise<ConversationView> {
  const { conversationId, actor } = step
  const conversation = await lockConversation(tx, conversationId)
  if (conversation.assigneeId !== null) {
    const assignee = await tx.staff.findUniqueOrThrow({
      where: { tenantId_id: { tenantId: tx.tenantId, id: conversation.assigneeId } },
    })
    throw new AlreadyClaimedError(assignee)
  }
  await changeOwner(tx, conversation, { kind: 'claim', staffId: actor.id })
  await hold(tx, step)
  return view(tx, conversationId)
}

export interface TakenOver extends ConversationView {
  /** The handoff that began with it; null when people had the conversation already. */
  readonly opened: 'staff_takeover' | null
}

/**
 * Straight to the caller from any state; says nothing to the customer.
 * @throws AppError `not_found`.
 */
export async function takeOver(tx: Tx, step: StaffStep): Promise<TakenOver> {
  const { conversationId, actor } = step
  const conversation = await lockConversation(tx, conversationId)
  const moved = await changeOwner(tx, conversation, { kind: 'take_over', staffId: actor.id })
  const opened = moved === conversation ? null : await hold(tx, step)
  return { ...(await view(tx, conversationId)), opened }
}

/**
 * Back into the queue, by the assignee or an owner; by anyone when only the phone has it.
 * @throws AppError `not_found`, `wrong_state`.
 */
export async function release(
  tx: Tx,
  step: StaffStep & { readonly profile: HandoffProfile },
): Promise<ConversationView> {
  const { conversationId, actor, profile, clock } = step
  const conversation = await lockConversation(tx, conversationId)
  if (!mayLetGo(conversation, actor)) throw wrongState()
  await releaseToQueue(tx, conversation, profile, clock.now())
  return view(tx, conversationId)
}

/**
 * Gives the conversation back to the bot: from the queue by anyone, from a person by that person or an owner.
 * The bot answers the next message, not the old ones.
 * @throws AppError `not_found`, `wrong_state`.
 */
export async function returnToBot(tx: Tx, step: StaffStep): Promise<ConversationView> {
  const { conversationId, actor, clock } = step
  const conversation = await lockConversation(tx, conversationId)
  const isTheirs = conversation.assigneeId === actor.id || actor.role === 'owner'
  if (conversation.status === 'assigned' && !isTheirs) throw wrongState()
  await changeOwner(tx, conversation, { kind: 'return_to_bot' })
  await endHandoff(tx, conversationId, 'returned', clock.now())
  return view(tx, conversationId)
}

/**
 * The matter is settled, says the assignee or an owner; anyone may when only the phone has it.
 * @param step.seenUntil up to when they have seen what the customer wrote, epoch ms: closed over a newer message,
 *   that one would be answered by nobody.
 * @throws AppError `not_found`, `wrong_state`, `new_message`.
 */
export async function resolve(
  tx: Tx,
  step: StaffStep & { readonly seenUntil?: number | undefined },
): Promise<ConversationView> {
  const { conversationId, actor, clock, seenUntil } = step
  const conversation = await lockConversation(tx, conversationId)
  if (!mayLetGo(conversation, actor)) throw wrongState()
  const newestAt = conversation.lastInboundAt?.getTime() ?? 0
  if (seenUntil !== undefined && newestAt > seenUntil) throw newMessage()
  await changeOwner(tx, conversation, { kind: 'resolve' })
  await endHandoff(tx, conversationId, 'resolved', clock.now())
  return view(tx, conversationId)
}

/** The caller holds the conversation's lock; it is `assigned`. */
export async function releaseToQueue(
  tx: Tx,
  conversation: ConversationModel,
  profile: HandoffProfile,
  now: number,
): Promise<void> {
  const since = (await waitingSince(tx, conversation.id)) ?? now
  await changeOwner(tx, conversation, { kind: 'release' }, since)
  // Who took over by themselves had no reply due, and a reply that was made is of the wait before: whoever
  // waits in the queue waits for one.
  const dueAt = firstReplyDueAt(profile, since)
  await tx.handoff.updateMany({
    where: {
      tenantId: tx.tenantId,
      conversationId: conversation.id,
      endedAt: null,
      OR: [{ firstReplyDueAt: null }, { firstReplyAt: { not: null } }],
    },
    data: { firstReplyDueAt: dueAt === null ? null : new Date(dueAt) },
  })
}

function mayLetGo(conversation: ConversationModel, actor: StaffActor): boolean {
  const { assigneeId } = conversation
  return assigneeId === null || assigneeId === actor.id || actor.role === 'owner'
}

async function hold(tx: Tx, { conversationId, actor, clock }: StaffStep): Promise<'staff_takeover' | null> {
  const reason = 'staff_takeover'
  return holdHandoff(tx, { conversationId, staffId: actor.id, now: clock.now(), reason })
}

async function view(tx: Tx, conversationId: string): Promise<ConversationView> {
  const conversation = await getConversation(tx, conversationId)
  if (conversation === null) throw conversationNotFound()
  return conversation
}
