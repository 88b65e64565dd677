import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, it } from 'vitest'
import { addDays, isDate, isoWeekday } from './civil-date.ts'
import {
  endOfDay,
  formatOffsetInstant,
  instantToWall,
  localDate,
  startOfDay,
  wallToInstant,
} from './time-zone.ts'

const zones = fc.constantFrom(
  'America/Santiago',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Pacific/Apia',
  'Asia/Kathmandu',
  'America/Nuuk',
  'UTC',
)
const minutesSince1990 = fc.integer({ min: 0, max: 55 * 365 * 24 * 60 })
const MINUTE_MS = 60_000

describe('zone arithmetic', () => {
  it('agrees with Temporal for any minute of 55 years', () => {
    const check = (timeZone: string, minutes: number) => {
      const instant = Date.UTC(1990, 0, 1) + minutes * MINUTE_MS
      const zoned = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone)
      const date = zoned.toPlainDate()
      expect(instantToWall(timeZone, instant)).toBe(
        zoned.toPlainDateTime().toString({ smallestUnit: 'minute' }),
      )
      expect(localDate(timeZone, instant)).toBe(date.toString())
      expect(startOfDay(timeZone, date.toString())).toBe(date.toZonedDateTime(timeZone).epochMilliseconds)
      expect(Date.parse(formatOffsetInstant(timeZone, instant))).toBe(instant)
    }
    fc.assert(fc.property(zones, minutesSince1990, check), { numRuns: 300 })
  })

  it('makes instants of wall times as Temporal does, and knows those that no clock shows', () => {
    const check = (timeZone: string, minutes: number) => {
      const wall = Temporal.PlainDateTime.from('1990-01-01T00:00').add({ minutes })
      const text = wall.toString({ smallestUnit: 'minute' })
      const zoned = wall.toZonedDateTime(timeZone, { disambiguation: 'compatible' })
      expect(wallToInstant(timeZone, text)).toEqual({
        instant: zoned.epochMilliseconds,
        valid: zoned.toPlainDateTime().equals(wall),
      })
    }
    fc.assert(fc.property(zones, minutesSince1990, check), { numRuns: 300 })
  })

  it('moves a wall time in a gap forward by the gap, and takes the first of two', () => {
    const gap = wallToInstant('America/Santiago', '2026-09-06T00:30')
    expect(gap).toEqual({ instant: Date.parse('2026-09-06T04:30Z'), valid: false })
    expect(instantToWall('America/Santiago', gap?.instant ?? 0)).toBe('2026-09-06T01:30')
    const twice = wallToInstant('Australia/Lord_Howe', '2026-04-05T01:45')
    expect(formatOffsetInstant('Australia/Lord_Howe', twice?.instant ?? 0)).toBe('2026-04-05T01:45:00+11:00')
  })

  it('starts a day whose midnight is skipped at the first time its clocks show', () => {
    expect(instantToWall('America/Santiago', startOfDay('America/Santiago', '2026-09-06'))).toBe(
      '2026-09-06T01:00',
    )
    expect(endOfDay('America/New_York', '2026-11-01') - startOfDay('America/New_York', '2026-11-01')).toBe(
      25 * 60 * MINUTE_MS,
    )
    expect(endOfDay('Pacific/Apia', '2011-12-30')).toBe(startOfDay('Pacific/Apia', '2011-12-30'))
  })

  it('takes no text for a wall time or a date that is none', () => {
    const texts = [
      '2026-02-30T10:00',
      '2026-12-07T24:00',
      '2026-12-07 10:00',
      '2026-12-07T10:00Z',
      '10:00',
      '',
    ]
    expect(texts.map((text) => wallToInstant('UTC', text))).toEqual(texts.map(() => null))
    expect(['2026-02-29', '2026-13-01', '26-01-01', ''].some(isDate)).toBe(false)
    expect(['2028-02-29', '0001-01-01', '9999-12-31'].every(isDate)).toBe(true)
  })
})

describe('dates', () => {
  it('are counted over months, years and leap days', () => {
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
    expect(addDays('2028-03-01', -1)).toBe('2028-02-29')
    expect(['2026-12-07', '2026-12-13', '1969-12-31', '1960-02-29'].map(isoWeekday)).toEqual([1, 7, 3, 1])
  })
})
