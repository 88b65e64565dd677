import { DAY_MS, dayOf, formatDay, weekdayOf } from './civil-date.ts'
import { MINUTE_MS, mergeIntervals } from './intervals.ts'
import type { HoursException, ProfessionalSchedule, Shift, WallRange } from './types.ts'
import { dayStart, instantOfWall } from './zone-offsets.ts'

/** What of a schedule decides the working hours. */
export type WorkingHours = Pick<ProfessionalSchedule, 'timeZone' | 'hours' | 'exceptions'>

const MINUTES_A_DAY = 1440

/**
 * How many days after its own date a shift can still reach: one over midnight, and one more where clocks
 * skip the end of a day (America/Nuuk, 23:00 to 24:00), which moves an end there past the next midnight.
 */
export const SHIFT_REACH_DAYS = 2

/**
 * The shifts that belong to the local dates `fromDate` to `toDate` (`YYYY-MM-DD`, both included), as
 * instants, by start. Shifts of one date that overlap are merged; those that only touch, and those of
 * different dates, stay apart. Throws RangeError for what is no date or zone.
 */
export function expandShifts(schedule: WorkingHours, fromDate: string, toDate: string): Shift[] {
  return shiftsOfDays(schedule, dayOf(fromDate), dayOf(toDate))
}

/** As `expandShifts`, by day numbers. */
export function shiftsOfDays(schedule: WorkingHours, firstDay: number, lastDay: number): Shift[] {
  const { timeZone } = schedule
  const rangesByWeekday = groupByWeekday(schedule)
  const governing = governingExceptions(schedule.exceptions, firstDay, lastDay + SHIFT_REACH_DAYS)
  const shifts: Shift[] = []
  for (let day = firstDay; day <= lastDay; day += 1) {
    const exception = governing.get(day)
    const ranges = exception?.hours ?? rangesByWeekday[weekdayOf(day)] ?? []
    if (ranges.length === 0 || dayStart(timeZone, day) === dayStart(timeZone, day + 1)) {
      continue
    }
    const limit = cutAt(timeZone, day, exception, governing)
    const date = formatDay(day)
    const ofDay = ranges.map((range): Shift => {
      const start = wallInstant(timeZone, day, range.from)
      const end = wallInstant(timeZone, day, range.to <= range.from ? range.to + MINUTES_A_DAY : range.to)
      return { date, start, end: Math.min(end, limit) }
    })
    shifts.push(...mergeIntervals(ofDay, false))
  }
  return shifts.sort((a, b) => a.start - b.start)
}

/** The exception that governs a local date: the professional's own before everyone's, then the later one. */
export function exceptionOn(exceptions: readonly HoursException[], date: string): HoursException | null {
  let governing: HoursException | null = null
  for (const exception of exceptions) {
    const covers = exception.fromDate <= date && date <= exception.toDate
    if (covers && (governing === null || exception.own || !governing.own)) {
      governing = exception
    }
  }
  return governing
}

function governingExceptions(
  exceptions: readonly HoursException[],
  firstDay: number,
  lastDay: number,
): ReadonlyMap<number, HoursException> {
  const governing = new Map<number, HoursException>()
  const [first, last] = [formatDay(firstDay), formatDay(lastDay)]
  const near = exceptions.filter(({ fromDate, toDate }) => fromDate <= last && toDate >= first)
  for (let day = firstDay; near.length > 0 && day <= lastDay; day += 1) {
    const exception = exceptionOn(near, formatDay(day))
    if (exception !== null) {
      governing.set(day, exception)
    }
  }
  return governing
}

/** Midnight of the first later day that another exception governs; an exception's own hours may cross it. */
function cutAt(
  timeZone: string,
  day: number,
  own: HoursException | undefined,
  governing: ReadonlyMap<number, HoursException>,
): number {
  for (let next = day + 1; governing.size > 0 && next <= day + SHIFT_REACH_DAYS; next += 1) {
    const other = governing.get(next)
    if (other !== undefined && other !== own) {
      return dayStart(timeZone, next)
    }
  }
  return Number.POSITIVE_INFINITY
}

function wallInstant(timeZone: string, day: number, minutes: number): number {
  return instantOfWall(timeZone, day * DAY_MS + minutes * MINUTE_MS).instant
}

function groupByWeekday(schedule: WorkingHours): readonly WallRange[][] {
  const byWeekday: WallRange[][] = Array.from({ length: 8 }, () => [])
  for (const hours of schedule.hours) {
    for (const weekday of new Set(hours.weekdays)) {
      byWeekday[weekday]?.push(hours)
    }
  }
  return byWeekday
}
