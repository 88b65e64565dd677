import { describe, expect, it } from 'vitest'
import { checkStart } from './check-start.ts'
import { chooseProfessional } from './choose-professional.ts'
import { addDays, isoWeekday } from './civil-date.ts'
import { expandShifts } from './expand-shifts.ts'
import { findSlots } from './find-slots.ts'
import { blockedInterval, overlaps } from './intervals.ts'
import { endOfDay, instantToWall, localDate, startOfDay, wallToInstant } from './time-zone.ts'
import type {
  HoursException,
  Interval,
  ProfessionalSchedule,
  SchedulePolicy,
  ServiceTiming,
} from './types.ts'

/** Cases restated from public reports; each title begins with the id of its source. */

const POLICY: SchedulePolicy = {
  slotStepMinutes: 30,
  slotAlignment: 'shift',
  minNoticeMinutes: 0,
  maxAdvanceDays: 60,
}

interface Case {
  readonly tz: string
  readonly date: string
  readonly hours: readonly (readonly [string, string])[]
  readonly service?: Partial<ServiceTiming>
  readonly policy?: Partial<SchedulePolicy>
  readonly booked?: readonly Interval[]
  readonly exceptions?: readonly HoursException[]
  readonly now?: number
}

function minutes(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
}

function service(timing: Partial<ServiceTiming> = {}): ServiceTiming {
  return { durationMinutes: 60, bufferBeforeMinutes: 0, bufferAfterMinutes: 0, ...timing }
}

function at(tz: string, wall: string): number {
  const found = wallToInstant(tz, wall)
  if (found === null) {
    throw new Error(`not a wall time: ${wall}`)
  }
  return found.instant
}

function question(given: Case) {
  const weekdays = [isoWeekday(given.date)]
  const schedule: ProfessionalSchedule = {
    timeZone: given.tz,
    hours: given.hours.map(([from, to]) => ({ weekdays, from: minutes(from), to: minutes(to) })),
    exceptions: given.exceptions ?? [],
    blocked: given.booked ?? [],
  }
  const now = given.now ?? startOfDay(given.tz, addDays(given.date, -1))
  return { schedule, service: service(given.service), policy: { ...POLICY, ...given.policy }, now }
}

/** Wall times on offer on the date and the one after it, where an overnight shift ends. */
function offered(given: Case): string[] {
  const range = { fromDate: given.date, toDate: addDays(given.date, 1) }
  return findSlots({ ...question(given), ...range, limits: 'customer' }).map(({ start }) =>
    instantToWall(given.tz, start),
  )
}

function refusal(given: Case, wall: string, limits: 'customer' | 'staff' | 'staff_force'): string {
  const check = checkStart({ ...question(given), start: at(given.tz, wall), limits })
  return check.ok ? 'ok' : check.reason
}

function utc(given: Case): string[] {
  const { schedule } = question(given)
  return expandShifts(schedule, given.date, given.date).flatMap(({ start, end }) =>
    [start, end].map((instant) => new Date(instant).toISOString()),
  )
}

describe('hours on days when clocks change', () => {
  it('calcom-30021: afternoon hours on the spring day are not moved by the hour that night', () => {
    const given: Case = { tz: 'America/New_York', hours: [['13:00', '18:00']], date: '2026-03-08' }
    expect(utc(given)).toEqual(['2026-03-08T17:00:00.000Z', '2026-03-08T22:00:00.000Z'])
  })

  it.each([
    ['calcom-19589', 'America/Chicago', '15:00', '16:30', '2025-03-09', '2025-03-09T20:00:00.000Z'],
    ['calcom-6217-spring', 'America/New_York', '12:30', '13:00', '2023-03-12', '2023-03-12T16:30:00.000Z'],
    ['calcom-6217-autumn', 'America/New_York', '12:30', '13:00', '2023-11-05', '2023-11-05T17:30:00.000Z'],
  ])('%s: the first start in %s is the shift start', (_id, tz, from, to, date, first) => {
    const given: Case = { tz, hours: [[from, to]], date, service: { durationMinutes: 30 } }
    const slots = findSlots({ ...question(given), fromDate: date, toDate: date, limits: 'customer' })
    expect(new Date(slots[0]?.start ?? 0).toISOString()).toBe(first)
  })

  it('calrs-215: a service through the repeated hour lasts its minutes and conflicts by instants', () => {
    const tz = 'America/New_York'
    const start = at(tz, '2026-11-01T01:30')
    expect(new Date(start).toISOString()).toBe('2026-11-01T05:30:00.000Z')
    const taken = blockedInterval(start, service({ durationMinutes: 45 }))
    expect(new Date(taken.end).toISOString()).toBe('2026-11-01T06:15:00.000Z')
    const later = blockedInterval(Date.parse('2026-11-01T06:00Z'), service({ durationMinutes: 45 }))
    expect(overlaps(taken, later)).toBe(true)
  })
})

describe('shifts', () => {
  it('calcom-5587: an overnight shift offers its starts on both sides of midnight', () => {
    const given: Case = { tz: 'America/Sao_Paulo', hours: [['22:30', '01:30']], date: '2026-12-07' }
    expect(offered(given)).toEqual([
      '2026-12-07T22:30',
      '2026-12-07T23:00',
      '2026-12-07T23:30',
      '2026-12-08T00:00',
      '2026-12-08T00:30',
    ])
  })

  it('calcom-13801: hours to 24:00 offer the last hour of the day', () => {
    const given: Case = {
      tz: 'America/Sao_Paulo',
      hours: [['18:00', '24:00']],
      date: '2026-12-07',
      policy: { slotStepMinutes: 60 },
    }
    expect(offered(given).at(-1)).toBe('2026-12-07T23:00')
  })

  it('calcom-22226: each shift has its own grid', () => {
    const given: Case = {
      tz: 'UTC',
      hours: [
        ['08:00', '12:00'],
        ['12:30', '17:30'],
      ],
      date: '2026-12-07',
      policy: { slotStepMinutes: 60 },
    }
    const times = ['08:00', '09:00', '10:00', '11:00', '12:30', '13:30', '14:30', '15:30', '16:30']
    expect(offered(given)).toEqual(times.map((time) => `2026-12-07T${time}`))
  })

  it('calcom-2464: a closed day cuts the evening before at local midnight, not at midnight UTC', () => {
    const tz = 'Australia/Sydney'
    const closure = { own: false, fromDate: '2018-01-01', toDate: '2018-01-01', hours: [] }
    const given: Case = { tz, hours: [['22:00', '02:00']], date: '2017-12-31', exceptions: [closure] }
    expect([startOfDay(tz, '2018-01-01'), endOfDay(tz, '2018-01-01')]).toEqual([
      Date.parse('2017-12-31T13:00Z'),
      Date.parse('2018-01-01T13:00Z'),
    ])
    expect(utc(given)).toEqual(['2017-12-31T11:00:00.000Z', '2017-12-31T13:00:00.000Z'])
    expect(offered(given)).toEqual(['2017-12-31T22:00', '2017-12-31T22:30', '2017-12-31T23:00'])
  })

  it('libre-1224: a closure partly inside the asked range leaves the rest bookable', () => {
    const base = question({ tz: 'UTC', hours: [['08:00', '17:00']], date: '2026-12-07' })
    const schedule: ProfessionalSchedule = {
      ...base.schedule,
      hours: [{ weekdays: [1, 2, 3, 4, 5, 6, 7], from: 480, to: 1020 }],
      exceptions: [{ own: false, fromDate: '2026-12-01', toDate: '2026-12-08', hours: [] }],
    }
    const range = { fromDate: '2026-12-07', toDate: '2026-12-10' }
    const slots = findSlots({ ...base, ...range, schedule, limits: 'customer' })
    expect([...new Set(slots.map(({ start }) => localDate('UTC', start)))]).toEqual([
      '2026-12-09',
      '2026-12-10',
    ])
  })
})

describe('conflicts', () => {
  const day: Case = { tz: 'UTC', date: '2026-12-07', hours: [['08:00', '17:00']] }
  const book = (wall: string, timing: Partial<ServiceTiming>) =>
    blockedInterval(at('UTC', wall), service(timing))

  it('calcom-29532: a buffer after keeps every start inside it away, and no start behind it', () => {
    const booked = [book('2026-12-07T08:30', { durationMinutes: 45, bufferAfterMinutes: 30 })]
    const given: Case = { ...day, booked, service: { durationMinutes: 15 }, policy: { slotStepMinutes: 15 } }
    expect(offered(given)).not.toContain('2026-12-07T09:15')
    expect(offered(given)).not.toContain('2026-12-07T09:30')
    expect(offered(given)).toContain('2026-12-07T09:45')
  })

  it('calcom-3662: the buffers of both appointments count', () => {
    const booked = [book('2026-12-07T10:00', { bufferAfterMinutes: 60 })]
    const given: Case = {
      ...day,
      hours: [['06:00', '18:00']],
      booked,
      service: { bufferAfterMinutes: 60 },
      policy: { slotStepMinutes: 60 },
    }
    const times = offered(given)
    for (const taken of ['09:00', '10:00', '11:00']) {
      expect(times).not.toContain(`2026-12-07T${taken}`)
      expect(refusal(given, `2026-12-07T${taken}`, 'customer')).toBe('time_taken')
    }
    expect(times).toEqual(expect.arrayContaining(['2026-12-07T08:00', '2026-12-07T12:00']))
  })

  it('appointments-183: an appointment that has begun still blocks its rest', () => {
    const given: Case = {
      ...day,
      booked: [book('2026-12-07T10:00', { durationMinutes: 105 })],
      now: at('UTC', '2026-12-07T10:15'),
      policy: { slotStepMinutes: 60 },
    }
    expect(offered(given)).not.toContain('2026-12-07T11:00')
    expect(offered(given)[0]).toBe('2026-12-07T12:00')
  })

  it('calcom-2668: an appointment moves into time that it holds itself', () => {
    const own = book('2026-12-07T11:30', {})
    const given: Case = { ...day, booked: [own], policy: { slotStepMinutes: 15 } }
    expect(refusal(given, '2026-12-07T11:45', 'customer')).toBe('time_taken')
    const withoutItself = { ...given, booked: [] }
    expect(offered(withoutItself)).toContain('2026-12-07T11:45')
    expect(refusal(withoutItself, '2026-12-07T11:45', 'customer')).toBe('ok')
  })

  it('calcom-14868: a start inside a buffer is refused to everybody, however it is asked', () => {
    const booked = [book('2026-12-07T10:00', { bufferBeforeMinutes: 30, bufferAfterMinutes: 30 })]
    for (const limits of ['customer', 'staff', 'staff_force'] as const) {
      for (const time of ['09:00', '11:00', '11:29']) {
        expect(refusal({ ...day, booked }, `2026-12-07T${time}`, limits)).toBe('time_taken')
      }
      expect(refusal({ ...day, booked }, '2026-12-07T08:30', limits)).toBe('ok')
    }
  })
})

describe('who and until when', () => {
  it('calcom-24523: the whole last day of the horizon is on offer, and nothing after it', () => {
    const tz = 'America/Los_Angeles'
    const base = question({ tz, hours: [], date: '2027-01-31', policy: { maxAdvanceDays: 30 } })
    const asked = {
      ...base,
      schedule: { ...base.schedule, hours: [{ weekdays: [1, 2, 3, 4, 5, 6, 7], from: 540, to: 1080 }] },
      now: at(tz, '2027-01-01T20:00'),
    }
    const range = { fromDate: '2027-01-30', toDate: '2027-02-02', limits: 'customer' } as const
    const starts = findSlots({ ...asked, ...range }).map(({ start }) => instantToWall(tz, start))
    expect(starts.at(-1)).toBe('2027-01-31T17:00')
    expect(new Date(at(tz, '2027-01-31T17:00')).toISOString()).toBe('2027-02-01T01:00:00.000Z')
    const after = checkStart({ ...asked, start: at(tz, '2027-02-01T09:00'), limits: 'customer' })
    expect(after).toEqual({ ok: false, reason: 'too_far', lastDate: '2027-01-31' })
  })

  it('calcom-12376: who is not there yet is never chosen', () => {
    const start = '2026-12-07T09:00'
    const timing = { durationMinutes: 120 }
    const hours = { ana: '09:00', bia: '10:00' }
    const free = Object.entries(hours).filter(
      ([, from]) =>
        refusal(
          { tz: 'UTC', date: '2026-12-07', hours: [[from, '17:00']], service: timing },
          start,
          'customer',
        ) === 'ok',
    )
    const candidates = free.map(([key]) => ({ key, appointmentsThatDay: 0 }))
    for (let index = 0; index < 50; index += 1) {
      expect(chooseProfessional(candidates, `customer-${index}`)?.key).toBe('ana')
    }
  })
})
