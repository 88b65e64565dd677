/**
 * What a request costs, in whole micro-dollars (millionths of a USD), rounded up per request.
 *
 * A price row holds from `effectiveFrom` (UTC midnight) and for prompts of at least `promptTokensFrom` tokens
 * (input + cache reads + cache writes); the row applies to the whole request. Prices are micro-dollars per
 * million tokens, so that every one of them is an integer. Source, where a row names no other: Anthropic's price
 * list, https://platform.claude.com/docs/en/about-claude/pricing; where a source gives no cache prices, they are
 * that list's multipliers of the input price: reads 0.1, five-minute writes 1.25, one-hour writes 2.
 */
import type { ResponseUsage } from './types.ts'
import { allInputTokens, cacheWrites, toUsage } from './usage.ts'

export interface Price {
  model: string
  /** `YYYY-MM-DD`, UTC. */
  effectiveFrom: string
  promptTokensFrom: number
  input: number
  output: number
  cacheRead: number
  cacheWrite5m: number
  cacheWrite1h: number
}

const ALWAYS = '1970-01-01'

export const PRICES: readonly Price[] = [
  price('claude-haiku-5-5', ALWAYS, 0, [0.1, 0.5, 0.01, 0.125, 0.2]),
  price('claude-haiku-5-5', ALWAYS, 100_001, [0.5, 2.5, 0.05, 0.625, 1]),
  price('claude-haiku-4-5', ALWAYS, 0, [1, 5, 0.1, 1.25, 2]),
  price('claude-sonnet-5-5', ALWAYS, 0, [2, 10, 0.2, 2.5, 4]),
  price('claude-sonnet-5-5', '2026-10-07', 0, [2, 10, 0.1, 2.5, 4]),
  // https://platform.claude.com/docs/zh-CN/models/sonnet-5/overview
  price('claude-sonnet-5', ALWAYS, 0, [2, 10, 0.2, 2.5, 4]),
  price('claude-sonnet-4-6', ALWAYS, 0, [3, 15, 0.3, 3.75, 6]),
  price('claude-sonnet-4-5', ALWAYS, 0, [3, 15, 0.3, 3.75, 6]),
  price('claude-opus-5-5', ALWAYS, 0, [4, 20, 0.2, 5, 8]),
  price('claude-opus-5', ALWAYS, 0, [5, 25, 0.5, 6.25, 10]),
  price('claude-opus-4-8', ALWAYS, 0, [5, 25, 0.5, 6.25, 10]),
  price('claude-opus-4-7', ALWAYS, 0, [5, 25, 0.5, 6.25, 10]),
  price('claude-opus-4-6', ALWAYS, 0, [5, 25, 0.5, 6.25, 10]),
  price('claude-opus-4-5', ALWAYS, 0, [5, 25, 0.5, 6.25, 10]),
  // A reseller at Anthropic's list price, without one-hour writes:
  // https://docs.laozhang.ai/en/announcements/claude-fable-5-2-2026-11.md
  price('claude-fable-5-2', ALWAYS, 0, [8, 40, 0.2, 10, 16]),
  price('claude-fable-5-1', ALWAYS, 0, [10, 50, 0.25, 12.5, 20]),
  price('claude-mythos-5-1', ALWAYS, 0, [10, 50, 0.25, 12.5, 20]),
  price('claude-fable-5', ALWAYS, 0, [10, 50, 1, 12.5, 20]),
  price('claude-mythos-5', ALWAYS, 0, [10, 50, 1, 12.5, 20]),
  // Input and output as the press gave them at its announcement, https://techjacksolutions.com/?p=45647
  price('claude-mythos-preview', ALWAYS, 0, [25, 125, 2.5, 31.25, 50]),
]

/** Models that the SDK names and no published price was found for: they cost as the dearest known one. */
export const MODELS_WITHOUT_PRICE: readonly string[] = ['claude-mythos-5-2']

export interface Cost {
  microUsd: number
  /** False: the model has no price here and the dearest known one was used. */
  known: boolean
}

/** Cost of one request. `atMs` picks the prices of that day. A request without tokens costs nothing. */
export function costOf(
  model: string,
  usage: ResponseUsage,
  atMs: number,
  prices: readonly Price[] = PRICES,
): Cost {
  const name = model.replace(/-\d{8}$/, '')
  const own = rowFor(name, usage, atMs, prices)
  if (own !== null) return { microUsd: apply(own, usage), known: true }
  const others = [...new Set(prices.map((row) => row.model))]
    .map((other) => rowFor(other, usage, atMs, prices))
    .filter((row) => row !== null)
  return { microUsd: Math.max(0, ...others.map((row) => apply(row, usage))), known: false }
}

export function microUsdToUsd(microUsd: number): number {
  return microUsd / 1_000_000
}

/** The row that holds: of those in force for this prompt, the newest, then the highest tier. */
function rowFor(model: string, usage: ResponseUsage, atMs: number, prices: readonly Price[]): Price | null {
  const promptTokens = allInputTokens(toUsage(usage))
  let best: Price | null = null
  for (const row of prices) {
    if (row.model !== model || row.promptTokensFrom > promptTokens) continue
    if (row.effectiveFrom !== ALWAYS && Date.parse(row.effectiveFrom) > atMs) continue
    if (best === null || isLater(row, best)) best = row
  }
  return best
}

function isLater(a: Price, b: Price): boolean {
  if (a.effectiveFrom !== b.effectiveFrom) return a.effectiveFrom > b.effectiveFrom
  return a.promptTokensFrom > b.promptTokensFrom
}

function apply(row: Price, usage: ResponseUsage): number {
  const { inputTokens, cacheReadTokens, outputTokens } = toUsage(usage)
  const writes = cacheWrites(usage)
  const perMillion =
    inputTokens * row.input +
    outputTokens * row.output +
    cacheReadTokens * row.cacheRead +
    writes.fiveMinutes * row.cacheWrite5m +
    writes.oneHour * row.cacheWrite1h
  return Math.ceil(perMillion / 1_000_000)
}

type UsdPerMillion = readonly [input: number, output: number, read: number, write5m: number, write1h: number]

function price(model: string, effectiveFrom: string, promptTokensFrom: number, usd: UsdPerMillion): Price {
  const [input, output, cacheRead, cacheWrite5m, cacheWrite1h] = usd
  return {
    model,
    effectiveFrom,
    promptTokensFrom,
    input: micro(input),
    output: micro(output),
    cacheRead: micro(cacheRead),
    cacheWrite5m: micro(cacheWrite5m),
    cacheWrite1h: micro(cacheWrite1h),
  }
}

function micro(usd: number): number {
  return Math.round(usd * 1_000_000)
}
