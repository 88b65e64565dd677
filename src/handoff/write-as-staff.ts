import { lockConversation } from '../conversations/conversation-row.ts'
import type { OutboundContent } from '../conversations/outbound-channel.ts'
import { writeOutbound } from '../conversations/outbox.ts'
import { loadGate } from '../conversations/send-gate.ts'
import { markSeen } from '../conversations/unread.ts'
import { isWindowOpen } from '../conversations/window.ts'
import type { ConversationModel, MessageModel, Tx } from '../db/index.ts'
import type { Clock } from '../shared/clock.ts'
import { newId } from '../shared/ids.ts'
import { customerOptedOut, notAssigned, proactiveStopped, windowClosed } from './errors.ts'
import { markFirstReply } from './handoff-row.ts'

/** What a person may send: free text inside the 24-hour window, an approved template at any time. */
export type StaffReply =
  | { readonly text: string }
  | {
      readonly template: {
        readonly name: string
        readonly language: string
        readonly components?: readonly unknown[]
      }
    }

/**
 * Writes to the customer as the person the conversation is assigned to. The message is sent whoever owns the
 * conversation by then. It is the first reply of the handoff if there was none, and what the customer wrote
 * so far counts as seen.
 * @param input.content free text of at most the channel's length (4,096).
 * @returns the message, `pending`.
 * @throws AppError `not_found`; `not_assigned`; outside 24 hours `window_closed` for free text, and for a template
 *   `customer_opted_out` or `proactive_stopped`.
 */
export async function reply(
  tx: Tx,
  input: {
    readonly conversationId: string
    readonly staffId: string
    readonly content: StaffReply
    readonly clock: Clock
  },
): Promise<MessageModel> {
  const { conversationId, staffId, clock } = input
  const now = clock.now()
  const conversation = await lockConversation(tx, conversationId)
  if (conversation.status !== 'assigned' || conversation.assigneeId !== staffId) throw notAssigned()
  const content = outboundContent(input.content)
  if (!isWindowOpen(conversation, now)) await assertMayBeginTalking(tx, conversation, content)
  const message = await writeOutbound(tx, {
    conversation,
    author: 'staff',
    content,
    ownerEpoch: null,
    staffId,
    clock,
  })
  await markFirstReply(tx, conversationId, staffId, now)
  await markSeen(tx, { conversationId, now })
  return message
}

/** Outside the window the business speaks first: in a template alone, and only to who may be written to. */
async function assertMayBeginTalking(
  tx: Tx,
  conversation: ConversationModel,
  content: OutboundContent,
): Promise<void> {
  if (content.kind !== 'template') throw windowClosed()
  const gate = await loadGate(tx, conversation)
  if (gate.customerOptedOut) throw customerOptedOut()
  if (gate.proactiveStopped) throw proactiveStopped()
}

/**
 * A private note in the thread: never sent, never shown to the model, and no message, so it keeps nothing
 * from being closed. In any state, by anyone of the staff.
 * @throws AppError `not_found`.
 */
export async function addNote(
  tx: Tx,
  input: {
    readonly conversationId: string
    readonly staffId: string
    readonly text: string
    readonly clock: Clock
  },
): Promise<MessageModel> {
  const conversation = await lockConversation(tx, input.conversationId)
  return tx.message.create({
    data: {
      tenantId: tx.tenantId,
      id: newId(),
      conversationId: conversation.id,
      channelId: conversation.channelId,
      direction: 'note',
      author: 'staff',
      type: 'text',
      text: input.text,
      status: 'received',
      staffId: input.staffId,
      createdAt: new Date(input.clock.now()),
    },
  })
}

/**
 * Somebody of the staff has read the thread: nothing in it is unread. In any state.
 * @throws AppError `not_found`.
 */
export async function markRead(
  tx: Tx,
  input: { readonly conversationId: string; readonly clock: Clock },
): Promise<void> {
  const { id } = await lockConversation(tx, input.conversationId)
  await markSeen(tx, { conversationId: id, now: input.clock.now() })
}

function outboundContent(content: StaffReply): OutboundContent {
  if ('text' in content) return { kind: 'text', verbatim: true, text: content.text }
  const { name, language, components } = content.template
  return { kind: 'template', name, language, components: components ?? [] }
}
