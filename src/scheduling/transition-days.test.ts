import { Temporal } from 'temporal-polyfill'
import { describe, expect, it } from 'vitest'
import { isoWeekday } from './civil-date.ts'
import { expandShifts } from './expand-shifts.ts'
import { findSlots } from './find-slots.ts'
import { startOfDay } from './time-zone.ts'

const ZONES = [
  'Africa/Cairo',
  'Africa/Casablanca',
  'America/Chicago',
  'America/Havana',
  'America/New_York',
  'America/Nuuk',
  'America/Santiago',
  'Asia/Beirut',
  'Australia/Lord_Howe',
  'Europe/Lisbon',
  'Europe/Madrid',
  'Pacific/Auckland',
]

/** The first two days from 2026 on which clocks change, as the zone rules of this process have them. */
function transitionDays(timeZone: string): Temporal.PlainDate[] {
  const days: Temporal.PlainDate[] = []
  let at: Temporal.ZonedDateTime | null = Temporal.PlainDate.from('2026-01-01').toZonedDateTime(timeZone)
  while (at !== null && days.length < 2) {
    at = at.getTimeZoneTransition('next')
    if (at !== null) {
      days.push(at.toPlainDate())
    }
  }
  return days
}

const table = ZONES.flatMap((timeZone) => transitionDays(timeZone).map((date) => ({ timeZone, date })))

function temporalInstant(timeZone: string, date: Temporal.PlainDate, hour: number): number {
  return date.toPlainDateTime().add({ hours: hour }).toZonedDateTime(timeZone).epochMilliseconds
}

describe('days on which clocks change', () => {
  it('are 24, in 12 zones', () => {
    expect(table).toHaveLength(24)
  })

  for (const { timeZone, date } of table) {
    it(`${timeZone} ${date}: a shift from every hour begins and ends when Temporal says`, () => {
      const iso = date.toString()
      expect(startOfDay(timeZone, iso)).toBe(date.toZonedDateTime(timeZone).epochMilliseconds)
      for (let hour = 0; hour < 24; hour += 1) {
        const hours = [{ weekdays: [isoWeekday(iso)], from: hour * 60, to: ((hour + 4) % 24) * 60 }]
        const schedule = { timeZone, hours, exceptions: [], blocked: [] }
        const start = temporalInstant(timeZone, date, hour)
        const end = temporalInstant(timeZone, date, hour + 4)
        expect(expandShifts(schedule, iso, iso), `from ${hour}:00`).toEqual([{ date: iso, start, end }])
        const slots = findSlots({
          schedule,
          service: { durationMinutes: 30, bufferBeforeMinutes: 0, bufferAfterMinutes: 0 },
          policy: { slotStepMinutes: 30, slotAlignment: 'shift', minNoticeMinutes: 0, maxAdvanceDays: 30 },
          now: Temporal.PlainDate.from('2026-01-01').toZonedDateTime(timeZone).epochMilliseconds,
          limits: 'staff',
          fromDate: iso,
          toDate: date.add({ days: 1 }).toString(),
        })
        expect(
          slots.map((slot) => slot.start),
          `starts from ${hour}:00`,
        ).toEqual(firstPassStarts(timeZone, start, end))
      }
    })
  }
})

/** Every 30 elapsed minutes of a shift, without the starts whose wall time has been before. */
function firstPassStarts(timeZone: string, start: number, end: number): number[] {
  const starts: number[] = []
  for (let at = start; at + 30 * 60_000 <= end; at += 30 * 60_000) {
    const zoned = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone)
    if (zoned.toPlainDateTime().toZonedDateTime(timeZone, { disambiguation: 'earlier' }).equals(zoned)) {
      starts.push(at)
    }
  }
  return starts
}
