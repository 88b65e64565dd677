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
 * Rate limits of the whole number or app are only felt by the conversation that met them; each backs off by
 * itself, with jitter.
 */
import type { Reader, TenantStore } from '../db/index.ts'
import { AppError } from '../shared/app-error.ts'
import type { Clock } from '../shared/clock.ts'
import type { ChannelAccount, OutboundChannel, SendOutcome } from './outbound-channel.ts'
import { queueDrain } from './outbox.ts'
import { recordOutcome } from './record-outcome.ts'
import { markInterrupted, type TakenRow, takeNextRow } from './take-row.ts'

export interface DrainDependencies {
  readonly store: TenantStore
  readonly channel: OutboundChannel
  /** @throws AppError when the channel has no token that can be used: its rows wait. */
  readonly loadAccount: (reader: Reader, channelId: string) => Promise<ChannelAccount>
  readonly clock: Clock
  /** In [0, 1), for jitter; Math.random when left out. */
  readonly random?: () => number
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
  const { store, clock } = dependencies
  const { tenantId, conversationId, signal } = input
  const sent: DrainedMessage[] = []
  await store.transact(tenantId, (tx) => markInterrupted(tx, conversationId, clock.now()))
  for (;;) {
    if (signal.aborted) {
      await store.transact(tenantId, (tx) => queueDrain(tx, conversationId))
      return { sent, againAt: clock.now() }
    }
    const taken = await store.transact(tenantId, (tx) => takeNextRow(tx, conversationId, clock.now()))
    if (taken.kind === 'idle') return { sent, againAt: taken.againAt }
    const outcome = await send(dependencies, tenantId, taken.row)
    sent.push({ messageId: taken.row.id, channelId: taken.row.channelId, outcome })
    const result = { row: taken.row, outcome, now: clock.now(), random: dependencies.random ?? Math.random }
    await store.transact(tenantId, (tx) => recordOutcome(tx, result))
  }
}

async function send(
  { store, channel, loadAccount }: DrainDependencies,
  tenantId: string,
  row: TakenRow,
): Promise<SendOutcome> {
  let account: ChannelAccount
  try {
    account = await store.read(tenantId, (reader) => loadAccount(reader, row.channelId))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { kind: 'pause_channel', error: { code: 0, detail: error.code } }
  }
  return channel.send({
    account,
    to: row.to,
    content: row.content,
    messageId: row.id,
    locale: row.locale,
  })
}
