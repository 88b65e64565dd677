import { assertNever } from '../shared/assert-never.ts'
import type { ChannelError, SendOutcome } from './outbound-channel.ts'

/** How long a status may take to tell what became of a message whose answer was lost. */
export const RESEND_UNKNOWN_AFTER_MS = 10 * 60_000

const PAUSE_MS = 5 * 60_000
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
  | { readonly kind: 'again'; readonly afterMs: number; readonly countsAsAttempt: boolean }

/**
 * The table from outcome to row.
 * @param attempt which try this was, from 1.
 * @param windowOpen whether the customer's 24 hours last by our own count.
 * @param random in [0, 1): delays vary by a quarter to both sides, so that those who failed together do not
 *   come back together.
 */
export function decideRow(
  outcome: SendOutcome,
  { attempt, windowOpen, random }: { attempt: number; windowOpen: boolean; random: () => number },
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
      return { kind: 'failed', error: outcome.error }
    case 'rejected':
    case 'stop_proactive':
      return { kind: 'failed', error: outcome.error }
    case 'pause_channel':
      return { kind: 'again', afterMs: PAUSE_MS, countsAsAttempt: false }
    default:
      return assertNever(outcome)
  }
}

/** Meta asks for 4ˣ seconds for one recipient; the wider limits are per second or minute and pass sooner. */
function backoffFactor(scope: 'app' | 'waba' | 'number' | 'recipient'): number {
  return scope === 'recipient' ? 4 : 2
}
