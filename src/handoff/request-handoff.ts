import { changeOwner } from '../conversations/owner.ts'
import { waitingSince } from '../conversations/unread.ts'
import type { ConversationModel, HandoffModel, Tx } from '../db/index.ts'
import type { Clock } from '../shared/clock.ts'
import type { HandoffReason } from '../shared/handoff-reason.ts'
import { firstReplyDueAt, type HandoffProfile } from './first-reply-clock.ts'
import { openHandoff } from './handoff-row.ts'

export interface HandoffRequest {
  /** As read under its lock, which the caller holds. */
  readonly conversation: ConversationModel
  readonly reason: HandoffReason
  /** For the person who takes over, in the tenant's locale. */
  readonly summary: string
  readonly runId: string | null
  readonly profile: HandoffProfile
  readonly clock: Clock
}

/**
 * Puts a conversation of the bot into the human queue. The notice to the customer, if any, is the caller's to
 * write, with the epoch of the conversation that comes back. The messages that led here stay unanswered:
 * they are unread for the staff, and the first-reply clock runs from the first of them.
 *
 * The same reason cannot come twice without a word of the customer: a conversation that was given back awaits
 * no turn until they write again.
 * @throws AppError `wrong_state` unless the bot owns the conversation.
 */
export async function requestHandoff(
  tx: Tx,
  request: HandoffRequest,
): Promise<{ conversation: ConversationModel; handoff: HandoffModel }> {
  const now = request.clock.now()
  const since = (await waitingSince(tx, request.conversation.id)) ?? now
  const conversation = await changeOwner(tx, request.conversation, { kind: 'handoff' }, since)
  const handoff = await openHandoff(tx, {
    conversationId: conversation.id,
    reason: request.reason,
    summary: request.summary,
    runId: request.runId,
    now,
    firstReplyDueAt: firstReplyDueAt(request.profile, since),
  })
  return { conversation, handoff }
}
