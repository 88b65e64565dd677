/**
 * The one decision about a start. What is offered and what can be booked are the same set because both
 * ask `judgeStart`: `findSlots` for each candidate, `checkStart` for the one that somebody wants.
 *
 * A `Calendar` is everything the decision needs about a range of days, prepared once: the shifts that can
 * hold a start in the range, what is busy near it as sorted intervals that do not touch, and the
 * service's lengths in milliseconds.
 */
import { SHIFT_REACH_DAYS, shiftsOfDays } from './expand-shifts.ts'
import { firstEndingAfter, MINUTE_MS, mergeIntervals, overlaps } from './intervals.ts'
import type { Interval, Shift, SlotQuestion } from './types.ts'
import { dayStart, isSecondPass, localDay } from './zone-offsets.ts'

/** Which rules bind. */
export interface Bounds {
  readonly past: boolean
  readonly notice: boolean
  readonly horizon: boolean
  readonly hours: boolean
  readonly grid: boolean
}

export interface Calendar {
  readonly timeZone: string
  readonly bounds: Bounds
  readonly shifts: readonly Shift[]
  readonly busy: readonly Interval[]
  readonly durationMs: number
  readonly beforeMs: number
  readonly afterMs: number
  readonly stepMs: number
  readonly alignment: 'shift' | 'gap'
  readonly now: number
  /** A customer's start lies after this. */
  readonly noticeEnds: number
  /** A customer's start lies before this: the end of the last local day; Infinity when all days lie before. */
  readonly horizonEnds: number
}

export type Refusal = 'in_the_past' | 'too_soon' | 'too_far' | 'outside_hours' | 'time_taken' | 'off_grid'

/** No shift is longer: two days, of which clocks may lengthen one. */
const LONGEST_SHIFT_MS = (SHIFT_REACH_DAYS + 1) * 24 * 60 * MINUTE_MS

/**
 * Prepares the decision for starts on the local days `firstDay` to `lastDay` (day numbers). Throws
 * RangeError for an unknown zone, and for a duration or step that would make a grid without end.
 */
export function openCalendar(
  { schedule, service, policy, now }: SlotQuestion,
  bounds: Bounds,
  firstDay: number,
  lastDay: number,
): Calendar {
  if (!(service.durationMinutes > 0 && policy.slotStepMinutes > 0)) {
    throw new RangeError('a service lasts, and a grid steps, at least a minute')
  }
  const { timeZone } = schedule
  const beforeMs = service.bufferBeforeMinutes * MINUTE_MS
  const durationMs = service.durationMinutes * MINUTE_MS
  const afterMs = service.bufferAfterMinutes * MINUTE_MS
  const horizonDay = localDay(timeZone, now) + policy.maxAdvanceDays
  const near: Interval = {
    start: dayStart(timeZone, firstDay) - LONGEST_SHIFT_MS - beforeMs,
    end: dayStart(timeZone, lastDay + 1) + durationMs + afterMs,
  }
  return {
    timeZone,
    bounds,
    shifts: shiftsOfDays(schedule, firstDay - SHIFT_REACH_DAYS, lastDay),
    busy: mergeIntervals(
      schedule.blocked.filter((blocked) => overlaps(blocked, near)),
      true,
    ),
    durationMs,
    beforeMs,
    afterMs,
    stepMs: policy.slotStepMinutes * MINUTE_MS,
    alignment: policy.slotAlignment,
    now,
    noticeEnds: now + policy.minNoticeMinutes * MINUTE_MS,
    // Asked for only where it can matter: a far horizon lies where the zone's offsets were never read.
    horizonEnds: lastDay <= horizonDay ? Number.POSITIVE_INFINITY : dayStart(timeZone, horizonDay + 1),
  }
}

/**
 * Null when the service may start at `start`, else the first rule that it breaks. A conflict is told
 * before the grid: what somebody else holds is taken, on the grid or off it.
 */
export function judgeStart(calendar: Calendar, start: number): Refusal | null {
  const { bounds } = calendar
  if (bounds.past && start <= calendar.now) {
    return 'in_the_past'
  }
  if (bounds.notice && start <= calendar.noticeEnds) {
    return 'too_soon'
  }
  if (bounds.horizon && start >= calendar.horizonEnds) {
    return 'too_far'
  }
  const holders = bounds.hours || bounds.grid ? shiftsHolding(calendar, start) : []
  if (bounds.hours && holders.length === 0) {
    return 'outside_hours'
  }
  const next = firstEndingAfter(calendar.busy, start - calendar.beforeMs)
  if (isBusy(calendar, next, start)) {
    return 'time_taken'
  }
  if (bounds.grid) {
    const gapFrom = (calendar.busy[next - 1]?.end ?? Number.NEGATIVE_INFINITY) + calendar.beforeMs
    return isOnGrid(calendar, holders, gapFrom, start) ? null : 'off_grid'
  }
  return null
}

/** True when a service at `start` would touch into `busy[next]`, the first that ends after its buffer begins. */
export function isBusy(calendar: Calendar, next: number, start: number): boolean {
  const neighbour = calendar.busy[next]
  return neighbour !== undefined && neighbour.start < start + calendar.durationMs + calendar.afterMs
}

function shiftsHolding({ shifts, durationMs }: Calendar, start: number): Shift[] {
  const holders: Shift[] = []
  let low = 0
  let high = shifts.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((shifts[middle]?.start ?? 0) <= start) {
      low = middle + 1
    } else {
      high = middle
    }
  }
  for (let index = low - 1; index >= 0; index -= 1) {
    const shift = shifts[index]
    if (shift === undefined || shift.start <= start - LONGEST_SHIFT_MS) {
      break
    }
    if (start + durationMs <= shift.end) {
      holders.push(shift)
    }
  }
  return holders
}

function isOnGrid(calendar: Calendar, holders: readonly Shift[], gapFrom: number, start: number): boolean {
  if (isSecondPass(calendar.timeZone, start)) {
    return false
  }
  return holders.some((shift) => {
    const origin = calendar.alignment === 'gap' ? Math.max(shift.start, gapFrom) : shift.start
    return (start - origin) % calendar.stepMs === 0
  })
}
