import { addDays } from '../agenda/wall-time.ts'

export const RECENT_DAYS = [7, 30, 90] as const
export type RecentDays = (typeof RECENT_DAYS)[number]

/** What the figures are of: the last so many days up to today, or a span that somebody chose. */
export interface Period {
  readonly days: RecentDays | 'custom'
  /** Local dates of the tenant (`YYYY-MM-DD`), both included. */
  readonly from: string
  readonly to: string
}

/** The server reads no more than this at once. */
const MAX_SPAN_DAYS = 366

/**
 * Reads the period from the address: `?days=7`, or `?from=2026-11-01&to=2026-11-15`. What cannot be read, runs
 * backwards, lies ahead or is longer than the server allows becomes the last 30 days.
 * @param today local date of the tenant
 */
export function periodOf(search: string, today: string): Period {
  const params = new URLSearchParams(search)
  const from = params.get('from')
  const to = params.get('to')
  if (from !== null && to !== null && isSpan(from, to, today)) return { days: 'custom', from, to }
  const days = RECENT_DAYS.find((choice) => String(choice) === params.get('days')) ?? 30
  return recentPeriod(days, today)
}

export function recentPeriod(days: RecentDays, today: string): Period {
  return { days, from: addDays(today, 1 - days), to: today }
}

/** The query of the address, without the question mark. */
export function searchOf({ days, from, to }: Period): string {
  return days === 'custom' ? `from=${from}&to=${to}` : `days=${days}`
}

/** The last date that a span from this one may end on. */
export function lastDateFrom(from: string, today: string): string {
  const last = addDays(from, MAX_SPAN_DAYS)
  return last < today ? last : today
}

function isSpan(from: string, to: string, today: string): boolean {
  return isDate(from) && isDate(to) && from <= to && to <= lastDateFrom(from, today)
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const at = Date.parse(text)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}
