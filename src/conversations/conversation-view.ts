import {
  type ConversationDto,
  conversationStatusSchema,
  handoffReasonSchema,
  type MessageDto,
  messageDtoSchema,
  messageStatusSchema,
  type RunDto,
  runDtoSchema,
} from '../contracts/staff-api.ts'
import type {
  ConversationModel,
  CustomerModel,
  HandoffModel,
  MessageModel,
  Reader,
  RunModel,
} from '../db/index.ts'
import { formatOffsetInstant } from '../scheduling/time-zone.ts'
import { isId } from '../shared/ids.ts'
import { windowClosesAt } from './window.ts'

/** A conversation as lists and the thread's head show it. */
export interface ConversationView extends ConversationModel {
  readonly customer: CustomerModel
  readonly assignee: { readonly id: string; readonly name: string } | null
  /** The open handoff, at most one. */
  readonly handoffs: readonly HandoffModel[]
}

const VIEW = {
  customer: true,
  assignee: { select: { id: true, name: true } },
  handoffs: { where: { endedAt: null } },
} as const

/** The conversation, or null when this tenant has none of that id. */
export async function getConversation(
  reader: Reader,
  conversationId: string,
): Promise<ConversationView | null> {
  if (!isId(conversationId)) return null
  return reader.conversation.findUnique({
    where: { tenantId_id: { tenantId: reader.tenantId, id: conversationId } },
    include: VIEW,
  })
}

/** The conversations of these ids, in their order. */
export async function getConversations(reader: Reader, ids: readonly string[]): Promise<ConversationView[]> {
  const rows = await reader.conversation.findMany({
    where: { tenantId: reader.tenantId, id: { in: [...ids] } },
    include: VIEW,
  })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/**
 * While the business's own phone holds a conversation, that is its reason, whatever brought it to people; the
 * row keeps what did, for the metrics and for whoever claims it.
 */
export function toConversationDto(view: ConversationView, timeZone: string): ConversationDto {
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
            firstReplyDueAt: instant(handoff.firstReplyDueAt, timeZone),
          },
    unread,
    lastMessageAt: instant(view.lastMessageAt, timeZone),
    windowClosesAt: instant(windowClosesAt(view), timeZone),
  }
}

export function toMessageDto(message: MessageModel, timeZone: string): MessageDto {
  const { errorCode, errorDetail } = message
  return {
    id: message.id,
    direction: messageDtoSchema.shape.direction.parse(message.direction),
    author: messageDtoSchema.shape.author.parse(message.author),
    type: message.type,
    text: message.text,
    status: messageStatusSchema.parse(message.status),
    error: errorCode === null ? null : { code: errorCode, detail: errorDetail ?? '' },
    sentAt: instant(message.sentAt, timeZone),
    createdAt: formatOffsetInstant(timeZone, message.createdAt.getTime()),
  }
}

export function toRunDto(run: RunModel, timeZone: string): RunDto {
  return {
    id: run.id,
    status: runDtoSchema.shape.status.parse(run.status),
    stopReason: run.stopReason,
    steps: run.steps,
    usage: {
      inputTokens: run.inputTokens,
      cacheReadTokens: run.cacheReadTokens,
      cacheWriteTokens: run.cacheWriteTokens,
      outputTokens: run.outputTokens,
    },
    costUsd: Number(run.costMicroUsd) / 1_000_000,
    startedAt: formatOffsetInstant(timeZone, run.startedAt.getTime()),
    finishedAt: instant(run.finishedAt, timeZone),
  }
}

function instant(at: Date | number | null, timeZone: string): string | null {
  if (at === null) return null
  return formatOffsetInstant(timeZone, typeof at === 'number' ? at : at.getTime())
}
