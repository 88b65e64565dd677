import {
  type ConversationModel,
  jsonInput,
  type MessageModel,
  type OutboxModel,
  type Tx,
} from '../db/index.ts'
import { assertNever } from '../shared/assert-never.ts'
import { cutText } from '../shared/cut-text.ts'
import { applyWaitingChanges } from './message-changes.ts'
import type { OutboundChannel, SendOutcome } from './outbound-channel.ts'
import { describeContent } from './outbound-content.ts'
import { applyOutcomeEffects, applyRefusalEffects } from './outcome-effects.ts'
import { applyParkedStatuses, type WaitingRefusal } from './parked-statuses.ts'
import { decideRow, type RowDecision } from './send-again.ts'
import { resendAt, type TakenRow } from './take-row.ts'
import { isWindowOpen } from './window.ts'

/** Longer than any detail a channel gives on purpose; what is longer is a page of HTML. */
const MAX_DETAIL = 500

/**
 * Writes what became of one send, with what it means beyond the message. Under the conversation's lock. A status
 * that was faster than the answer is not undone, and a row that another try has taken over since is left to that
 * try.
 */
export async function recordOutcome(
  tx: Tx,
  conversation: ConversationModel,
  input: {
    readonly row: TakenRow
    readonly outcome: SendOutcome
    readonly channel: Pick<OutboundChannel, 'outcomeOf'>
    readonly now: number
    readonly random: () => number
  },
): Promise<void> {
  const { row, outcome, channel, now, random } = input
  const { tenantId } = tx
  const stored = await tx.outbox.findUniqueOrThrow({ where: { tenantId_id: { tenantId, id: row.id } } })
  const decided = decideRow(outcome, {
    attempt: row.attempt,
    windowOpen: isWindowOpen(conversation, now),
    hasFallback: row.hasFallback && !row.isFallback,
    random,
  })
  // The second send of a row whose first may have arrived is the last, whatever became of it.
  const isSecondSend = stored.nextAttemptAt !== null
  const decision: RowDecision =
    isSecondSend && decided.kind === 'again' && 'error' in outcome
      ? { kind: 'unknown', error: outcome.error }
      : decided
  const isOurs = stored.attempts === row.attempt && (stored.state === 'sending' || stored.state === 'unknown')
  if (isOurs) await updateRow(tx, stored, decision, now)
  // A wamid is a fact, whoever holds the row by now.
  const refusals = isOurs || decision.kind === 'sent' ? await updateMessage(tx, row, decision, now) : []
  const { id: messageId, content, startedAt } = row
  await applyOutcomeEffects(tx, { outcome, conversation, messageId, content, startedAt, now })
  for (const { error, at } of refusals) {
    await applyRefusalEffects(tx, { messageId, outcome: channel.outcomeOf(error), at, now })
  }
}

async function updateRow(tx: Tx, stored: OutboxModel, decision: RowDecision, now: number): Promise<void> {
  const { id } = stored
  await tx.outbox.update({
    where: { tenantId_id: { tenantId: tx.tenantId, id } },
    data: rowColumns(stored, decision, now),
  })
}

function rowColumns(stored: OutboxModel, decision: RowDecision, now: number) {
  switch (decision.kind) {
    case 'sent':
    case 'failed':
      return { state: decision.kind, nextAttemptAt: null, sendingSince: null }
    case 'unknown':
      return { state: 'unknown', nextAttemptAt: resendAt(stored, now) }
    case 'again':
      return {
        state: 'pending',
        nextAttemptAt: new Date(now + decision.afterMs),
        sendingSince: null,
        ...(decision.countsAsAttempt ? {} : { attempts: stored.attempts - 1 }),
        ...(decision.useFallback === true ? { useFallback: true } : {}),
      }
    default:
      return assertNever(decision)
  }
}

/** @returns the refusals that were faster than the answer which named the message. */
async function updateMessage(
  tx: Tx,
  row: TakenRow,
  decision: RowDecision,
  now: number,
): Promise<WaitingRefusal[]> {
  const { tenantId } = tx
  const { id } = row
  const message = await tx.message.findUniqueOrThrow({ where: { tenantId_id: { tenantId, id } } })
  const isOpen = message.status === 'pending' || message.status === 'unknown'
  switch (decision.kind) {
    case 'sent':
      await tx.message.update({
        where: { tenantId_id: { tenantId, id } },
        data: {
          wamid: message.wamid ?? decision.wamid,
          sentAt: message.sentAt ?? new Date(now),
          ...(isOpen ? { status: 'sent', errorCode: null, errorDetail: null } : {}),
          ...(row.isFallback ? shownAsFallback(message, row) : {}),
        },
      })
      return applyWhatWaited(tx, {
        id,
        channelId: message.channelId,
        wamid: message.wamid ?? decision.wamid,
      })
    case 'failed':
    case 'unknown':
      if (!isOpen) return []
      await tx.message.update({
        where: { tenantId_id: { tenantId, id } },
        data: {
          status: decision.kind,
          errorCode: decision.error.code,
          errorDetail: cutText(decision.error.detail, MAX_DETAIL),
          ...(decision.kind === 'failed' ? { failedAt: new Date(now) } : {}),
          ...(decision.kind === 'unknown' && row.isFallback ? shownAsFallback(message, row) : {}),
        },
      })
      return []
    case 'again':
      if (!isOpen) return []
      await tx.message.update({ where: { tenantId_id: { tenantId, id } }, data: { status: 'pending' } })
      return []
    default:
      return assertNever(decision)
  }
}

/** Statuses and reactions that were faster than the answer which named the message. */
async function applyWhatWaited(
  tx: Tx,
  message: { readonly id: string; readonly channelId: string; readonly wamid: string },
): Promise<WaitingRefusal[]> {
  await applyWaitingChanges(tx, message)
  return applyParkedStatuses(tx, message)
}

/** What the customer got is a template; what was written stays beside it. */
function shownAsFallback(message: MessageModel, row: TakenRow) {
  if (message.type === 'template') return {}
  const { type, text, payload } = describeContent(row.content)
  return { type, text, payload: jsonInput({ ...asObject(payload), insteadOf: message.text }) }
}

function asObject(payload: unknown): object {
  return typeof payload === 'object' && payload !== null ? payload : {}
}
