import type { Model as SdkModel } from '@anthropic-ai/sdk/resources/messages/messages.js'
import { describe, expect, it } from 'vitest'
import { costOf, MODELS_WITHOUT_PRICE, PRICES } from './cost.ts'
import type { ResponseUsage } from './types.ts'

/** Every name in the SDK's `Model`, without the `string & {}` that lets any other pass. */
type NamedModel<Name = SdkModel> = Name extends string ? (string extends Name ? never : Name) : never

const OPUS = [5, 25, 0.5, 6.25, 10]
const SONNET_4 = [3, 15, 0.3, 3.75, 6]
const HAIKU_4_5 = [1, 5, 0.1, 1.25, 2]
/**
 * USD per million tokens: input, output, cache reads, five-minute and one-hour writes; null: none was published.
 * A name that the SDK adds or drops breaks the types here.
 */
const NAMED: Record<NamedModel, readonly number[] | null> = {
  'claude-haiku-5-5': [0.1, 0.5, 0.01, 0.125, 0.2],
  'claude-haiku-4-5': HAIKU_4_5,
  'claude-haiku-4-5-20251001': HAIKU_4_5,
  'claude-sonnet-5-5': [2, 10, 0.1, 2.5, 4],
  'claude-sonnet-5': [2, 10, 0.2, 2.5, 4],
  'claude-sonnet-4-6': SONNET_4,
  'claude-sonnet-4-5': SONNET_4,
  'claude-sonnet-4-5-20250929': SONNET_4,
  'claude-opus-5-5': [4, 20, 0.2, 5, 8],
  'claude-opus-5': OPUS,
  'claude-opus-4-8': OPUS,
  'claude-opus-4-7': OPUS,
  'claude-opus-4-6': OPUS,
  'claude-opus-4-5': OPUS,
  'claude-opus-4-5-20251101': OPUS,
  'claude-fable-5-2': [8, 40, 0.2, 10, 16],
  'claude-fable-5-1': [10, 50, 0.25, 12.5, 20],
  'claude-fable-5': [10, 50, 1, 12.5, 20],
  'claude-mythos-5-2': null,
  'claude-mythos-5-1': [10, 50, 0.25, 12.5, 20],
  'claude-mythos-5': [10, 50, 1, 12.5, 20],
  'claude-mythos-preview': [25, 125, 2.5, 31.25, 50],
}

const NOW = Date.parse('2026-12-01')
const MILLION = { input_tokens: 1_000_000, output_tokens: 0 }
const NONE = { input_tokens: 0, output_tokens: 0 }
/** 100,000 tokens of each kind that has a price of its own. */
const ONE_KIND: readonly ResponseUsage[] = [
  { ...NONE, input_tokens: 100_000 },
  { ...NONE, output_tokens: 100_000 },
  { ...NONE, cache_read_input_tokens: 100_000 },
  written({ ephemeral_5m_input_tokens: 100_000, ephemeral_1h_input_tokens: 0 }),
  written({ ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 100_000 }),
]

describe('the cost of a request', () => {
  it.each(Object.entries(NAMED))('%s has its published prices, or is told to have none', (model, usd) => {
    const costs = ONE_KIND.map((usage) => costOf(model, usage, NOW))
    expect(costs.every(({ known }) => known)).toBe(usd !== null)
    expect(MODELS_WITHOUT_PRICE.includes(model)).toBe(usd === null)
    if (usd === null) return
    // 100,000 tokens of each kind, in micro-dollars.
    expect(costs.map(({ microUsd }) => microUsd)).toEqual(usd.map((perMillion) => perMillion * 100_000))
  })

  it('a prompt above 100k tokens has another price for the whole request, cached tokens counted', () => {
    const usage = { input_tokens: 50_000, cache_read_input_tokens: 50_000, output_tokens: 1000 }
    expect(costOf('claude-haiku-5-5', usage, NOW).microUsd).toBe(5000 + 500 + 500)
    const above = { ...usage, cache_read_input_tokens: 50_001 }
    expect(costOf('claude-haiku-5-5', above, NOW).microUsd).toBe(Math.ceil(25_000 + 2500.05 + 2500))
    expect(costOf('claude-haiku-5-5', { ...usage, output_tokens: 1_000_000 }, NOW).microUsd).toBe(505_500)
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

  it('an unknown model costs as the dearest known one, and never less than any of them', () => {
    expect(costOf('claude-next', MILLION, NOW)).toEqual({ microUsd: 25_000_000, known: false })
    for (const usage of [...ONE_KIND, MILLION]) {
      const unknown = costOf('claude-next', usage, NOW).microUsd
      for (const { model } of PRICES) expect(costOf(model, usage, NOW).microUsd).toBeLessThanOrEqual(unknown)
    }
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

function written(tokens: { ephemeral_5m_input_tokens: number; ephemeral_1h_input_tokens: number }) {
  return { ...NONE, cache_creation_input_tokens: 100_000, cache_creation: tokens }
}
