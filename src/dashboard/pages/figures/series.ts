import type { z } from 'zod'
import type { handoffReasonSchema } from '../../../contracts/staff-api.ts'

export type HandoffReason = z.infer<typeof handoffReasonSchema>

export interface ReasonCount {
  readonly date: string
  readonly reason: HandoffReason
  readonly count: number
}

/** One bar of the chart: a date, and how many handoffs there were for each reason that occurs. */
export type ReasonDay = { readonly date: string } & { readonly [Reason in HandoffReason]?: number }

/** The reasons that occur, the most frequent first, by name where they are equal. */
export function reasonsOf(counts: readonly ReasonCount[]): HandoffReason[] {
  const totals = new Map<HandoffReason, number>()
  for (const { reason, count } of counts) totals.set(reason, (totals.get(reason) ?? 0) + count)
  return [...totals]
    .toSorted(([one, many], [other, more]) => more - many || one.localeCompare(other))
    .map(([reason]) => reason)
}

/** Every date has every reason that occurs, with 0 where the server left the pair out. */
export function reasonDays(dates: readonly string[], counts: readonly ReasonCount[]): ReasonDay[] {
  const reasons = reasonsOf(counts)
  const found = new Map(counts.map(({ date, reason, count }) => [`${date} ${reason}`, count]))
  return dates.map((date) => ({
    date,
    ...Object.fromEntries(reasons.map((reason) => [reason, found.get(`${date} ${reason}`) ?? 0])),
  }))
}

/**
 * A reason keeps its colour whatever else occurs: what people want in greens and blues, limits in yellows,
 * faults of the model in reds and violets.
 */
export const REASON_COLORS: Readonly<Record<HandoffReason, string>> = {
  customer_request: 'brand.6',
  staff_takeover: 'blue.6',
  phone_takeover: 'cyan.7',
  unsupported_message: 'gray.6',
  refusal: 'grape.6',
  step_limit: 'orange.6',
  token_limit: 'yellow.6',
  cost_limit: 'orange.9',
  time_limit: 'yellow.8',
  context_window: 'lime.8',
  pause_limit: 'lime.5',
  truncated_tool_use: 'pink.6',
  unknown_stop_reason: 'violet.6',
  empty_answer: 'indigo.4',
  model_unavailable: 'red.6',
  model_error: 'red.9',
  tool_failure: 'pink.9',
}
