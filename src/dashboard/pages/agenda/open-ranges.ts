import type { CatalogDto } from '../../../contracts/dashboard-api.ts'
import { minutesOfDay } from '../../../contracts/tenant-document.ts'
import { addDays, weekdayOf } from './wall-time.ts'

/** Minutes after midnight, half-open; at most 0 to 1440. */
export interface OpenRange {
  readonly from: number
  readonly to: number
}

const DAY = 1_440

/**
 * When somebody works on a local date, for shading. An exception replaces the weekly hours of its dates, the
 * professional's own before everyone's and the later before the earlier; it also cuts what the evening before
 * would carry over midnight.
 */
export function openRanges(catalog: CatalogDto, professional: string, date: string): OpenRange[] {
  const own = shiftsOf(catalog, professional, date)
  const evening = own.isException ? [] : shiftsOf(catalog, professional, addDays(date, -1)).shifts
  return [
    ...evening.filter(({ to }) => to > DAY).map(({ to }) => ({ from: 0, to: to - DAY })),
    ...own.shifts.map(({ from, to }) => ({ from, to: Math.min(to, DAY) })),
  ]
}

export function isOpenAt(ranges: readonly OpenRange[], minutes: number): boolean {
  return ranges.some(({ from, to }) => from <= minutes && minutes < to)
}

function shiftsOf(catalog: CatalogDto, key: string, date: string) {
  const covering = catalog.exceptions.filter(({ from, to }) => from <= date && date <= to)
  const exception =
    covering.findLast(({ professional }) => professional === key) ??
    covering.findLast(({ professional }) => professional === null)
  const weekly = catalog.professionals.find((professional) => professional.key === key)?.hours ?? []
  const hours = exception?.hours ?? weekly.filter(({ weekdays }) => weekdays.includes(weekdayOf(date)))
  return { isException: exception !== undefined, shifts: hours.map(shiftOf) }
}

/** A shift that ends at or before its start ends the next day. */
function shiftOf(hours: { readonly from: string; readonly to: string }): OpenRange {
  const from = minutesOfDay(hours.from)
  const to = minutesOfDay(hours.to)
  return { from, to: to <= from ? to + DAY : to }
}
