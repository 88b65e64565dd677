/**
 * Clocks that run only while somebody works, such as the wait for a first reply. Here the hours of
 * several shifts are one open stretch when they touch or overlap: time counts once. Exceptions replace the hours
 * of their dates, as they do for who can be booked.
 */

import { formatDay } from './civil-date.ts'
import { shiftsOfDays } from './expand-shifts.ts'
import { MINUTE_MS, mergeIntervals } from './intervals.ts'
import type { HoursException, Interval, WeeklyHours } from './types.ts'
import { dayStart, localDay } from './zone-offsets.ts'

/** Any weekly hours that open at all open within this many days. */
const SPAN_DAYS = 15
/** Over a year of nothing but closed days: nobody waits for what comes after it. */
const MOST_EMPTY_SPANS = 30

/**
 * The earliest instant (epoch ms) at which `minutes` of open time have passed since `from`; null when the
 * hours never open. Ends on closing time rather than on the next opening; 0 minutes are over at once.
 */
export function addWorkingMinutes(
  hours: readonly WeeklyHours[],
  timeZone: string,
  from: number,
  minutes: number,
  exceptions: readonly HoursException[] = [],
): number | null {
  let left = minutes * MINUTE_MS
  if (left <= 0) {
    return from
  }
  for (const { start, end } of openStretches(hours, timeZone, from, exceptions)) {
    if (end - start >= left) {
      return start + left
    }
    left -= end - start
  }
  return null
}

/** How many minutes (a fraction, if need be) of open time lie between two instants (epoch ms). */
export function minutesWithinHours(
  hours: readonly WeeklyHours[],
  timeZone: string,
  from: number,
  to: number,
  exceptions: readonly HoursException[] = [],
): number {
  let total = 0
  for (const { start, end } of openStretches(hours, timeZone, from, exceptions)) {
    if (start >= to) {
      break
    }
    total += Math.min(end, to) - start
  }
  return total / MINUTE_MS
}

/** The first open instant (epoch ms) at or after `instant`: that one itself when open; null when never. */
export function nextOpening(
  hours: readonly WeeklyHours[],
  timeZone: string,
  instant: number,
  exceptions: readonly HoursException[] = [],
): number | null {
  for (const stretch of openStretches(hours, timeZone, instant, exceptions)) {
    return stretch.start
  }
  return null
}

/** Open time from `from` on, in order and without overlap; ends only when the hours never open again. */
function* openStretches(
  hours: readonly WeeklyHours[],
  timeZone: string,
  from: number,
  exceptions: readonly HoursException[],
): Generator<Interval> {
  let cursor = from
  let emptySpans = 0
  for (;;) {
    const today = localDay(timeZone, cursor)
    const shifts = shiftsOfDays({ timeZone, hours, exceptions }, today - 2, today + SPAN_DAYS)
    const ahead = mergeIntervals<Interval>(shifts, true).filter(({ end }) => end > cursor)
    if (ahead.length === 0) {
      const exceptionsEnd = exceptions.every(({ toDate }) => toDate < formatDay(today))
      emptySpans += 1
      if (exceptionsEnd || emptySpans > MOST_EMPTY_SPANS) return
      cursor = dayStart(timeZone, today + SPAN_DAYS)
      continue
    }
    emptySpans = 0
    // The last stretch may go on in days not read yet, unless it is all there is.
    const whole = ahead.length > 1 ? ahead.slice(0, -1) : ahead
    for (const { start, end } of whole) {
      yield { start: Math.max(start, cursor), end }
      cursor = end
    }
  }
}
