import type { Reader, RunModel } from '../db/index.ts'
import { isId } from '../shared/ids.ts'
import { findConversation } from './conversation-row.ts'
import { decodeCursor, encodeCursor, type Page } from './cursor.ts'
import { conversationNotFound } from './errors.ts'
import { MESSAGE_VIEW, type MessageView } from './message-view.ts'

/**
 * A conversation's messages and notes, newest first. `before` is a message id, and so is `nextCursor`; one
 * that is not of this conversation has nothing before it.
 * @throws AppError `not_found` when there is no such conversation.
 */
export async function listMessages(
  reader: Reader,
  input: { readonly conversationId: string; readonly before?: string; readonly limit: number },
): Promise<Page<MessageView>> {
  const { conversationId, before, limit } = input
  await requireConversation(reader, conversationId)
  const { tenantId } = reader
  let beforeSeq: bigint | null = null
  if (before !== undefined) {
    const anchor = isId(before)
      ? await reader.message.findFirst({
          where: { tenantId, conversationId, id: before },
          select: { seq: true },
        })
      : null
    if (anchor === null) return { items: [], nextCursor: null }
    beforeSeq = anchor.seq
  }
  const rows = await reader.message.findMany({
    where: { tenantId, conversationId, ...(beforeSeq === null ? {} : { seq: { lt: beforeSeq } }) },
    orderBy: { seq: 'desc' },
    take: limit + 1,
    include: MESSAGE_VIEW,
  })
  const items = rows.slice(0, limit)
  return { items, nextCursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null }
}

/**
 * A conversation's runs, newest first.
 * @throws AppError `not_found` when there is no such conversation; `invalid_cursor`.
 */
export async function listRuns(
  reader: Reader,
  input: { readonly conversationId: string; readonly cursor?: string; readonly limit: number },
): Promise<Page<RunModel>> {
  const { conversationId, cursor, limit } = input
  await requireConversation(reader, conversationId)
  const position = cursor === undefined ? null : decodeCursor(cursor)
  const startedAt = position === null ? null : new Date(position.at)
  const rows = await reader.run.findMany({
    where: {
      tenantId: reader.tenantId,
      conversationId,
      ...(position === null || startedAt === null
        ? {}
        : { OR: [{ startedAt: { lt: startedAt } }, { startedAt, id: { lt: position.id } }] }),
    },
    orderBy: [{ startedAt: 'desc' }, { id: 'desc' }],
    take: limit + 1,
  })
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return {
    items,
    nextCursor:
      rows.length > limit && last !== undefined
        ? encodeCursor({ at: last.startedAt.getTime(), id: last.id })
        : null,
  }
}

async function requireConversation(reader: Reader, conversationId: string): Promise<void> {
  if ((await findConversation(reader, conversationId)) === null) throw conversationNotFound()
}
