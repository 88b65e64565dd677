import { formatDay } from './civil-date.ts'
import { exceptionOn } from './expand-shifts.ts'
import { MINUTE_MS, overlaps } from './intervals.ts'
import { type Bounds, type Calendar, judgeStart, openCalendar, type Refusal } from './judge-start.ts'
import type { BookingLimits, Interval, SlotQuestion } from './types.ts'
import { dayStart, localDay } from './zone-offsets.ts'

const BOOKING_BOUNDS: Readonly<Record<BookingLimits, Bounds>> = {
  customer: { past: true, notice: true, horizon: true, hours: true, grid: true },
  staff: { past: true, notice: false, horizon: false, hours: true, grid: false },
  staff_force: { past: false, notice: false, horizon: false, hours: false, grid: false },
}

export interface CheckStartInput extends SlotQuestion {
  readonly limits: BookingLimits
  /** The wanted start, epoch milliseconds. */
  readonly start: number
}

/** Why a start cannot be had, with what helps to ask again. Instants in epoch milliseconds. */
export type StartRefusal =
  | { readonly ok: false; readonly reason: 'in_the_past' | 'off_grid' | 'time_taken' }
  /** `earliestStart`: the first full minute that the notice allows. */
  | { readonly ok: false; readonly reason: 'too_soon'; readonly earliestStart: number }
  /** `lastDate`: the last local date that can be booked. */
  | { readonly ok: false; readonly reason: 'too_far'; readonly lastDate: string }
  | {
      readonly ok: false
      readonly reason: 'closed_that_day'
      readonly date: string
      readonly closedBy: 'exception' | 'weekly_hours'
    }
  /** `open`: the shifts on that local date, into which the whole service must fit. */
  | {
      readonly ok: false
      readonly reason: 'outside_hours'
      readonly date: string
      readonly open: readonly Interval[]
    }

export type StartCheck = { readonly ok: true } | StartRefusal

/**
 * Whether the service may start at `start`. For a customer this is exactly what `findSlots` offers. To
 * move an appointment, leave its own interval out of `schedule.blocked`.
 */
export function checkStart(input: CheckStartInput): StartCheck {
  const day = localDay(input.schedule.timeZone, input.start)
  const calendar = openCalendar(input, BOOKING_BOUNDS[input.limits], day, day)
  const refusal = judgeStart(calendar, input.start)
  return refusal === null ? { ok: true } : explain(input, calendar, day, refusal)
}

function explain(input: CheckStartInput, calendar: Calendar, day: number, reason: Refusal): StartRefusal {
  switch (reason) {
    case 'too_soon': {
      const earliestStart = (Math.floor(calendar.noticeEnds / MINUTE_MS) + 1) * MINUTE_MS
      return { ok: false, reason, earliestStart }
    }
    case 'too_far': {
      const lastDay = localDay(calendar.timeZone, calendar.now) + input.policy.maxAdvanceDays
      return { ok: false, reason, lastDate: formatDay(lastDay) }
    }
    case 'outside_hours':
      return explainHours(input, calendar, day)
    default:
      return { ok: false, reason }
  }
}

function explainHours(input: CheckStartInput, calendar: Calendar, day: number): StartRefusal {
  const date = formatDay(day)
  if (!calendar.shifts.some((shift) => shift.date === date)) {
    const closedBy = exceptionOn(input.schedule.exceptions, date) === null ? 'weekly_hours' : 'exception'
    return { ok: false, reason: 'closed_that_day', date, closedBy }
  }
  const wholeDay = { start: dayStart(calendar.timeZone, day), end: dayStart(calendar.timeZone, day + 1) }
  const open = calendar.shifts
    .filter((shift) => overlaps(shift, wholeDay))
    .map(({ start, end }): Interval => ({ start, end }))
  return { ok: false, reason: 'outside_hours', date, open }
}
