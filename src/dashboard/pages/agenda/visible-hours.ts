import type { CatalogDto } from '../../../contracts/dashboard-api.ts'
import { minutesOfDay } from '../../../contracts/tenant-document.ts'
import { dateOfWall, wallOf } from './wall-time.ts'

const DAY = 1_440
const HOUR = 60

/** The hours that the grid shows: whatever anybody works, what is booked, and an hour around. */
export function visibleHours(
  catalog: CatalogDto,
  events: readonly { readonly start: Date; readonly end: Date }[],
) {
  const marks = [8 * HOUR, 18 * HOUR]
  const ranges = [...catalog.professionals, ...catalog.exceptions].flatMap(({ hours }) => hours)
  for (const { from, to } of ranges) {
    const isOvernight = minutesOfDay(to) <= minutesOfDay(from)
    marks.push(minutesOfDay(from), isOvernight ? DAY : minutesOfDay(to), ...(isOvernight ? [0] : []))
  }
  for (const { start, end } of events) {
    marks.push(minutesOf(start), minutesOf(end))
    if (dateOfWall(start) !== dateOfWall(end)) marks.push(0, DAY)
  }
  const first = Math.max(0, Math.floor(Math.min(...marks) / HOUR) * HOUR - HOUR)
  const last = Math.min(DAY, Math.ceil(Math.max(...marks) / HOUR) * HOUR + HOUR)
  return { min: at(first), max: at(last === DAY ? DAY - 1 : last) }
}

function minutesOf(wall: Date): number {
  return wall.getUTCHours() * HOUR + wall.getUTCMinutes()
}

/** The library takes the time of day of these and no date. */
function at(minutes: number): Date {
  return new Date(wallOf('2026-01-01').getTime() + minutes * 60_000)
}
