import { dayOf } from './civil-date.ts'
import { firstEndingAfter, MINUTE_MS } from './intervals.ts'
import { type Bounds, type Calendar, isBusy, judgeStart, openCalendar } from './judge-start.ts'
import type { Interval, OfferLimits, Shift, Slot, SlotQuestion } from './types.ts'
import { dayStart, localDay } from './zone-offsets.ts'

const OFFER_BOUNDS: Readonly<Record<OfferLimits, Bounds>> = {
  customer: { past: true, notice: true, horizon: true, hours: true, grid: true },
  staff: { past: true, notice: false, horizon: false, hours: true, grid: true },
}

export interface FindSlotsInput extends SlotQuestion {
  readonly limits: OfferLimits
  /** Local dates `YYYY-MM-DD`, both included. A start is on the date that its own wall time shows. */
  readonly fromDate: string
  readonly toDate: string
}

/**
 * Every start on offer on the local dates asked for, ascending, each once. A customer's range is cut to
 * the horizon; a range without end costs the staff what it costs. Throws RangeError for what is no date
 * or zone.
 */
export function findSlots(input: FindSlotsInput): Slot[] {
  const { schedule, policy, now } = input
  const bounds = OFFER_BOUNDS[input.limits]
  const today = localDay(schedule.timeZone, now)
  const firstDay = Math.max(
    dayOf(input.fromDate),
    bounds.notice ? localDay(schedule.timeZone, now + policy.minNoticeMinutes * MINUTE_MS) : today,
  )
  const lastDay = bounds.horizon
    ? Math.min(dayOf(input.toDate), today + policy.maxAdvanceDays)
    : dayOf(input.toDate)
  if (firstDay > lastDay) {
    return []
  }
  const calendar = openCalendar(input, bounds, firstDay, lastDay)
  const range: Interval = {
    start: dayStart(schedule.timeZone, firstDay),
    end: dayStart(schedule.timeZone, lastDay + 1),
  }
  const starts: number[] = []
  for (const shift of calendar.shifts) {
    const candidates =
      calendar.alignment === 'gap' ? gapStarts(calendar, shift) : shiftStarts(calendar, shift, range)
    for (const start of candidates) {
      if (start >= range.start && start < range.end && judgeStart(calendar, start) === null) {
        starts.push(start)
      }
    }
  }
  return ascendingOnce(starts).map((start) => ({ start, end: start + calendar.durationMs }))
}

/** The starts of a shift's own grid that fit it, from the range's start on. */
function shiftStarts({ durationMs, stepMs }: Calendar, shift: Shift, range: Interval): number[] {
  const starts: number[] = []
  const skipped = Math.max(0, Math.ceil((range.start - shift.start) / stepMs))
  for (let start = shift.start + skipped * stepMs; start + durationMs <= shift.end; start += stepMs) {
    starts.push(start)
  }
  return starts
}

/** The starts of a shift laid from the start of each free gap in it. */
function gapStarts(calendar: Calendar, shift: Shift): number[] {
  const { busy, beforeMs, durationMs, stepMs } = calendar
  const starts: number[] = []
  let next = firstEndingAfter(busy, shift.start - beforeMs)
  let start = shift.start
  while (start + durationMs <= shift.end) {
    if (isBusy(calendar, next, start)) {
      start = (busy[next]?.end ?? start) + beforeMs
      next += 1
    } else {
      starts.push(start)
      start += stepMs
    }
  }
  return starts
}

/** Shifts of different dates may overlap, so their starts can interleave and coincide. */
function ascendingOnce(starts: number[]): number[] {
  const ascending = starts.every((start, index) => index === 0 || start > (starts[index - 1] ?? start))
  return ascending ? starts : [...new Set(starts)].sort((a, b) => a - b)
}
