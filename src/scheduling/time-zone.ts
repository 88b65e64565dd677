import { addDays, DAY_MS, dayOf, formatDay, parseDate } from './civil-date.ts'
import { MINUTE_MS } from './intervals.ts'
import { dayStart, instantOfWall, localDay, offsetAt } from './zone-offsets.ts'

const WALL = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):([0-5]\d)$/

/**
 * The instant (epoch ms) of a wall time `YYYY-MM-DDTHH:MM` in `timeZone`, or null when the text is not
 * such a wall time. One that occurs twice means the first. One that clocks skip moves forward by the gap,
 * and `valid` is false: nobody can read that time on a clock there.
 */
export function wallToInstant(timeZone: string, wall: string): { instant: number; valid: boolean } | null {
  const match = WALL.exec(wall)
  const day = parseDate(match?.[1] ?? '')
  if (match === null || day === null) {
    return null
  }
  const minutes = Number(match[2]) * 60 + Number(match[3])
  return instantOfWall(timeZone, day * DAY_MS + minutes * MINUTE_MS)
}

/** The wall time `YYYY-MM-DDTHH:MM` at an instant (epoch ms); seconds are cut off. */
export function instantToWall(timeZone: string, instant: number): string {
  return isoWall(timeZone, instant).slice(0, 16)
}

/** RFC 3339 with the zone's offset at that instant, e.g. `2026-12-07T09:00:00-03:00`; milliseconds if any. */
export function formatOffsetInstant(timeZone: string, instant: number): string {
  const offsetMinutes = Math.round(offsetAt(timeZone, instant) / MINUTE_MS)
  const sign = offsetMinutes < 0 ? '-' : '+'
  const hours = String(Math.floor(Math.abs(offsetMinutes) / 60)).padStart(2, '0')
  const minutes = String(Math.abs(offsetMinutes) % 60).padStart(2, '0')
  return `${isoWall(timeZone, instant).replace(/\.000$/, '')}${sign}${hours}:${minutes}`
}

/** The local date `YYYY-MM-DD` at an instant (epoch ms). */
export function localDate(timeZone: string, instant: number): string {
  return formatDay(localDay(timeZone, instant))
}

/** The first instant (epoch ms) of a local date, which is 01:00 where clocks skip midnight. */
export function startOfDay(timeZone: string, date: string): number {
  return dayStart(timeZone, dayOf(date))
}

/** The first instant (epoch ms) after a local date: half-open, the start of the next day. */
export function endOfDay(timeZone: string, date: string): number {
  return startOfDay(timeZone, addDays(date, 1))
}

function isoWall(timeZone: string, instant: number): string {
  return new Date(instant + offsetAt(timeZone, instant)).toISOString().slice(0, -1)
}
