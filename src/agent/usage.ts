import type { ResponseUsage, Usage } from './types.ts'

export const NO_USAGE: Usage = { inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0 }

/** The API's counters as ours; what is absent, null or no whole positive number counts as 0. */
export function toUsage(usage: ResponseUsage): Usage {
  return {
    inputTokens: count(usage.input_tokens),
    cacheReadTokens: count(usage.cache_read_input_tokens),
    cacheWriteTokens: cacheWrites(usage).fiveMinutes + cacheWrites(usage).oneHour,
    outputTokens: count(usage.output_tokens),
  }
}

/**
 * Cache writes by how long they live, as they are priced apart. `cache_creation_input_tokens` is their sum;
 * what the split does not explain is taken as the five-minute default.
 */
export function cacheWrites(usage: ResponseUsage): { fiveMinutes: number; oneHour: number } {
  const oneHour = count(usage.cache_creation?.ephemeral_1h_input_tokens)
  const fiveMinutes = count(usage.cache_creation?.ephemeral_5m_input_tokens)
  const total = Math.max(count(usage.cache_creation_input_tokens), oneHour + fiveMinutes)
  return { fiveMinutes: total - oneHour, oneHour }
}

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    outputTokens: a.outputTokens + b.outputTokens,
  }
}

/** Input, cache-read and cache-write tokens: everything the model read. */
export function allInputTokens(usage: Usage): number {
  return usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens
}

export function allTokens(usage: Usage): number {
  return allInputTokens(usage) + usage.outputTokens
}

function count(value: number | null | undefined): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.floor(value) : 0
}
