import type { ConversationCounts } from '../contracts/dashboard-api.ts'
import { type Reader, sql } from '../db/index.ts'

interface Row {
  readonly status: string
  readonly is_mine: boolean
  readonly conversations: number
  readonly unread: number
}

/** How many conversations stand where, and how many messages in them are unread. Closed ones wait for nobody. */
export async function countConversations(reader: Reader, staffId: string): Promise<ConversationCounts> {
  const rows = await reader.$queryRaw<Row[]>(sql`
    select status, coalesce(assignee_id = ${staffId}::uuid, false) as is_mine,
      count(*)::int as conversations, sum(unread)::int as unread
    from conversations
    where tenant_id = ${reader.tenantId}::uuid and status <> 'closed'
    group by 1, 2`)
  const tally = (isCounted: (row: Row) => boolean) => {
    const counted = rows.filter(isCounted)
    return {
      conversations: counted.reduce((sum, row) => sum + row.conversations, 0),
      unread: counted.reduce((sum, row) => sum + row.unread, 0),
    }
  }
  return {
    queued: tally(({ status }) => status === 'queued'),
    mine: tally(({ status, is_mine }) => status === 'assigned' && is_mine),
    assigned: tally(({ status }) => status === 'assigned'),
    bot: tally(({ status }) => status === 'bot'),
  }
}
