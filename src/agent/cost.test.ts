import { describe, expect, it } from 'vitest'
import { costOf, PRICES } from './cost.ts'

const NOW = Date.parse('2026-12-01')
const MILLION = { input_tokens: 1_000_000, output_tokens: 0 }

describe('the cost of a request', () => {
  it.each([
    ['claude-haiku-5-5', 500_000, 2_500_000],
    ['claude-sonnet-5-5', 2_000_000, 10_000_000],
    ['claude-opus-5-5', 4_000_000, 20_000_000],
    ['claude-opus-5', 5_000_000, 25_000_000],
    ['claude-haiku-4-5', 1_000_000, 5_000_000],
    ['claude-fable-5-1', 10_000_000, 50_000_000],
  ])('%s: a million tokens in, and as many out', (model, input, output) => {
    expect(costOf(model, MILLION, NOW)).toEqual({ microUsd: input, known: true })
    expect(costOf(model, { ...MILLION, output_tokens: 1_000_000 }, NOW).microUsd).toBe(input + output)
  })

  it('a prompt above 100k tokens has another price for the whole request, cached tokens counted', () => {
    const usage = { input_tokens: 50_000, cache_read_input_tokens: 50_000, output_tokens: 1000 }
    expect(costOf('claude-haiku-5-5', usage, NOW).microUsd).toBe(5000 + 500 + 500)
    const above = { ...usage, cache_read_input_tokens: 50_001 }
    expect(costOf('claude-haiku-5-5', above, NOW).microUsd).toBe(Math.ceil(25_000 + 2500.05 + 2500))
  })

  it('a price holds from its day on', () => {
    const reads = { input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 1_000_000 }
    expect(costOf('claude-sonnet-5-5', reads, Date.parse('2026-10-06T23:59:59Z')).microUsd).toBe(200_000)
    expect(costOf('claude-sonnet-5-5', reads, Date.parse('2026-10-07T00:00:00Z')).microUsd).toBe(100_000)
  })

  it('tells five-minute from one-hour cache writes, and takes what is not split as five minutes', () => {
    const usage = {
      input_tokens: 0,
      output_tokens: 0,
      cache_creation_input_tokens: 3_000_000,
      cache_creation: { ephemeral_5m_input_tokens: 1_000_000, ephemeral_1h_input_tokens: 1_000_000 },
    }
    expect(costOf('claude-opus-5', usage, NOW).microUsd).toBe(6_250_000 * 2 + 10_000_000)
    expect(costOf('claude-opus-5', { ...usage, cache_creation: null }, NOW).microUsd).toBe(18_750_000)
  })

  it('an unknown model costs as the dearest known one', () => {
    expect(costOf('claude-next', MILLION, NOW)).toEqual({ microUsd: 10_000_000, known: false })
  })

  it('a dated id costs as its model', () => {
    expect(costOf('claude-haiku-4-5-20251001', MILLION, NOW)).toEqual({ microUsd: 1_000_000, known: true })
  })

  it('rounds up to whole micro-dollars; counters that are absent or no number count as none', () => {
    expect(costOf('claude-haiku-5-5', { input_tokens: 1, output_tokens: 0 }, NOW).microUsd).toBe(1)
    const odd = { input_tokens: Number.NaN, output_tokens: -5, cache_read_input_tokens: null }
    expect(costOf('claude-haiku-5-5', odd, NOW).microUsd).toBe(0)
    for (const { model: _model, effectiveFrom: _from, ...numbers } of PRICES) {
      expect(Object.values(numbers).every(Number.isInteger)).toBe(true)
    }
  })
})
