import { isDate } from '../../../scheduling/civil-date.ts'
import { longDay } from '../texts/texts.ts'
import { type FreeTime, findCall, readRefusal, readTimes } from '../tool-results.ts'
import { findDates } from '../understand/find-dates.ts'
import type { Period } from '../understand/find-time.ts'
import { lexiconOf } from '../understand/lexicon.ts'
import { normalize } from '../understand/normalize.ts'
import type { View } from './view.ts'

export interface ListingQuery {
  service: string
  professional: string | null
  date: string
  period: Period | null
}

/** Where looking for free times has come to. `notes`: what the customer must hear of the way there. */
export type Listing =
  | { kind: 'call'; input: Record<string, string> }
  | { kind: 'times'; date: string; period: Period | null; times: FreeTime[]; notes: string[] }
  | { kind: 'none'; notes: string[] }
  | { kind: 'refused'; code: string }

const NO_USE_IN_OTHER_DAYS = new Set([
  'failure',
  'unknown_service',
  'unknown_professional',
  'professional_does_not_do_service',
])
const MAX_LOOKS = 4

/**
 * Free times of a day, or of the next day that has some. Follows this turn's calls: a part of the day with nothing
 * free gives way to the whole day, a day with nothing free to the one that the refusal names.
 */
export function findListing(query: ListingQuery, view: View): Listing {
  const notes: string[] = []
  let attempt: ListingQuery = query
  for (let look = 0; look < MAX_LOOKS; look += 1) {
    const input = toInput(attempt)
    const exchange = findCall(view.turn, 'list_available_times', input)
    if (exchange === null) return { kind: 'call', input }
    const times = readTimes(exchange)
    if (times !== null && times.length > 0) {
      return { kind: 'times', date: attempt.date, period: attempt.period, times, notes }
    }
    const refusal = readRefusal(exchange)
    if (refusal !== null && NO_USE_IN_OTHER_DAYS.has(refusal.code))
      return { kind: 'refused', code: refusal.code }
    notes.push(noteOf(attempt, refusal?.code ?? null, view))
    const next = nextAttempt(attempt, refusal?.text ?? '', view)
    if (next === null) break
    attempt = next
  }
  return { kind: 'none', notes }
}

function nextAttempt(attempt: ListingQuery, refusal: string, view: View): ListingQuery | null {
  if (attempt.period !== null) return { ...attempt, period: null }
  const date = nextDateIn(refusal, attempt.date, view)
  return date === null ? null : { ...attempt, date }
}

/** The first date after `date` that a refusal names, in ISO form or as people write it. */
function nextDateIn(text: string, date: string, view: View): string | null {
  const iso = [...text.matchAll(/\d{4}-\d{2}-\d{2}/g)]
    .map(([found]) => found)
    .filter((found) => isDate(found))
  const written = findDates(normalize(text), {
    today: date,
    lexicon: lexiconOf(view.locale),
    monthFirst: false,
  }).dates
  return [...iso, ...(iso.length > 0 ? [] : written)].find((found) => found > date) ?? null
}

function noteOf({ date, period }: ListingQuery, code: string | null, { texts }: View): string {
  if (code === 'too_far' || code === 'in_the_past') return texts.refusals[code] ?? texts.refused
  return texts.noTimesOn(longDay(date, texts), period === null ? null : texts.periods[period])
}

function toInput({ service, professional, date, period }: ListingQuery): Record<string, string> {
  return {
    service,
    date,
    ...(professional === null ? {} : { professional }),
    ...(period === null ? {} : { period }),
  }
}
