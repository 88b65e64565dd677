import { describe, expect, it } from 'vitest'
import { type CheckStartInput, checkStart } from './check-start.ts'
import { findSlots } from './find-slots.ts'
import { startOfDay, wallToInstant } from './time-zone.ts'
import type { SlotQuestion } from './types.ts'

const ZONE = 'America/Sao_Paulo'

function at(wall: string): number {
  return wallToInstant(ZONE, wall)?.instant ?? Number.NaN
}

/** Monday to Friday 09:00 to 12:00 and 13:00 to 18:00; Christmas closed; now is Monday 2026-12-07, 10:00. */
const question: SlotQuestion = {
  schedule: {
    timeZone: ZONE,
    hours: [
      { weekdays: [1, 2, 3, 4, 5], from: 540, to: 720 },
      { weekdays: [1, 2, 3, 4, 5], from: 780, to: 1080 },
    ],
    exceptions: [{ own: false, fromDate: '2026-12-24', toDate: '2026-12-25', hours: [] }],
    blocked: [{ start: at('2026-12-08T09:00'), end: at('2026-12-08T10:00') }],
  },
  service: { durationMinutes: 45, bufferBeforeMinutes: 0, bufferAfterMinutes: 15 },
  policy: { slotStepMinutes: 30, slotAlignment: 'shift', minNoticeMinutes: 60, maxAdvanceDays: 30 },
  now: at('2026-12-07T10:00'),
}

function check(wall: string, limits: CheckStartInput['limits'] = 'customer') {
  return checkStart({ ...question, start: at(wall), limits })
}

describe('a refused start says what helps to ask again', () => {
  it('in the past, which binds the staff too but not with force', () => {
    expect(check('2026-12-07T10:00')).toEqual({ ok: false, reason: 'in_the_past' })
    expect(check('2026-12-07T09:30', 'staff')).toEqual({ ok: false, reason: 'in_the_past' })
    expect(check('2026-12-07T09:30', 'staff_force')).toEqual({ ok: true })
  })

  it('too soon: the notice itself is still too soon, the next minute is not', () => {
    const tooSoon = { ok: false, reason: 'too_soon', earliestStart: at('2026-12-07T11:01') }
    expect(check('2026-12-07T11:00')).toEqual(tooSoon)
    expect(check('2026-12-07T10:30')).toEqual(tooSoon)
    expect(check('2026-12-07T10:30', 'staff')).toEqual({ ok: true })
  })

  it('too far: names the last date, all of which can be booked', () => {
    expect(check('2027-01-06T17:00')).toEqual({ ok: true })
    expect(check('2027-01-07T09:00')).toEqual({ ok: false, reason: 'too_far', lastDate: '2027-01-06' })
    expect(check('2027-01-07T09:00', 'staff')).toEqual({ ok: true })
  })

  it('closed that day, by an exception or by the weekly hours; force opens it', () => {
    const closed = { ok: false, reason: 'closed_that_day' }
    expect(check('2026-12-24T09:00')).toEqual({ ...closed, date: '2026-12-24', closedBy: 'exception' })
    expect(check('2026-12-12T09:00', 'staff')).toEqual({
      ...closed,
      date: '2026-12-12',
      closedBy: 'weekly_hours',
    })
    expect(check('2026-12-24T09:00', 'staff_force')).toEqual({ ok: true })
  })

  it('outside the hours, also when only the end is: names the open stretches of the day', () => {
    const open = [
      { start: at('2026-12-09T09:00'), end: at('2026-12-09T12:00') },
      { start: at('2026-12-09T13:00'), end: at('2026-12-09T18:00') },
    ]
    const refused = { ok: false, reason: 'outside_hours', date: '2026-12-09', open }
    expect(check('2026-12-09T11:30')).toEqual(refused)
    expect(check('2026-12-09T08:00', 'staff')).toEqual(refused)
    expect(check('2026-12-09T08:00', 'staff_force')).toEqual({ ok: true })
  })

  it('off the grid, which binds customers only', () => {
    expect(check('2026-12-09T09:10')).toEqual({ ok: false, reason: 'off_grid' })
    expect(check('2026-12-09T09:10', 'staff')).toEqual({ ok: true })
  })

  it('taken, on the grid or off it, whoever asks', () => {
    for (const limits of ['customer', 'staff', 'staff_force'] as const) {
      expect(check('2026-12-08T09:30', limits)).toEqual({ ok: false, reason: 'time_taken' })
      expect(check('2026-12-08T09:40', limits)).toEqual({ ok: false, reason: 'time_taken' })
      expect(check('2026-12-08T10:00', limits)).toEqual({ ok: true })
    }
  })
})

describe('what is offered', () => {
  it('to the staff ignores notice and horizon but never the past', () => {
    const range = { fromDate: '2026-12-07', toDate: '2026-12-07' }
    const [customer, staff] = (['customer', 'staff'] as const).map(
      (limits) => findSlots({ ...question, ...range, limits })[0]?.start,
    )
    expect(customer).toBe(at('2026-12-07T13:00'))
    expect(staff).toBe(at('2026-12-07T10:30'))
    const far = { fromDate: '2027-02-01', toDate: '2027-02-01' }
    expect(findSlots({ ...question, ...far, limits: 'customer' })).toEqual([])
    expect(findSlots({ ...question, ...far, limits: 'staff' })).not.toEqual([])
  })

  it('never includes the second pass of a repeated time, also when the first is taken', () => {
    const timeZone = 'America/New_York'
    const first = Date.parse('2026-11-01T05:00Z')
    const schedule = {
      ...question.schedule,
      timeZone,
      hours: [{ weekdays: [7], from: 0, to: 240 }],
      blocked: [{ start: first, end: first + 3_600_000 }],
    }
    const now = startOfDay(timeZone, '2026-10-31')
    const range = { fromDate: '2026-11-01', toDate: '2026-11-01' }
    const asked = { ...question, schedule, now, service: { ...question.service, bufferAfterMinutes: 0 } }
    const slots = findSlots({ ...asked, ...range, limits: 'customer' })
    expect(slots.map(({ start }) => new Date(start).toISOString())).toEqual([
      '2026-11-01T04:00:00.000Z',
      '2026-11-01T07:00:00.000Z',
      '2026-11-01T07:30:00.000Z',
      '2026-11-01T08:00:00.000Z',
    ])
    const second = checkStart({ ...asked, start: Date.parse('2026-11-01T06:00Z'), limits: 'customer' })
    expect(second).toEqual({ ok: false, reason: 'off_grid' })
  })

  it('is nothing for a range that ends before it begins', () => {
    expect(
      findSlots({ ...question, fromDate: '2026-12-10', toDate: '2026-12-09', limits: 'customer' }),
    ).toEqual([])
  })

  it('refuses a grid without end and a zone or date that does not exist', () => {
    const range = { fromDate: '2026-12-10', toDate: '2026-12-10', limits: 'customer' } as const
    const policy = { ...question.policy, slotStepMinutes: 0 }
    expect(() => findSlots({ ...question, ...range, policy })).toThrow(RangeError)
    expect(() => findSlots({ ...question, ...range, toDate: '2026-02-30' })).toThrow(RangeError)
    const schedule = { ...question.schedule, timeZone: 'America/Nowhere' }
    expect(() => findSlots({ ...question, ...range, schedule })).toThrow(RangeError)
  })
})
