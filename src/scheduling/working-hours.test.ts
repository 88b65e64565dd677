import { describe, expect, it } from 'vitest'
import { instantToWall, wallToInstant } from './time-zone.ts'
import type { WeeklyHours } from './types.ts'
import { addWorkingMinutes, minutesWithinHours, nextOpening } from './working-hours.ts'

const ZONE = 'America/Sao_Paulo'
const WEEK = [1, 2, 3, 4, 5, 6, 7]
/** Monday to Friday 08:00 to 12:00 and 14:00 to 19:00. 2026-12-07 is a Monday. */
const SPLIT: WeeklyHours[] = [
  { weekdays: [1, 2, 3, 4, 5], from: 480, to: 720 },
  { weekdays: [1, 2, 3, 4, 5], from: 840, to: 1140 },
]
const ALWAYS: WeeklyHours[] = [{ weekdays: WEEK, from: 0, to: 1440 }]

function at(wall: string, timeZone = ZONE): number {
  return wallToInstant(timeZone, wall)?.instant ?? Number.NaN
}

function due(from: string, minutes: number, hours = SPLIT): string | null {
  const instant = addWorkingMinutes(hours, ZONE, at(from), minutes)
  return instant === null ? null : instantToWall(ZONE, instant)
}

describe('a clock that runs in the hours only', () => {
  it('stops over lunch, the night and the weekend', () => {
    expect(due('2026-12-07T09:00', 10)).toBe('2026-12-07T09:10')
    expect(due('2026-12-07T11:55', 10)).toBe('2026-12-07T14:05')
    expect(due('2026-12-07T18:55', 10)).toBe('2026-12-08T08:05')
    expect(due('2026-12-11T18:55', 10)).toBe('2026-12-14T08:05')
    expect(due('2026-12-12T15:00', 10)).toBe('2026-12-14T08:10')
  })

  it('stands still on closed days, also through a closure of many weeks', () => {
    const closed = (fromDate: string, toDate: string) => [{ own: false, fromDate, toDate, hours: [] }]
    const dueWith = (from: string, exceptions: ReturnType<typeof closed>) => {
      const instant = addWorkingMinutes(SPLIT, ZONE, at(from), 10, exceptions)
      return instant === null ? null : instantToWall(ZONE, instant)
    }
    expect(dueWith('2026-12-24T18:55', closed('2026-12-25', '2026-12-25'))).toBe('2026-12-28T08:05')
    expect(dueWith('2026-12-07T18:55', closed('2026-12-08', '2027-01-31'))).toBe('2027-02-01T08:05')
    expect(dueWith('2026-12-07T18:55', closed('2026-12-08', '9999-12-30'))).toBeNull()
    const within = minutesWithinHours(
      SPLIT,
      ZONE,
      at('2026-12-24T18:00'),
      at('2026-12-28T09:00'),
      closed('2026-12-25', '2026-12-25'),
    )
    expect(within).toBe(120)
  })

  it('is over at closing time when it needs just that long, and at once for nothing', () => {
    expect(due('2026-12-07T11:50', 10)).toBe('2026-12-07T12:00')
    expect(due('2026-12-07T12:30', 0)).toBe('2026-12-07T12:30')
  })

  it('counts overlapping and touching hours once, over midnight and round the clock', () => {
    const overlapping: WeeklyHours[] = [...SPLIT, { weekdays: WEEK, from: 660, to: 900 }]
    expect(due('2026-12-07T10:00', 300, overlapping)).toBe('2026-12-07T15:00')
    const night: WeeklyHours[] = [{ weekdays: [1], from: 1320, to: 120 }]
    expect(due('2026-12-07T23:00', 180, night)).toBe('2026-12-08T02:00')
    expect(due('2026-12-07T23:00', 181, night)).toBe('2026-12-14T22:01')
    expect(due('2026-12-07T10:00', 60 * 24 * 100, ALWAYS)).toBe('2027-03-17T10:00')
  })

  it('never ends when nobody ever works', () => {
    expect(due('2026-12-07T10:00', 10, [])).toBeNull()
    expect(due('2026-12-07T10:00', 10, [{ weekdays: [], from: 0, to: 1440 }])).toBeNull()
  })

  it('counts back what it counted forward', () => {
    for (const minutes of [1, 59, 240, 541, 2700, 10_000]) {
      const from = at('2026-12-05T07:13')
      const end = addWorkingMinutes(SPLIT, ZONE, from, minutes) ?? Number.NaN
      expect(minutesWithinHours(SPLIT, ZONE, from, end)).toBe(minutes)
    }
    expect(minutesWithinHours(SPLIT, ZONE, at('2026-12-07T12:00'), at('2026-12-07T14:00'))).toBe(0)
    expect(minutesWithinHours([], ZONE, at('2026-12-07T12:00'), at('2026-12-09T14:00'))).toBe(0)
    expect(minutesWithinHours(ALWAYS, ZONE, at('2026-12-07T12:00'), at('2027-01-07T12:00'))).toBe(31 * 1440)
  })

  it('counts elapsed minutes on days when clocks change', () => {
    const zone = 'America/New_York'
    const [from, to] = [at('2026-11-01T00:00', zone), at('2026-11-02T00:00', zone)]
    expect(minutesWithinHours(ALWAYS, zone, from, to)).toBe(25 * 60)
  })
})

describe('open or not', () => {
  it('begins on the first minute and ends before the last', () => {
    const opening = (hours: readonly WeeklyHours[], wall: string) => nextOpening(hours, ZONE, at(wall))
    expect(opening(SPLIT, '2026-12-07T08:00')).toBe(at('2026-12-07T08:00'))
    expect(opening(SPLIT, '2026-12-07T11:59')).toBe(at('2026-12-07T11:59'))
    expect(opening(SPLIT, '2026-12-07T12:00')).not.toBe(at('2026-12-07T12:00'))
    expect(opening(ALWAYS, '2026-12-07T00:00')).toBe(at('2026-12-07T00:00'))
  })

  it('says when it opens next, which is now when it is open', () => {
    const opening = (wall: string) => instantToWall(ZONE, nextOpening(SPLIT, ZONE, at(wall)) ?? 0)
    expect(opening('2026-12-07T09:30')).toBe('2026-12-07T09:30')
    expect(opening('2026-12-07T12:00')).toBe('2026-12-07T14:00')
    expect(opening('2026-12-11T19:00')).toBe('2026-12-14T08:00')
    expect(nextOpening([], ZONE, at('2026-12-07T12:00'))).toBeNull()
  })
})
