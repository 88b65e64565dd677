import { assertNever } from '../shared/assert-never.ts'
import type { ChannelError, SendOutcome } from './outbound-channel.ts'

/** How long a status may take to tell what became of a message whose answer was lost. */
export const RESEND_UNKNOWN_AFTER_MS = 10 * 60_000

/** A process without the right ENCRYPTION_KEY may have another beside it, or after it, that has it. */
const NO_ACCOUNT_MS = 5 * 60_000
const WINDOW_AGAIN_MS = 2_000
const LONGEST_RETRY_MS = 60_000
const LONGEST_BACKOFF_MS = 60 * 60_000
/** A refusal for rate that lasts this long will not end while the message is of use. */
const MAX_BACKOFFS = 12

/** What an outcome means for its row. */
export type RowDecision =
  | { readonly kind: 'sent'; readonly wamid: string }
  | { readonly kind: 'unknown'; readonly error: ChannelError }
  | { readonly kind: 'failed'; readonly error: ChannelError }
  /** Holds up the rows behind until `afterMs` have passed. */
  | {
      readonly kind: 'again'
      readonly afterMs: number
      readonly countsAsAttempt: boolean
      /** With the template instead. */
      readonly useFallback?: true
    }

/**
 * The table from outcome to row.
 * @param attempt which try this was, from 1.
 * @param windowOpen whether the customer's 24 hours last by our own count.
 * @param hasFallback whether a template may leave instead, and did not yet.
 * @param random in [0, 1): delays vary by a quarter to both sides, so that those who failed together do not
 *   come back together.
 */
export function decideRow(
  outcome: SendOutcome,
  {
    attempt,
    windowOpen,
    hasFallback,
    random,
  }: { attempt: number; windowOpen: boolean; hasFallback: boolean; random: () => number },
): RowDecision {
  const again = (baseMs: number): RowDecision => ({
    kind: 'again',
    afterMs: Math.round(baseMs * (0.75 + random() / 2)),
    countsAsAttempt: true,
  })
  switch (outcome.kind) {
    case 'accepted':
      return { kind: 'sent', wamid: outcome.wamid }
    case 'unknown':
      return { kind: 'unknown', error: outcome.error }
    case 'retry':
      if (attempt >= outcome.maxAttempts) return { kind: 'failed', error: outcome.error }
      return again(Math.min(1_000 * 2 ** (attempt - 1), LONGEST_RETRY_MS))
    case 'backoff':
      if (attempt >= MAX_BACKOFFS) return { kind: 'failed', error: outcome.error }
      return again(Math.min(1_000 * backoffFactor(outcome.scope) ** attempt, LONGEST_BACKOFF_MS))
    case 'window_closed':
      // Meta's clock and ours may differ by moments, or its record lags behind the customer's message.
      if (windowOpen && attempt < 2) return again(WINDOW_AGAIN_MS)
      if (hasFallback) return { kind: 'again', afterMs: 0, countsAsAttempt: true, useFallback: true }
      return { kind: 'failed', error: outcome.error }
    case 'rejected':
    case 'stop_proactive':
      return { kind: 'failed', error: outcome.error }
    case 'pause_channel':
      // The channel is paused now and holds it; or was resumed since, and it leaves at once.
      return { kind: 'again', afterMs: 0, countsAsAttempt: false }
    case 'account_unusable':
      return { kind: 'again', afterMs: NO_ACCOUNT_MS, countsAsAttempt: false }
    default:
      return assertNever(outcome)
  }
}

/** Meta asks for 4ˣ seconds for one recipient; the wider limits are per second or minute and pass sooner. */
function backoffFactor(scope: 'app' | 'waba' | 'number' | 'recipient'): number {
  return scope === 'recipient' ? 4 : 2
}
