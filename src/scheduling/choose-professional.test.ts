import { describe, expect, it } from 'vitest'
import { chooseProfessional } from './choose-professional.ts'
import { spreadOverDay } from './spread-over-day.ts'

const trio = ['ana', 'bia', 'caio'].map((key) => ({ key, appointmentsThatDay: 0 }))

describe('chooseProfessional', () => {
  it('takes the one with the fewest appointments that day', () => {
    const candidates = trio.map((one, index) => ({ ...one, appointmentsThatDay: 2 - index }))
    expect(chooseProfessional(candidates, 'any')?.key).toBe('caio')
  })

  it('gives equals their share, and the same question the same answer in any order of candidates', () => {
    const counts = new Map<string, number>()
    for (let index = 0; index < 3000; index += 1) {
      const key = chooseProfessional(trio, `customer-${index}`)?.key ?? ''
      counts.set(key, (counts.get(key) ?? 0) + 1)
      expect(chooseProfessional([...trio].reverse(), `customer-${index}`)?.key).toBe(key)
    }
    for (const { key } of trio) {
      expect(counts.get(key)).toBeGreaterThan(900)
    }
  })

  it('gives nobody when there is nobody', () => {
    expect(chooseProfessional([], 'r')).toBeUndefined()
  })
})

describe('spreadOverDay', () => {
  it('keeps the first, the last, and an even share between, never more than the maximum', () => {
    const times = Array.from({ length: 100 }, (_, index) => index)
    for (const max of [0, 1, 2, 3, 24, 99, 100, 101]) {
      const spread = spreadOverDay(times, max)
      expect(spread).toHaveLength(Math.min(max, 100))
      if (max > 1) {
        expect([spread[0], spread.at(-1)]).toEqual([0, 99])
      }
    }
    expect(spreadOverDay(times, 4)).toEqual([0, 33, 66, 99])
    expect(spreadOverDay([], 24)).toEqual([])
  })
})
