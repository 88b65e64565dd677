import type { ConversationModel, OutboxModel, Tx } from '../db/index.ts'
import type { ChannelError, OutboundContent, Recipient } from './outbound-channel.ts'
import { parseOutboundContent } from './outbound-content.ts'
import { queueDrain } from './outbox.ts'
import { reopenTemplateFor } from './reopen-window.ts'
import { RESEND_UNKNOWN_AFTER_MS } from './send-again.ts'
import { type BlockedAccount, loadGate, refusalOf, type SendGate } from './send-gate.ts'
import { personFreeAt, reserveMoment } from './send-rate.ts'
import { isWindowOpen } from './window.ts'

/** A row that is now `sending`, with all that its sending takes. */
export interface TakenRow {
  readonly id: string
  readonly conversationId: string
  readonly channelId: string
  /** Which try this is, from 1. */
  readonly attempt: number
  readonly to: Recipient
  /** What leaves: the row's content, or the template that stands for it. */
  readonly content: OutboundContent
  readonly isFallback: boolean
  /** The tenant has a template for the case that the channel says the window is closed. */
  readonly hasFallback: boolean
  readonly locale: string
  /** Epoch ms. */
  readonly startedAt: number
  /** Whose rate this send counts on, and whether that was refused before. */
  readonly account: BlockedAccount
  readonly wasBlocked: boolean
}

export type NextRow =
  | { readonly kind: 'taken'; readonly row: TakenRow }
  /** The row has its moment of the number's rate, so soon that the drain stays for it. */
  | { readonly kind: 'wait'; readonly until: number }
  /** Nothing can be sent now; the drain was queued for `againAt`, if anything has to be tried later. */
  | { readonly kind: 'idle'; readonly againAt: number | null }

/** A moment this near is waited for; a later one is left to another run of the drain. */
const WAIT_MS = 100
/** A reserved moment that is longer ago was missed. */
const MISSED_MS = 1_000
/** Those who met one block come back apart. */
const BLOCK_JITTER_MS = 1_000

/** Rows that a process left in `sending` when it died: sent or not, nobody knows. Under the conversation's lock. */
export async function markInterrupted(tx: Tx, conversationId: string, now: number): Promise<void> {
  const { tenantId } = tx
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
 * Takes the next row that may be sent now and sets it to `sending`; cancels those that were overtaken, and fails
 * those that the channel would refuse anyway. Under the conversation's lock.
 */
export async function takeNextRow(
  tx: Tx,
  conversation: ConversationModel,
  { now, random }: { readonly now: number; readonly random: () => number },
): Promise<NextRow> {
  const { tenantId } = tx
  const rows = await tx.outbox.findMany({
    where: { tenantId, conversationId: conversation.id, OR: [{ state: 'pending' }, RESENDABLE] },
    orderBy: { seq: 'asc' },
  })
  const later = async (againAt: number): Promise<NextRow> => {
    await queueDrain(tx, conversation.id, againAt)
    return { kind: 'idle', againAt }
  }
  let gate: SendGate | null = null
  let againAt: number | null = null
  for (const row of rows) {
    const dueAt = row.nextAttemptAt?.getTime() ?? now
    if (row.ownerEpoch !== null && row.ownerEpoch !== conversation.ownerEpoch) {
      await giveUp(tx, row)
      continue
    }
    if (dueAt > now) {
      againAt = Math.min(againAt ?? dueAt, dueAt)
      // Order: nothing passes a row that is going to be tried again.
      if (row.state === 'pending') break
      continue
    }
    if (row.state !== 'pending' && !(await isStillUseful(tx, conversation, row, now))) {
      await giveUp(tx, row)
      continue
    }
    gate ??= await loadGate(tx, conversation)
    // Whoever lifts the pause wakes the drain.
    if (gate.isPaused) return { kind: 'idle', againAt: null }
    const windowOpen = isWindowOpen(conversation, now) && !row.useFallback
    const chosen = await chooseContent(tx, { conversation, row, gate, windowOpen })
    const refusal = await refusalOf(tx, gate, { content: chosen.content, windowOpen })
    if (refusal !== null) {
      // One of unknown fate may have arrived: it is only not sent again.
      await (row.state === 'pending' ? refuse(tx, row, refusal, now) : giveUp(tx, row))
      continue
    }
    if ((gate.blockedUntil ?? now) > now)
      return later((gate.blockedUntil ?? now) + random() * BLOCK_JITTER_MS)
    const moment = await momentOf(tx, conversation, row, now)
    if (moment > now + WAIT_MS) return later(moment)
    if (moment > now) return { kind: 'wait', until: moment }
    return { kind: 'taken', row: await take(tx, { conversation, row, gate, now, ...chosen }) }
  }
  return againAt === null ? { kind: 'idle', againAt } : later(againAt)
}

/** When the rates let this row leave; the moment it gets is its own until it is used. */
async function momentOf(
  tx: Tx,
  conversation: ConversationModel,
  row: OutboxModel,
  now: number,
): Promise<number> {
  // A moment that was missed, by a pause or a refusal for rate, is no moment: all who missed theirs would leave at once.
  const reserved = row.reservedAt?.getTime() ?? null
  if (reserved !== null && reserved > now - MISSED_MS) return reserved
  const freeAt = personFreeAt(conversation)
  if (freeAt > now) return freeAt
  const moment = await reserveMoment(tx, conversation, now)
  if (moment > now) {
    await tx.outbox.update({
      where: { tenantId_id: { tenantId: tx.tenantId, id: row.id } },
      data: { reservedAt: new Date(moment) },
    })
  }
  return moment
}

interface Chosen {
  readonly content: OutboundContent
  readonly isFallback: boolean
  readonly hasFallback: boolean
}

/** @param input.windowOpen by our own count and by the channel's word. */
async function chooseContent(
  tx: Tx,
  input: {
    readonly conversation: ConversationModel
    readonly row: OutboxModel
    readonly gate: SendGate
    readonly windowOpen: boolean
  },
): Promise<Chosen> {
  const { conversation, row, gate, windowOpen } = input
  const content = parseOutboundContent(row.content)
  const hasFallback = content.kind !== 'template' && gate.reopenTemplate !== null
  const template = hasFallback && !windowOpen ? await reopenTemplateFor(tx, conversation, gate, row.id) : null
  return { content: template ?? content, isFallback: template !== null, hasFallback }
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
  input: Chosen & {
    readonly conversation: ConversationModel
    readonly row: OutboxModel
    readonly gate: SendGate
    readonly now: number
  },
): Promise<TakenRow> {
  const { tenantId } = tx
  const { conversation, row, gate, now, content, isFallback, hasFallback } = input
  await tx.outbox.update({
    where: { tenantId_id: { tenantId, id: row.id } },
    data: {
      state: 'sending',
      attempts: row.attempts + 1,
      sendingSince: new Date(now),
      reservedAt: null,
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
    content,
    isFallback,
    hasFallback,
    locale: tenant.locale,
    startedAt: now,
    account: gate.account,
    wasBlocked: gate.blockedUntil !== null,
  }
}

/** Fails a row without asking the channel; the staff see why. */
async function refuse(tx: Tx, row: OutboxModel, error: ChannelError, now: number): Promise<void> {
  const { tenantId } = tx
  await tx.outbox.update({
    where: { tenantId_id: { tenantId, id: row.id } },
    data: { state: 'failed', nextAttemptAt: null },
  })
  await tx.message.updateMany({
    where: { tenantId, id: row.id, status: { in: ['pending', 'unknown'] } },
    data: {
      status: 'failed',
      errorCode: error.code,
      errorDetail: error.detail,
      failedAt: new Date(now),
    },
  })
}

function recipientOf(conversation: ConversationModel): Recipient {
  const { addressKind, address } = conversation
  return addressKind === 'bsuid' ? { kind: 'bsuid', bsuid: address } : { kind: 'phone', phone: address }
}
