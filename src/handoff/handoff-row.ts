import type { HandoffModel, Reader, Tx } from '../db/index.ts'
import type { HandoffReason } from '../shared/handoff-reason.ts'
import { newId } from '../shared/ids.ts'

/** The open handoff of a conversation: there is one exactly while people have it (`queued`, `assigned`). */
export async function findOpenHandoff(reader: Reader, conversationId: string): Promise<HandoffModel | null> {
  return reader.handoff.findFirst({ where: { tenantId: reader.tenantId, conversationId, endedAt: null } })
}

export async function openHandoff(
  tx: Tx,
  input: {
    readonly conversationId: string
    readonly reason: HandoffReason
    readonly summary: string
    readonly runId?: string | null
    readonly now: number
    readonly firstReplyDueAt: number | null
  },
): Promise<HandoffModel> {
  return tx.handoff.create({
    data: {
      tenantId: tx.tenantId,
      id: newId(),
      conversationId: input.conversationId,
      reason: input.reason,
      summary: input.summary,
      runId: input.runId ?? null,
      requestedAt: new Date(input.now),
      firstReplyDueAt: input.firstReplyDueAt === null ? null : new Date(input.firstReplyDueAt),
    },
  })
}

/**
 * Somebody has it now: a member of the staff, or the phone (`staffId` null). Opens a handoff when none is, and
 * returns its reason then; null when one was open.
 */
export async function holdHandoff<Reason extends 'staff_takeover' | 'phone_takeover'>(
  tx: Tx,
  input: {
    readonly conversationId: string
    readonly staffId: string | null
    readonly now: number
    /** Of a handoff that begins with this person. */
    readonly reason: Reason
  },
): Promise<Reason | null> {
  const { conversationId, now, reason } = input
  const open = await findOpenHandoff(tx, conversationId)
  const held =
    open ?? (await openHandoff(tx, { conversationId, reason, summary: '', now, firstReplyDueAt: null }))
  await tx.handoff.update({
    where: { tenantId_id: { tenantId: tx.tenantId, id: held.id } },
    data: { claimedAt: new Date(now), staffId: input.staffId },
  })
  return open === null ? reason : null
}

/** Somebody of the staff wrote to the customer; only the first time counts. */
export async function markFirstReply(
  tx: Tx,
  conversationId: string,
  staffId: string | null,
  now: number,
): Promise<void> {
  await tx.handoff.updateMany({
    where: { tenantId: tx.tenantId, conversationId, endedAt: null, firstReplyAt: null },
    data: { firstReplyAt: new Date(now), staffId },
  })
}

export async function endHandoff(
  tx: Tx,
  conversationId: string,
  outcome: 'returned' | 'resolved',
  now: number,
): Promise<void> {
  await tx.handoff.updateMany({
    where: { tenantId: tx.tenantId, conversationId, endedAt: null },
    data: { endedAt: new Date(now), outcome },
  })
}
