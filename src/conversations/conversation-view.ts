import {
  type ConversationDto,
  conversationDtoSchema,
  conversationStatusSchema,
  handoffReasonSchema,
} from '../contracts/staff-api.ts'
import type { ConversationModel, CustomerModel, HandoffModel, Reader } from '../db/index.ts'
import { sql } from '../db/index.ts'
import { formatOffsetInstant } from '../scheduling/time-zone.ts'
import { isId } from '../shared/ids.ts'
import { formatInstant } from './format-instant.ts'
import { windowClosesAt } from './window.ts'

/** A conversation as lists and the thread's head show it. */
export interface ConversationView extends ConversationModel {
  readonly customer: CustomerModel
  readonly assignee: { readonly id: string; readonly name: string } | null
  /** The open handoff, at most one. */
  readonly handoffs: readonly HandoffModel[]
  /** Whoever has it open, also those whose time is over. */
  readonly viewers: readonly ViewerRow[]
  /** The newest message that passed between customer and business. */
  readonly lastMessage: LastMessage | null
}

interface ViewerRow {
  readonly expiresAt: Date
  readonly staff: { readonly id: string; readonly name: string }
}

interface LastMessage {
  readonly direction: string
  readonly author: string
  readonly type: string
  readonly text: string | null
}

const NAMED = { select: { id: true, name: true } } as const
const VIEW = {
  customer: true,
  assignee: NAMED,
  handoffs: { where: { endedAt: null } },
  viewers: { select: { expiresAt: true, staff: NAMED }, orderBy: { staffId: 'asc' } },
} as const

const PREVIEW_LENGTH = 200

/** The conversation, or null when this tenant has none of that id. */
export async function getConversation(
  reader: Reader,
  conversationId: string,
): Promise<ConversationView | null> {
  if (!isId(conversationId)) return null
  const [view] = await getConversations(reader, [conversationId])
  return view ?? null
}

/** The conversations of these ids, in their order. */
export async function getConversations(reader: Reader, ids: readonly string[]): Promise<ConversationView[]> {
  if (ids.length === 0) return []
  const rows = await reader.conversation.findMany({
    where: { tenantId: reader.tenantId, id: { in: [...ids] } },
    include: VIEW,
  })
  const lastMessages = await readLastMessages(reader, ids)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    return row === undefined ? [] : [{ ...row, lastMessage: lastMessages.get(id) ?? null }]
  })
}

/**
 * While the business's own phone holds a conversation, that is its reason, whatever brought it to people; the
 * row keeps what did, for the metrics and for whoever claims it.
 * @param now epoch ms; who has not been seen until then does not look any more.
 */
export function toConversationDto(view: ConversationView, timeZone: string, now: number): ConversationDto {
  const { id, customer, assignee, unread } = view
  const status = conversationStatusSchema.parse(view.status)
  const handoff = view.handoffs[0]
  const isWithPhone = status === 'assigned' && assignee === null
  return {
    id,
    status,
    customer: { id: customer.id, name: customer.name, phone: customer.phone },
    assignee: assignee === null ? null : { id: assignee.id, name: assignee.name },
    handoff:
      handoff === undefined
        ? null
        : {
            reason: isWithPhone ? 'phone_takeover' : handoffReasonSchema.parse(handoff.reason),
            summary: handoff.summary,
            requestedAt: formatOffsetInstant(timeZone, handoff.requestedAt.getTime()),
            firstReplyDueAt: formatInstant(handoff.firstReplyDueAt, timeZone),
            firstReplyAt: formatInstant(handoff.firstReplyAt, timeZone),
          },
    unread,
    lastMessageAt: formatInstant(view.lastMessageAt, timeZone),
    windowClosesAt: formatInstant(windowClosesAt(view), timeZone),
    lastMessage: conversationDtoSchema.shape.lastMessage.parse(view.lastMessage),
    viewers: view.viewers
      .filter(({ expiresAt }) => expiresAt.getTime() > now)
      .map(({ staff }) => ({ id: staff.id, name: staff.name })),
  }
}

async function readLastMessages(reader: Reader, ids: readonly string[]): Promise<Map<string, LastMessage>> {
  const rows = await reader.$queryRaw<(LastMessage & { conversation_id: string })[]>(sql`
    select m.* from unnest(${[...ids]}::uuid[]) as wanted(id) cross join lateral (
      select conversation_id, direction, author, type, left(text, ${PREVIEW_LENGTH}::int) as text from messages
      where tenant_id = ${reader.tenantId}::uuid and conversation_id = wanted.id
        and direction in ('in', 'out') and status <> 'canceled'
      order by seq desc limit 1
    ) m`)
  return new Map(rows.map(({ conversation_id, ...message }) => [conversation_id, message]))
}
