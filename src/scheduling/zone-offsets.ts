/**
 * The offsets of a time zone as plain numbers.
 *
 * The zone rules come from Temporal, but a Temporal object per slot would cost far more than the rest of
 * the engine together. So the time line is cut into windows of fixed length; for each zone and window
 * asked for, Temporal is asked once for the eras (stretches of constant offset) in it, and everything
 * after that is integer arithmetic. A window's table reaches `MARGIN_MS` beyond both ends, more than any
 * offset or jump of the tz database, so that a wall time of a window is answered by that window alone.
 *
 * The cache is a pure memo: it never changes an answer, and it is emptied when it is full.
 */
import { Temporal } from 'temporal-polyfill'
import { DAY_MS } from './civil-date.ts'

/** A stretch of instants `[from, to)` with one offset. All values in milliseconds. */
interface Era {
  readonly from: number
  readonly to: number
  /** Local wall time minus UTC. */
  readonly offset: number
  /** Until this instant the wall times of this era repeat those of the era before; `from` when none do. */
  readonly repeatsUntil: number
}

const WINDOW_MS = 256 * DAY_MS
const MARGIN_MS = 3 * DAY_MS
const MAX_TABLES = 1024
const NS_PER_MS = 1_000_000

const tablesByZone = new Map<string, Map<number, readonly Era[]>>()
let tableCount = 0

/** Wall time minus UTC at `instant`, in milliseconds. Throws RangeError for an unknown zone. */
export function offsetAt(timeZone: string, instant: number): number {
  return eraAt(timeZone, instant).offset
}

/** True when the wall time of `instant` has occurred before: the second pass after clocks went back. */
export function isSecondPass(timeZone: string, instant: number): boolean {
  return instant < eraAt(timeZone, instant).repeatsUntil
}

/**
 * The instant of a wall time, given as milliseconds since 1970-01-01T00:00 on the wall. One that occurs
 * twice means the first; one in a gap moves forward by the gap, which `valid: false` tells.
 */
export function instantOfWall(timeZone: string, wall: number): { instant: number; valid: boolean } {
  const eras = tableOf(timeZone, wall)
  let offsetBefore = 0
  for (const era of eras) {
    const instant = wall - era.offset
    if (instant < era.from) {
      return { instant: wall - offsetBefore, valid: false }
    }
    if (instant < era.to) {
      return { instant, valid: true }
    }
    offsetBefore = era.offset
  }
  throw new RangeError(`wall time out of range: ${wall}`)
}

/** The first instant of a local day, given by its day number. A day that clocks skipped has no length. */
export function dayStart(timeZone: string, day: number): number {
  const wall = day * DAY_MS
  const { instant, valid } = instantOfWall(timeZone, wall)
  // Midnight in a gap: the day begins where the gap ends, even when the gap began the evening before.
  return valid ? instant : eraAt(timeZone, instant).from
}

/** The day number of the local date at `instant`. */
export function localDay(timeZone: string, instant: number): number {
  return Math.floor((instant + offsetAt(timeZone, instant)) / DAY_MS)
}

function eraAt(timeZone: string, instant: number): Era {
  const eras = tableOf(timeZone, instant)
  for (const era of eras) {
    if (instant < era.to) {
      return era
    }
  }
  throw new RangeError(`instant out of range: ${instant}`)
}

function tableOf(timeZone: string, time: number): readonly Era[] {
  const window = Math.floor(time / WINDOW_MS)
  const known = tablesByZone.get(timeZone)?.get(window)
  if (known !== undefined) {
    return known
  }
  const table = readEras(timeZone, window * WINDOW_MS - MARGIN_MS, (window + 1) * WINDOW_MS + MARGIN_MS)
  if (tableCount >= MAX_TABLES) {
    tablesByZone.clear()
    tableCount = 0
  }
  const tables = tablesByZone.get(timeZone) ?? new Map<number, readonly Era[]>()
  tablesByZone.set(timeZone, tables.set(window, table))
  tableCount += 1
  return table
}

function readEras(timeZone: string, from: number, to: number): readonly Era[] {
  const eras: Era[] = []
  let current = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(timeZone)
  let start = from
  let previousOffset = current.offsetNanoseconds / NS_PER_MS
  while (start < to) {
    const offset = current.offsetNanoseconds / NS_PER_MS
    const next = current.getTimeZoneTransition('next')
    const end = next === null ? to : Math.min(next.epochMilliseconds, to)
    eras.push({ from: start, to: end, offset, repeatsUntil: start + Math.max(0, previousOffset - offset) })
    if (next === null) {
      break
    }
    current = next
    start = end
    previousOffset = offset
  }
  return eras
}
