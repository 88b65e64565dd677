import { z } from 'zod'
import type { ChannelError, SendOutcome } from '../conversations/outbound-channel.ts'
import { looseNumber, looseText } from './loose.ts'

/**
 * What became of a send, by Meta's `error.code`. The title and the HTTP status are not looked at where there is
 * a code: Meta changes both, and sends 4xx and 5xx for the same code.
 * Source: Cloud API error codes, https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes
 */
type Verdict =
  | { readonly kind: 'retry'; readonly maxAttempts: number }
  | { readonly kind: 'backoff'; readonly scope: 'app' | 'waba' | 'number' | 'recipient' }
  | { readonly kind: 'window_closed' }
  | { readonly kind: 'stop_proactive' }
  | { readonly kind: 'pause_channel' }
  | {
      readonly kind: 'rejected'
      readonly alert: boolean
      readonly optOut: boolean
      readonly disableTemplate: boolean
    }

interface Row {
  /** Codes, or ranges of codes with both ends included. */
  readonly codes: readonly (number | readonly [from: number, to: number])[]
  readonly verdict: Verdict
}

const SHOWN = { kind: 'rejected', alert: false, optOut: false, disableTemplate: false } as const
const DEAD = { ...SHOWN, alert: true } as const

/** Refused for a passing reason of Meta's, and certainly not sent. */
export const META_ATTEMPTS = 5
/** Nothing left this machine: tried for longer, the caller spaces the attempts out. */
export const NETWORK_ATTEMPTS = 20

/** The first row that names the code decides, so a single code comes before the range around it. */
export const ERROR_TABLE: readonly Row[] = [
  { codes: [1, 2, 131000, 131016, 131057, 133004], verdict: { kind: 'retry', maxAttempts: META_ATTEMPTS } },
  { codes: [4], verdict: { kind: 'backoff', scope: 'app' } },
  { codes: [80007], verdict: { kind: 'backoff', scope: 'waba' } },
  { codes: [130429], verdict: { kind: 'backoff', scope: 'number' } },
  { codes: [131056], verdict: { kind: 'backoff', scope: 'recipient' } },
  { codes: [131047], verdict: { kind: 'window_closed' } },
  { codes: [131048], verdict: { kind: 'stop_proactive' } },
  { codes: [131050], verdict: { ...SHOWN, optOut: true } },
  { codes: [131026, 131021, 131030, 130472, 131049], verdict: SHOWN },
  {
    codes: [
      [200, 299],
      ...[0, 3, 10, 190, 368, 130497, 131005, 131031, 131037, 131042, 131045, 133010, 133015],
    ],
    verdict: { kind: 'pause_channel' },
  },
  { codes: [132015, 132016], verdict: { ...DEAD, disableTemplate: true } },
  { codes: [33, 100, 131008, 131009, [131051, 131053], [132000, 132999], 135000], verdict: DEAD },
]

/** What the network did instead of answering. */
export interface NetworkFailure {
  /** `not_sent`: no byte of the request reached the other side. `ambiguous`: it may have been acted on. */
  readonly kind: 'not_sent' | 'ambiguous'
  /** The system's own word, e.g. `ECONNREFUSED`. */
  readonly word: string
}

/** The outcome for a code of Meta's, from a response or from the `errors[]` of a failed status. */
export function outcomeOfCode(error: ChannelError): Exclude<SendOutcome, { kind: 'accepted' | 'unknown' }> {
  const row = ERROR_TABLE.find(({ codes }) => codes.some((entry) => names(entry, error.code)))
  return { ...(row?.verdict ?? DEAD), error }
}

function names(entry: number | readonly [number, number], code: number): boolean {
  return typeof entry === 'number' ? entry === code : entry[0] <= code && code <= entry[1]
}

const graphErrorSchema = z.object({
  error: z.object({
    code: looseNumber.pipe(z.number()),
    message: looseText,
    error_data: z.object({ details: looseText }).catch({ details: null }),
  }),
})

/**
 * The outcome of an answer that is not an acceptance. `body` is the parsed JSON, or anything else when it was
 * not JSON. Without a Meta error in it: 5xx is ambiguous (a gateway may have lost the answer of a send that
 * worked), 429 is a refusal for rate, and any other status is a refusal that nobody planned for. A 2xx that
 * names no message is ambiguous too.
 */
export function outcomeOf(httpStatus: number, body: unknown): SendOutcome {
  const parsed = graphErrorSchema.safeParse(body)
  if (parsed.success) {
    const { code, message, error_data } = parsed.data.error
    return outcomeOfCode({ code, detail: error_data.details ?? message ?? '' })
  }
  const error = { code: 0, detail: `HTTP ${httpStatus} without an error of Meta's` }
  if (httpStatus >= 500 || (httpStatus >= 200 && httpStatus < 300)) return { kind: 'unknown', error }
  if (httpStatus === 429) return { kind: 'backoff', scope: 'app', error }
  return { ...DEAD, error }
}

/** The outcome when no answer came at all. */
export function outcomeOfNetwork(failure: NetworkFailure): SendOutcome {
  const error = { code: 0, detail: failure.word }
  return failure.kind === 'not_sent'
    ? { kind: 'retry', error, maxAttempts: NETWORK_ATTEMPTS }
    : { kind: 'unknown', error }
}
