import { describe, expect, it } from 'vitest'
import { lastDateFrom, periodOf, recentPeriod, searchOf } from './period.ts'

const TODAY = '2026-12-01'

describe('periodOf', () => {
  it('counts today as one of the days', () => {
    expect(periodOf('days=7', TODAY)).toEqual({ days: 7, from: '2026-11-25', to: TODAY })
    expect(periodOf('', TODAY)).toEqual({ days: 30, from: '2026-11-02', to: TODAY })
  })

  it('reads back what it wrote', () => {
    const chosen = { days: 'custom', from: '2026-10-01', to: '2026-10-31' } as const
    expect(periodOf(searchOf(chosen), TODAY)).toEqual(chosen)
    expect(periodOf(searchOf(recentPeriod(90, TODAY)), TODAY)).toEqual(recentPeriod(90, TODAY))
  })

  it.each([
    'days=8',
    'from=2026-10-01',
    'from=2026-10-31&to=2026-10-01',
    'from=2026-11-01&to=2026-12-02',
    'from=2026-02-30&to=2026-03-01',
    'from=2024-01-01&to=2026-01-01',
    'from=x&to=y',
  ])('shows the last 30 days for %s', (search) => {
    expect(periodOf(search, TODAY)).toEqual(recentPeriod(30, TODAY))
  })
})

describe('lastDateFrom', () => {
  it('ends today, or where the server stops', () => {
    expect(lastDateFrom('2026-11-01', TODAY)).toBe(TODAY)
    expect(lastDateFrom('2025-01-01', TODAY)).toBe('2026-01-02')
  })
})
