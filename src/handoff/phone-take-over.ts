import { changeOwner } from '../conversations/owner.ts'
import { type OutsideMessage, recordOutside } from '../conversations/record-outside.ts'
import { markSeen } from '../conversations/unread.ts'
import type { Tx } from '../db/index.ts'
import type { Clock } from '../shared/clock.ts'
import { holdHandoff, markFirstReply } from './handoff-row.ts'

export interface PhoneTakeOver {
  readonly kind: 'stored' | 'duplicate'
  readonly conversationId: string
  /** The handoff that began with it; null when people had the conversation already. */
  readonly handoff: 'phone_takeover' | null
}

/**
 * A person wrote on the business's own phone (`smb_message_echoes`), also when they start the chat: the
 * message is stored as the staff's, and the phone has the conversation now (`assigned` to nobody). The same
 * `wamid` again changes nothing; a message of ours that comes back as an echo is not one.
 */
export async function phoneTakeOver(
  tx: Tx,
  message: Omit<OutsideMessage, 'direction' | 'status' | 'isHistory'> & { readonly clock: Clock },
): Promise<PhoneTakeOver> {
  const { clock, ...echo } = message
  const { kind, conversation } = await recordOutside(tx, { ...echo, direction: 'out', isHistory: false })
  const conversationId = conversation.id
  if (kind === 'duplicate') return { kind, conversationId, handoff: null }
  const now = clock.now()
  const moved = await changeOwner(tx, conversation, { kind: 'phone_take_over' })
  const handoff =
    moved === conversation
      ? null
      : await holdHandoff(tx, { conversationId, staffId: null, now, reason: 'phone_takeover' })
  await markFirstReply(tx, conversationId, null, now)
  await markSeen(tx, { conversationId, now })
  return { kind, conversationId, handoff }
}
