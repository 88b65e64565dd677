import type { ConversationStatus } from '../contracts/staff-api.ts'
import { emptySql, joinSql, type Reader, type Sql, sql } from '../db/index.ts'
import { isId } from '../shared/ids.ts'
import { type ConversationView, getConversations } from './conversation-view.ts'
import { decodeCursor, encodeCursor, type Page } from './cursor.ts'
import { foldedPattern, foldedSql } from './search-text.ts'

export interface ConversationFilter {
  readonly status?: ConversationStatus
  readonly assigneeId?: string
  /** Searches customer name and phone, and texts, without case and accents. */
  readonly q?: string
  readonly cursor?: string
  /** 1 to 100. */
  readonly limit: number
}

/** Fewer digits than this are in every number. */
const MIN_PHONE_DIGITS = 3

/**
 * One page of conversations: the queue with the longest wait first, every other list with the newest message
 * first. Pages follow each other by the last row's key, so what comes in between neither repeats nor hides
 * a row that did not move.
 * @throws AppError `invalid_cursor`.
 */
export async function listConversations(
  reader: Reader,
  filter: ConversationFilter,
): Promise<Page<ConversationView>> {
  const isQueue = filter.status === 'queued'
  const key = isQueue ? sql`c.queued_at` : sql`coalesce(c.last_message_at, c.created_at)`
  const order = isQueue ? sql`${key} asc, c.id asc` : sql`${key} desc, c.id desc`
  const conditions = [
    sql`c.tenant_id = ${reader.tenantId}::uuid`,
    filter.status === undefined ? emptySql : sql`c.status = ${filter.status}`,
    assigneeCondition(filter.assigneeId),
    filter.cursor === undefined ? emptySql : afterCursor(filter.cursor, key, isQueue),
    filter.q === undefined || filter.q.trim() === '' ? emptySql : searchCondition(filter.q.trim()),
  ].filter((condition) => condition !== emptySql)
  const rows = await reader.$queryRaw<{ id: string; at: Date }[]>(sql`
    select c.id, ${key} as at from conversations c
    join customers u on u.tenant_id = c.tenant_id and u.id = c.customer_id
    where ${joinSql(conditions, ' and ')}
    order by ${order} limit ${filter.limit + 1}`)
  const page = rows.slice(0, filter.limit)
  const last = page.at(-1)
  return {
    items: await getConversations(
      reader,
      page.map(({ id }) => id),
    ),
    nextCursor:
      rows.length > filter.limit && last !== undefined
        ? encodeCursor({ at: last.at.getTime(), id: last.id })
        : null,
  }
}

function assigneeCondition(assigneeId: string | undefined): Sql {
  if (assigneeId === undefined) return emptySql
  return isId(assigneeId) ? sql`c.assignee_id = ${assigneeId}::uuid` : sql`false`
}

function afterCursor(cursor: string, key: Sql, ascending: boolean): Sql {
  const { at, id } = decodeCursor(cursor)
  const last = sql`(${new Date(at).toISOString()}::timestamptz, ${id}::uuid)`
  return ascending ? sql`(${key}, c.id) > ${last}` : sql`(${key}, c.id) < ${last}`
}

function searchCondition(q: string): Sql {
  const pattern = foldedPattern(q)
  const digits = q.replace(/\D/g, '')
  // A number may be typed with its punctuation, but `10h30` is no number.
  const isPhone = digits.length >= MIN_PHONE_DIGITS && /^[\d\s()+.-]+$/.test(q)
  const byPhone = isPhone
    ? sql`or u.phone like ${`%${digits}%`} or exists (select 1 from customer_identities i
        where i.tenant_id = c.tenant_id and i.customer_id = c.customer_id
          and i.kind = 'phone' and i.value like ${`%${digits}%`})`
    : emptySql
  return sql`(${foldedSql('u.name')} like ${pattern} ${byPhone} or exists (select 1 from messages m
    where m.tenant_id = c.tenant_id and m.conversation_id = c.id and ${foldedSql('m.text')} like ${pattern}))`
}
