/**
 * Sends what a conversation has to send, one row after another in the order they were written.
 *
 * A row goes pending → sending in a transaction that holds the conversation's lock and compares the row's
 * epoch with the conversation's: a bot message whose owner is gone becomes `canceled` there and never leaves.
 * Only after that commit is the channel called, and the outcome is written in a second transaction. So a row
 * found in `sending` when a drain starts belongs to a process that died in the call: nobody knows whether the
 * customer got it, and it becomes `unknown`.
 *
 * Order: a row that will be tried again holds up all behind it. `unknown` does not: it waits for a status with
 * our id, and when none came in ten minutes and nothing was said since, it is sent once more.
 *
 * The queue runs one drain of a conversation at a time. If that ever failed (the job of a live worker was
 * released), the second drain sets the row of the first to `unknown`, and the first still writes its outcome,
 * because the row's attempt is its own.
 *
 * What one conversation meets and others must heed is shared in the database: a paused channel, a refusal for
 * rate of the app, the account or the number (send-gate), the rate itself (send-rate). A row that has to wait for
 * its moment is still `pending`: its owner is compared when it leaves.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { ConversationModel, Reader, TenantStore, Tx } from '../db/index.ts'
import { AppError } from '../shared/app-error.ts'
import type { Clock } from '../shared/clock.ts'
import { lockConversation } from './conversation-row.ts'
import type { ChannelAccount, OutboundChannel, SendOutcome } from './outbound-channel.ts'
import { queueDrain } from './outbox.ts'
import { recordOutcome } from './record-outcome.ts'
import { clearBlocks, raiseBlock } from './send-gate.ts'
import { markInterrupted, type NextRow, type TakenRow, takeNextRow } from './take-row.ts'

export interface DrainDependencies {
  readonly store: TenantStore
  readonly channel: OutboundChannel
  /** @throws AppError when the channel has no token that can be used: its rows wait. */
  readonly loadAccount: (reader: Reader, channelId: string) => Promise<ChannelAccount>
  readonly clock: Clock
  /** In [0, 1), for jitter; Math.random when left out. */
  readonly random?: () => number
  /** Waits for a moment of the number's rate, milliseconds; a timer when left out. */
  readonly pause?: (durationMs: number) => Promise<unknown>
}

export interface DrainedMessage {
  readonly messageId: string
  readonly channelId: string
  /** What the channel said, for log, metrics and alerts. */
  readonly outcome: SendOutcome
}

export interface DrainReport {
  readonly sent: readonly DrainedMessage[]
  /** When the drain will run again by itself, epoch ms; null when nothing is left to do. */
  readonly againAt: number | null
}

/** Runs until nothing can be sent now. Safe to run again at any time. An aborted `signal` stops between rows. */
export async function drainOutbox(
  dependencies: DrainDependencies,
  input: { readonly tenantId: string; readonly conversationId: string; readonly signal: AbortSignal },
): Promise<DrainReport> {
  const { store, clock, pause = delay } = dependencies
  const { tenantId, conversationId, signal } = input
  const sent: DrainedMessage[] = []
  let next: Next = await store.transact(tenantId, async (tx) => {
    const conversation = await lockConversation(tx, conversationId)
    await markInterrupted(tx, conversationId, clock.now())
    return takeNext(dependencies, tx, { conversation, signal, now: clock.now() })
  })
  for (;;) {
    if (next.kind === 'idle') return { sent, againAt: next.againAt }
    if (next.kind === 'wait') {
      const { until } = next
      await pause(Math.max(until - clock.now(), 1))
      // Timers may be early by a hair, and have waited long enough all the same.
      const now = Math.max(clock.now(), until)
      next = await store.transact(tenantId, async (tx) => {
        const conversation = await lockConversation(tx, conversationId)
        return takeNext(dependencies, tx, { conversation, signal, now })
      })
      continue
    }
    const { row } = next
    const outcome = await send(dependencies, next)
    sent.push({ messageId: row.id, channelId: row.channelId, outcome })
    await heedRate(dependencies, row, outcome)
    next = await store.transact(tenantId, async (tx) => {
      const conversation = await lockConversation(tx, conversationId)
      const random = dependencies.random ?? Math.random
      const { channel } = dependencies
      await recordOutcome(tx, conversation, { row, outcome, channel, now: clock.now(), random })
      return takeNext(dependencies, tx, { conversation, signal, now: clock.now() })
    })
  }
}

type Next =
  | Exclude<NextRow, { kind: 'taken' }>
  | { readonly kind: 'taken'; readonly row: TakenRow; readonly account: ChannelAccount | AppError }

/** In the transaction that wrote the last outcome: a message that comes alone costs two transactions. */
async function takeNext(
  { random = Math.random, loadAccount }: DrainDependencies,
  tx: Tx,
  {
    conversation,
    signal,
    now,
  }: { readonly conversation: ConversationModel; readonly signal: AbortSignal; readonly now: number },
): Promise<Next> {
  if (signal.aborted) {
    await queueDrain(tx, conversation.id)
    return { kind: 'idle', againAt: now }
  }
  const next = await takeNextRow(tx, conversation, { now, random })
  if (next.kind !== 'taken') return next
  try {
    return { ...next, account: await loadAccount(tx, next.row.channelId) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ...next, account: error }
  }
}

async function send(
  { channel }: DrainDependencies,
  { row, account }: { readonly row: TakenRow; readonly account: ChannelAccount | AppError },
): Promise<SendOutcome> {
  if (account instanceof AppError) {
    return { kind: 'account_unusable', error: { code: 0, detail: account.code } }
  }
  const { to, content, id: messageId, locale } = row
  return channel.send({ account, to, content, messageId, locale })
}

/** Refusals for rate that others have to heed, and their end. */
async function heedRate(
  { store, clock }: DrainDependencies,
  { account, startedAt, wasBlocked }: TakenRow,
  outcome: SendOutcome,
): Promise<void> {
  const now = clock.now()
  if (outcome.kind === 'backoff' && outcome.scope !== 'recipient') {
    await raiseBlock(store, { scope: outcome.scope, account, startedAt, now })
  } else if (outcome.kind === 'accepted' && wasBlocked) await clearBlocks(store, account, now)
}
