/**
 * Local dates as integers: a day number counts days since 1970-01-01 in the proleptic Gregorian
 * calendar, whatever the zone. Dates outside the engine are strings `YYYY-MM-DD`, years 0001 to 9999.
 */
export const DAY_MS = 86_400_000

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/

/** The day number of a date, or null when `date` is not a day of the calendar (`2026-02-30`). */
export function parseDate(date: string): number | null {
  const match = DATE.exec(date)
  if (match === null) {
    return null
  }
  // setUTCFullYear, because Date.UTC takes the years 0 to 99 for 1900 to 1999.
  const time = new Date(0).setUTCFullYear(Number(match[1]), Number(match[2]) - 1, Number(match[3]))
  const day = time / DAY_MS
  return formatDay(day) === date ? day : null
}

/** As `parseDate`, for dates that were validated before. Throws RangeError for anything else. */
export function dayOf(date: string): number {
  const day = parseDate(date)
  if (day === null) {
    throw new RangeError(`not a date: ${date}`)
  }
  return day
}

/** The date `YYYY-MM-DD` of a day number. */
export function formatDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

/** ISO weekday of a day number: 1 Monday … 7 Sunday. Day 0 was a Thursday. */
export function weekdayOf(day: number): number {
  return ((((day + 3) % 7) + 7) % 7) + 1
}

/** True for a day of the calendar in the form `YYYY-MM-DD`. */
export function isDate(date: string): boolean {
  return parseDate(date) !== null
}

/** The date `days` later (earlier when negative). Throws RangeError when `date` is not a date. */
export function addDays(date: string, days: number): string {
  return formatDay(dayOf(date) + days)
}

/** ISO weekday: 1 Monday … 7 Sunday. Throws RangeError when `date` is not a date. */
export function isoWeekday(date: string): number {
  return weekdayOf(dayOf(date))
}
