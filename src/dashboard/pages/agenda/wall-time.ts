/**
 * The agenda shows wall times of the tenant, whatever zone the browser is in. The calendar library knows only
 * `Date`, so a wall time is a `Date` whose UTC fields are the tenant's clock: it has no gaps and no repeated
 * hours that a browser's own zone could move it into.
 */

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** Instants of the API carry the tenant's offset, so their text holds the wall time already. */
export function wallOfInstant(instant: string): Date {
  return new Date(`${instant.slice(0, 19)}Z`)
}

/** The tenant's wall time at an epoch millisecond. */
export function wallAt(timeZone: string, epochMs: number): Date {
  return new Date(epochMs + offsetMs(timeZone, epochMs))
}

/**
 * The instant of a wall time. One in a gap moves forward by the gap; one that occurs twice is the first, as
 * the server reads it.
 */
export function instantOfWall(timeZone: string, wall: Date): Date {
  const at = wall.getTime()
  const before = offsetMs(timeZone, at - DAY_MS)
  const after = offsetMs(timeZone, at + DAY_MS)
  const real = [at - before, at - after].filter((instant) => instant + offsetMs(timeZone, instant) === at)
  return new Date(real.length === 0 ? at - before : Math.min(...real))
}

/** `YYYY-MM-DD` */
export function dateOfWall(wall: Date): string {
  return wall.toISOString().slice(0, 10)
}

/** `HH:MM` */
export function timeOfWall(wall: Date): string {
  return wall.toISOString().slice(11, 16)
}

/** @param time `HH:MM` */
export function wallOf(date: string, time = '00:00'): Date {
  return new Date(`${date}T${time}:00Z`)
}

export function addDays(date: string, days: number): string {
  return dateOfWall(new Date(wallOf(date).getTime() + days * DAY_MS))
}

/** ISO: 1 Monday … 7 Sunday. */
export function weekdayOf(date: string): number {
  return wallOf(date).getUTCDay() || 7
}

/** The first day of the week of a date. @param firstDayOfWeek 0 Sunday … 6 Saturday */
export function startOfWeek(date: string, firstDayOfWeek: number): string {
  return addDays(date, -((wallOf(date).getUTCDay() - firstDayOfWeek + 7) % 7))
}

const formats = new Map<string, Intl.DateTimeFormat>()

function offsetMs(timeZone: string, epochMs: number): number {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-US', { timeZone, ...FIELDS })
  formats.set(timeZone, format)
  const parts = Object.fromEntries(
    format.formatToParts(epochMs).map(({ type, value }) => [type, Number(value)]),
  )
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  const wall = Date.UTC(year, month - 1, day, hour, minute, second)
  return wall - Math.floor(epochMs / 1_000) * 1_000
}

const FIELDS = {
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
} as const
