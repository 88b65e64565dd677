import { describe, expect, it } from 'vitest'
import { type ReasonCount, reasonDays, reasonsOf } from './series.ts'

const COUNTS: readonly ReasonCount[] = [
  { date: '2026-11-01', reason: 'step_limit', count: 2 },
  { date: '2026-11-01', reason: 'customer_request', count: 1 },
  { date: '2026-11-03', reason: 'customer_request', count: 4 },
  { date: '2026-11-03', reason: 'cost_limit', count: 2 },
]

describe('reasonsOf', () => {
  it('names the most frequent first, and equals always in the same order', () => {
    expect(reasonsOf(COUNTS)).toEqual(['customer_request', 'cost_limit', 'step_limit'])
    expect(reasonsOf(COUNTS.toReversed())).toEqual(['customer_request', 'cost_limit', 'step_limit'])
  })
})

describe('reasonDays', () => {
  it('has every date and every reason, with 0 for what did not occur', () => {
    expect(reasonDays(['2026-11-01', '2026-11-02', '2026-11-03'], COUNTS)).toEqual([
      { date: '2026-11-01', customer_request: 1, cost_limit: 0, step_limit: 2 },
      { date: '2026-11-02', customer_request: 0, cost_limit: 0, step_limit: 0 },
      { date: '2026-11-03', customer_request: 4, cost_limit: 2, step_limit: 0 },
    ])
  })
})
