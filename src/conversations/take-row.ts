import type { ConversationModel, OutboxModel, Tx } from '../db/index.ts'
import { lockConversation } from './conversation-row.ts'
import type { OutboundContent, Recipient } from './outbound-channel.ts'
import { parseOutboundContent } from './outbound-content.ts'
import { queueDrain } from './outbox.ts'
import { RESEND_UNKNOWN_AFTER_MS } from './send-again.ts'
import { isWindowOpen } from './window.ts'

/** A row that is now `sending`, with all that its sending takes. */
export interface TakenRow {
  readonly id: string
  readonly conversationId: string
  readonly channelId: string
  /** Which try this is, from 1. */
  readonly attempt: number
  readonly to: Recipient
  readonly content: OutboundContent
  readonly locale: string
}

/** Rows that a process left in `sending` when it died: sent or not, nobody knows. */
export async function markInterrupted(tx: Tx, conversationId: string, now: number): Promise<void> {
  const { tenantId } = tx
  await lockConversation(tx, conversationId)
  const rows = await tx.outbox.findMany({ where: { tenantId, conversationId, state: 'sending' } })
  for (const row of rows) {
    await tx.outbox.update({
      where: { tenantId_id: { tenantId, id: row.id } },
      data: { state: 'unknown', nextAttemptAt: resendAt(row, now) },
    })
    await tx.message.updateMany({
      where: { tenantId, id: row.id, status: 'pending' },
      data: { status: 'unknown' },
    })
  }
}

/**
 * When a row whose fate is unknown may be sent once more. `nextAttemptAt` of a row in `sending` is the mark of
 * that second send: it happens once.
 */
export function resendAt(row: Pick<OutboxModel, 'nextAttemptAt'>, now: number): Date | null {
  return row.nextAttemptAt === null ? new Date(now + RESEND_UNKNOWN_AFTER_MS) : null
}

/**
 * Takes the next row that may be sent now and sets it to `sending`, under the conversation's lock; cancels
 * those that were overtaken. `idle` when there is none: then the drain was queued for `againAt`, if anything
 * has to be tried later.
 */
export async function takeNextRow(
  tx: Tx,
  conversationId: string,
  now: number,
): Promise<{ kind: 'taken'; row: TakenRow } | { kind: 'idle'; againAt: number | null }> {
  const conversation = await lockConversation(tx, conversationId)
  const { tenantId } = tx
  const rows = await tx.outbox.findMany({
    where: { tenantId, conversationId, OR: [{ state: 'pending' }, RESENDABLE] },
    orderBy: { seq: 'asc' },
  })
  let againAt: number | null = null
  for (const row of rows) {
    const dueAt = row.nextAttemptAt?.getTime() ?? now
    if (row.ownerEpoch !== null && row.ownerEpoch !== conversation.ownerEpoch) {
      await giveUp(tx, row)
    } else if (dueAt > now) {
      againAt = Math.min(againAt ?? dueAt, dueAt)
      // Order: nothing passes a row that is going to be tried again.
      if (row.state === 'pending') break
    } else if (row.state === 'pending' || (await isStillUseful(tx, conversation, row, now))) {
      return { kind: 'taken', row: await take(tx, conversation, row, now) }
    } else {
      await giveUp(tx, row)
    }
  }
  if (againAt !== null) await queueDrain(tx, conversationId, againAt)
  return { kind: 'idle', againAt }
}

const RESENDABLE = { state: 'unknown', nextAttemptAt: { not: null } }

/** A pending row never leaves; one of unknown fate is only not sent again. */
async function giveUp(tx: Tx, row: OutboxModel): Promise<void> {
  const { tenantId } = tx
  const state = row.state === 'pending' ? 'canceled' : row.state
  await tx.outbox.update({
    where: { tenantId_id: { tenantId, id: row.id } },
    data: { state, nextAttemptAt: null },
  })
  if (state !== 'canceled') return
  await tx.message.updateMany({
    where: { tenantId, id: row.id, status: { in: ['pending', 'unknown'] } },
    data: { status: 'canceled' },
  })
}

/** No status came, nothing was said since, and the channel would still take it. */
async function isStillUseful(
  tx: Tx,
  conversation: ConversationModel,
  row: OutboxModel,
  now: number,
): Promise<boolean> {
  const { tenantId } = tx
  const message = await tx.message.findUniqueOrThrow({ where: { tenantId_id: { tenantId, id: row.id } } })
  if (message.status !== 'unknown') return false
  const since = await tx.message.count({
    where: {
      tenantId,
      conversationId: conversation.id,
      seq: { gt: message.seq },
      direction: { in: ['in', 'out'] },
    },
  })
  return since === 0 && (message.type === 'template' || isWindowOpen(conversation, now))
}

async function take(
  tx: Tx,
  conversation: ConversationModel,
  row: OutboxModel,
  now: number,
): Promise<TakenRow> {
  const { tenantId } = tx
  await tx.outbox.update({
    where: { tenantId_id: { tenantId, id: row.id } },
    data: {
      state: 'sending',
      attempts: row.attempts + 1,
      sendingSince: new Date(now),
      // Kept for the second send of an unknown row, see resendAt.
      ...(row.state === 'pending' ? { nextAttemptAt: null } : {}),
    },
  })
  const tenant = await tx.tenant.findUniqueOrThrow({ where: { id: tenantId }, select: { locale: true } })
  return {
    id: row.id,
    conversationId: conversation.id,
    channelId: conversation.channelId,
    attempt: row.attempts + 1,
    to: recipientOf(conversation),
    content: parseOutboundContent(row.content),
    locale: tenant.locale,
  }
}

function recipientOf(conversation: ConversationModel): Recipient {
  const { addressKind, address } = conversation
  return addressKind === 'bsuid' ? { kind: 'bsuid', bsuid: address } : { kind: 'phone', phone: address }
}
