import { describe, expect, it } from 'vitest'
import { addDays } from './civil-date.ts'
import { findSlots } from './find-slots.ts'
import { nearestSlots } from './nearest-slots.ts'
import { nextDateWithSlot } from './next-date-with-slot.ts'
import { instantToWall, startOfDay, wallToInstant } from './time-zone.ts'
import type { ProfessionalSchedule, SlotQuestion } from './types.ts'

const ZONE = 'America/Sao_Paulo'

function at(wall: string): number {
  return wallToInstant(ZONE, wall)?.instant ?? Number.NaN
}

function question(schedule: Partial<ProfessionalSchedule> = {}): SlotQuestion {
  return {
    schedule: {
      timeZone: ZONE,
      hours: [{ weekdays: [1, 2, 3, 4, 5], from: 540, to: 1080 }],
      exceptions: [],
      blocked: [],
      ...schedule,
    },
    service: { durationMinutes: 60, bufferBeforeMinutes: 0, bufferAfterMinutes: 0 },
    policy: { slotStepMinutes: 60, slotAlignment: 'shift', minNoticeMinutes: 0, maxAdvanceDays: 60 },
    now: at('2026-12-07T08:00'),
  }
}

function nearest(asked: SlotQuestion, wanted: string, limits: 'customer' | 'staff' = 'customer'): string[] {
  return nearestSlots({ ...asked, wanted: at(wanted), limits }).map(({ start }) => instantToWall(ZONE, start))
}

describe('the nearest free starts', () => {
  it('are three, on both sides of the wanted one, in order of time', () => {
    const blocked = [{ start: at('2026-12-09T14:00'), end: at('2026-12-09T15:00') }]
    expect(nearest(question({ blocked }), '2026-12-09T14:00')).toEqual([
      '2026-12-09T12:00',
      '2026-12-09T13:00',
      '2026-12-09T15:00',
    ])
  })

  it('reach into the days around when the day itself has too few', () => {
    const blocked = [{ start: at('2026-12-09T10:00'), end: at('2026-12-09T18:00') }]
    expect(nearest(question({ blocked }), '2026-12-09T09:30')).toEqual([
      '2026-12-08T16:00',
      '2026-12-08T17:00',
      '2026-12-09T09:00',
    ])
  })

  it('are found across weeks of closure, and for a wanted start past the horizon or in the past', () => {
    const exceptions = [{ own: false, fromDate: '2026-12-08', toDate: '2027-01-20', hours: [] }]
    expect(nearest(question({ exceptions }), '2027-01-15T10:00')).toEqual([
      '2027-01-21T09:00',
      '2027-01-21T10:00',
      '2027-01-21T11:00',
    ])
    expect(nearest(question(), '2030-01-01T10:00').at(-1)).toBe('2027-02-05T17:00')
    expect(nearest(question(), '2020-01-01T10:00')[0]).toBe('2026-12-07T09:00')
  })

  it('agree with a search of everything, wherever one asks', () => {
    const blocked = [
      { start: at('2026-12-09T00:00'), end: at('2026-12-12T00:00') },
      { start: at('2026-12-15T09:00'), end: at('2026-12-15T16:00') },
    ]
    const asked = question({ blocked })
    const all = findSlots({ ...asked, fromDate: '2026-12-01', toDate: '2027-03-01', limits: 'customer' })
    for (let hour = 0; hour < 400; hour += 7) {
      const wanted = at('2026-12-06T00:20') + hour * 3_600_000
      const best = [...all]
        .sort((a, b) => Math.abs(a.start - wanted) - Math.abs(b.start - wanted) || a.start - b.start)
        .slice(0, 3)
        .sort((a, b) => a.start - b.start)
      expect(nearestSlots({ ...asked, wanted, limits: 'customer' })).toEqual(best)
    }
  })

  it('are none when nothing is free up to the horizon', () => {
    expect(nearest(question({ hours: [] }), '2026-12-09T14:00')).toEqual([])
    expect(nearest(question({ hours: [] }), '2026-12-09T14:00', 'staff')).toEqual([])
  })
})

describe('the next date with a start', () => {
  it('lies after the date asked about, over closed days and full ones', () => {
    const blocked = [{ start: at('2026-12-14T00:00'), end: at('2026-12-15T00:00') }]
    const asked = { ...question({ blocked }), limits: 'customer' } as const
    expect(nextDateWithSlot({ ...asked, afterDate: '2026-12-11' })).toBe('2026-12-15')
    expect(nextDateWithSlot({ ...asked, afterDate: '2026-12-07' })).toBe('2026-12-08')
    expect(nextDateWithSlot({ ...asked, afterDate: '2020-01-01' })).toBe('2026-12-07')
  })

  it('is found wherever the only open day lies up to the horizon, and null beyond it', () => {
    for (let days = 1; days <= 61; days += 1) {
      const open = addDays('2026-12-07', days)
      const hours = [{ from: 600, to: 660 }]
      const schedule = { hours: [], exceptions: [{ own: true, fromDate: open, toDate: open, hours }] }
      const asked = { ...question(schedule), limits: 'customer', afterDate: '2026-12-07' } as const
      expect(nextDateWithSlot(asked)).toBe(days <= 60 ? open : null)
    }
  })

  it('looks past the horizon for the staff, who are not bound by it', () => {
    const late = '2027-03-01'
    const hours = [{ from: 600, to: 660 }]
    const schedule = { hours: [], exceptions: [{ own: true, fromDate: late, toDate: late, hours }] }
    const asked = { ...question(schedule), afterDate: '2027-02-01' }
    expect(nextDateWithSlot({ ...asked, limits: 'staff' })).toBe(late)
    expect(nextDateWithSlot({ ...asked, limits: 'customer' })).toBeNull()
    expect(startOfDay(ZONE, late)).toBe(at('2027-03-01T00:00'))
  })
})
