import { type Reader, sql, type Tx } from '../db/index.ts'
import { findConversation } from './conversation-row.ts'
import { conversationNotFound } from './errors.ts'

/** How long somebody counts as looking after their page last said so. Pages say so every 15 seconds. */
export const VIEWER_TTL_MS = 40_000

interface Viewing {
  readonly conversationId: string
  readonly staffId: string
}

/**
 * Somebody has the conversation open. Those whose time is over are forgotten at the same time.
 * @throws AppError `not_found`.
 */
export async function keepViewing(tx: Tx, viewing: Viewing, now: number): Promise<void> {
  const { tenantId } = tx
  const { conversationId, staffId } = viewing
  if ((await findConversation(tx, conversationId)) === null) throw conversationNotFound()
  const expiresAt = new Date(now + VIEWER_TTL_MS)
  await forgetExpired(tx, now, conversationId)
  await tx.conversationViewer.upsert({
    where: { tenantId_conversationId_staffId: { tenantId, conversationId, staffId } },
    create: { tenantId, conversationId, staffId, expiresAt },
    update: { expiresAt },
  })
}

/** @throws AppError `not_found`. */
export async function stopViewing(tx: Tx, viewing: Viewing): Promise<void> {
  const { conversationId, staffId } = viewing
  if ((await findConversation(tx, conversationId)) === null) throw conversationNotFound()
  await tx.conversationViewer.deleteMany({ where: { tenantId: tx.tenantId, conversationId, staffId } })
}

/** Who looks at it now. */
export async function listViewers(
  reader: Reader,
  conversationId: string,
  now: number,
): Promise<{ readonly id: string; readonly name: string }[]> {
  const rows = await reader.conversationViewer.findMany({
    where: { tenantId: reader.tenantId, conversationId, expiresAt: { gt: new Date(now) } },
    select: { staff: { select: { id: true, name: true } } },
    orderBy: { staffId: 'asc' },
  })
  return rows.map(({ staff }) => staff)
}

/** Forgets who went away without a word: of one conversation, or of all. */
export async function forgetExpired(tx: Tx, now: number, conversationId?: string): Promise<void> {
  // Two at once take the rows in the same order, and leave each other what is taken.
  const condition = conversationId === undefined ? sql`true` : sql`conversation_id = ${conversationId}::uuid`
  await tx.$executeRaw(sql`delete from conversation_viewers v using (
      select conversation_id, staff_id from conversation_viewers
      where tenant_id = ${tx.tenantId}::uuid and expires_at <= ${new Date(now)} and ${condition}
      order by conversation_id, staff_id for update skip locked
    ) gone
    where v.tenant_id = ${tx.tenantId}::uuid and v.conversation_id = gone.conversation_id
      and v.staff_id = gone.staff_id`)
}
