import { type Reader, sql, type Tx } from '../db/index.ts'

/** Where a query stops: a message counts as unread while nobody dealt with it. */
const UNREAD = { direction: 'in', answeredAt: null, seenByStaffAt: null } as const

/**
 * The bot answered everything up to `uptoSeq`: these messages await no turn and are not unread any more. Call
 * it in the transaction that writes the answer, under the conversation's lock. Not for a handoff: what led to
 * it still waits for a person, and the first-reply clock starts there.
 */
export async function markAnswered(
  tx: Tx,
  input: { readonly conversationId: string; readonly uptoSeq: bigint; readonly now: number },
): Promise<void> {
  const { tenantId } = tx
  await tx.message.updateMany({
    where: {
      tenantId,
      conversationId: input.conversationId,
      direction: 'in',
      answeredAt: null,
      seq: { lte: input.uptoSeq },
    },
    data: { answeredAt: new Date(input.now), awaitsTurn: false },
  })
  await storeUnread(tx, input.conversationId)
}

/** One message was answered on the spot, whatever waits before it. Under the conversation's lock. */
export async function markMessageAnswered(
  tx: Tx,
  input: { readonly conversationId: string; readonly messageId: string; readonly now: number },
): Promise<void> {
  await tx.message.updateMany({
    where: { tenantId: tx.tenantId, id: input.messageId, answeredAt: null },
    data: { answeredAt: new Date(input.now), awaitsTurn: false },
  })
  await storeUnread(tx, input.conversationId)
}

/** A person of the staff has seen the thread, or answered in it. */
export async function markSeen(
  tx: Tx,
  input: { readonly conversationId: string; readonly now: number },
): Promise<void> {
  await tx.message.updateMany({
    where: { tenantId: tx.tenantId, conversationId: input.conversationId, ...UNREAD },
    data: { seenByStaffAt: new Date(input.now) },
  })
  await storeUnread(tx, input.conversationId)
}

/**
 * Arrival (epoch ms) of the first message of the customer that nobody answered, neither the bot nor a person;
 * null when none waits. What people let go when they gave the conversation back or resolved it does not wait.
 * The first-reply clock and the order of the queue count from it.
 */
export async function waitingSince(reader: Reader, conversationId: string): Promise<number | null> {
  const rows = await reader.$queryRaw<{ since: Date | null }[]>(sql`
    select min(m.created_at) as since from messages m
    where m.tenant_id = ${reader.tenantId}::uuid and m.conversation_id = ${conversationId}::uuid
      and m.direction = 'in' and m.answered_at is null
      and m.seq > coalesce((select max(s.seq) from messages s
        where s.tenant_id = m.tenant_id and s.conversation_id = m.conversation_id
          and s.direction = 'out' and s.author = 'staff'), 0)
      and m.created_at > coalesce((select max(h.ended_at) from handoffs h
        where h.tenant_id = m.tenant_id and h.conversation_id = m.conversation_id), '-infinity')`)
  return rows[0]?.since?.getTime() ?? null
}

/** Counts anew; what `conversations.unread` holds and a recount are always equal. */
async function storeUnread(tx: Tx, conversationId: string): Promise<void> {
  const unread = await tx.message.count({ where: { tenantId: tx.tenantId, conversationId, ...UNREAD } })
  await tx.conversation.update({
    where: { tenantId_id: { tenantId: tx.tenantId, id: conversationId } },
    data: { unread },
  })
}
