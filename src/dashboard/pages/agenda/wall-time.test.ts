import { describe, expect, it } from 'vitest'
import {
  dateOfWall,
  instantOfWall,
  startOfWeek,
  timeOfWall,
  wallAt,
  wallOf,
  wallOfInstant,
} from './wall-time.ts'

const instantOf = (zone: string, date: string, time: string) =>
  instantOfWall(zone, wallOf(date, time)).toISOString()

describe('wall times of the agenda', () => {
  it('are those of the tenant, not of the browser', () => {
    const wall = wallOfInstant('2026-12-07T09:00:00-03:00')
    expect([dateOfWall(wall), timeOfWall(wall)]).toEqual(['2026-12-07', '09:00'])
    expect(wallAt('America/Sao_Paulo', Date.parse('2026-12-08T02:30:00Z'))).toEqual(
      wallOf('2026-12-07', '23:30'),
    )
    expect(instantOf('America/Sao_Paulo', '2026-12-07', '09:00')).toBe('2026-12-07T12:00:00.000Z')
  })

  it('in a gap move forward by the gap', () => {
    expect(instantOf('America/New_York', '2026-03-08', '02:30')).toBe('2026-03-08T07:30:00.000Z')
    expect(instantOf('America/Santiago', '2026-09-06', '00:15')).toBe('2026-09-06T04:15:00.000Z')
  })

  it('that occur twice mean the first', () => {
    expect(instantOf('America/New_York', '2026-11-01', '01:30')).toBe('2026-11-01T05:30:00.000Z')
    expect(instantOf('Australia/Lord_Howe', '2026-04-05', '01:45')).toBe('2026-04-04T14:45:00.000Z')
  })

  it('know the first day of their week', () => {
    expect(startOfWeek('2026-12-09', 0)).toBe('2026-12-06')
    expect(startOfWeek('2026-12-06', 1)).toBe('2026-11-30')
  })
})
