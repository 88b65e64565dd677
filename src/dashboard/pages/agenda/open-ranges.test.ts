import { describe, expect, it } from 'vitest'
import type { CatalogDto } from '../../../contracts/dashboard-api.ts'
import { isOpenAt, openRanges } from './open-ranges.ts'

const catalog: CatalogDto = {
  services: [],
  professionals: [
    { key: 'ana', name: 'Ana', services: [], hours: [{ weekdays: [1], from: '09:00', to: '12:00' }] },
    { key: 'bia', name: 'Bia', services: [], hours: [{ weekdays: [5], from: '20:00', to: '02:00' }] },
  ],
  exceptions: [
    { professional: 'ana', from: '2026-12-14', to: '2026-12-14', hours: [{ from: '10:00', to: '24:00' }] },
    { professional: null, from: '2026-12-14', to: '2026-12-14', hours: [] },
    { professional: null, from: '2026-12-19', to: '2026-12-19', hours: [] },
  ],
}

describe('the open hours of the agenda', () => {
  it('are the weekly ones, up to but not at their end', () => {
    const ranges = openRanges(catalog, 'ana', '2026-12-07')
    expect(ranges).toEqual([{ from: 540, to: 720 }])
    expect([539, 540, 719, 720].map((minutes) => isOpenAt(ranges, minutes))).toEqual([
      false,
      true,
      true,
      false,
    ])
    expect(openRanges(catalog, 'ana', '2026-12-08')).toEqual([])
  })

  it("are the professional's own exception before everyone's", () => {
    expect(openRanges(catalog, 'ana', '2026-12-14')).toEqual([{ from: 600, to: 1_440 }])
    expect(openRanges(catalog, 'bia', '2026-12-14')).toEqual([])
  })

  it('run past midnight, unless the next day is an exception', () => {
    expect(openRanges(catalog, 'bia', '2026-12-11')).toEqual([{ from: 1_200, to: 1_440 }])
    expect(openRanges(catalog, 'bia', '2026-12-12')).toEqual([{ from: 0, to: 120 }])
    expect(openRanges(catalog, 'bia', '2026-12-19')).toEqual([])
  })
})
