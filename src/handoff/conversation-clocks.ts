import { lockConversation } from '../conversations/conversation-row.ts'
import { changeOwner } from '../conversations/owner.ts'
import { waitingSince } from '../conversations/unread.ts'
import { WINDOW_MS } from '../conversations/window.ts'
import { type Reader, sql, type Tx } from '../db/index.ts'
import type { HandoffProfile } from './first-reply-clock.ts'
import { endHandoff, findOpenHandoff } from './handoff-row.ts'
import { releaseToQueue } from './ownership.ts'

const MINUTE_MS = 60_000

/** The tenant and the moment that its clocks are looked at. */
export interface ClockReading {
  readonly profile: HandoffProfile
  /** Epoch ms. */
  readonly now: number
}

export interface ConversationPage {
  /** Ids after this one. */
  readonly after: string
  readonly limit: number
}

/** One of the clocks that move a conversation on when nobody does. */
export interface ConversationClock {
  /** Conversations whose time has probably come, by id. */
  readonly find: (reader: Reader, reading: ClockReading, page: ConversationPage) => Promise<string[]>
  /** Moves one on when its time has come under the lock too; true when it moved. */
  readonly move: (tx: Tx, conversationId: string, reading: ClockReading) => Promise<boolean>
}

/**
 * An assigned conversation whose customer waits for `returnToQueueMinutes` goes back to the queue. The time
 * counts from the customer's first word without an answer, or from the claim when that came later.
 */
export const silentAssignee: ConversationClock = {
  find: async (reader, { profile, now }, { after, limit }) => {
    const before = new Date(now - profile.handoff.returnToQueueMinutes * MINUTE_MS).toISOString()
    const rows = await reader.$queryRaw<{ id: string }[]>(sql`
      select c.id from conversations c
      where c.tenant_id = ${reader.tenantId}::uuid and c.status = 'assigned' and c.id > ${after}::uuid
        and exists (
          select 1 from messages m
          where m.tenant_id = c.tenant_id and m.conversation_id = c.id
            and m.direction = 'in' and m.answered_at is null and m.created_at <= ${before}::timestamptz
            and m.seq > coalesce((select max(s.seq) from messages s
              where s.tenant_id = m.tenant_id and s.conversation_id = m.conversation_id
                and s.direction = 'out' and s.author = 'staff'), 0))
      order by c.id limit ${limit}`)
    return rows.map(({ id }) => id)
  },
  move: async (tx, conversationId, { profile, now }) => {
    const conversation = await lockConversation(tx, conversationId)
    if (conversation.status !== 'assigned') return false
    const since = await waitingSince(tx, conversationId)
    if (since === null) return false
    const claimedAt = (await findOpenHandoff(tx, conversationId))?.claimedAt?.getTime() ?? since
    if (now - Math.max(since, claimedAt) < profile.handoff.returnToQueueMinutes * MINUTE_MS) return false
    await releaseToQueue(tx, conversation, profile, now)
    return true
  },
}

/** One of the bot or of a person with 24 hours without a message is closed, never one that is queued. */
export const idleConversation: ConversationClock = {
  find: async (reader, { now }, { after, limit }) => {
    const rows = await reader.conversation.findMany({
      where: {
        tenantId: reader.tenantId,
        status: { in: ['bot', 'assigned'] },
        lastMessageAt: { lte: new Date(now - WINDOW_MS) },
        id: { gt: after },
      },
      select: { id: true },
      orderBy: { id: 'asc' },
      take: limit,
    })
    return rows.map(({ id }) => id)
  },
  move: async (tx, conversationId, { now }) => {
    const conversation = await lockConversation(tx, conversationId)
    if (conversation.status !== 'bot' && conversation.status !== 'assigned') return false
    const lastMessageAt = conversation.lastMessageAt?.getTime() ?? now
    if (now - lastMessageAt < WINDOW_MS) return false
    await changeOwner(tx, conversation, { kind: 'idle' })
    await endHandoff(tx, conversationId, 'resolved', now)
    return true
  },
}
