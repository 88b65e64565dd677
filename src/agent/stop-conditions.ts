/**
 * The brakes of a run. They are checked after each completed step, in the order given; the first that matches
 * names the run's `stopReason`. Budget conditions are also looked at before a step's tools and before a retry:
 * what was used cannot become less, so there is no point in running on.
 */
import type { Step, Usage } from './types.ts'
import { allInputTokens, allTokens } from './usage.ts'

export interface RunState {
  steps: readonly Step[]
  /** Of every request so far: truncated, failed and repeated ones too. */
  usage: Usage
  elapsedMs: number
  costUsd: number
}

export interface StopRule {
  /** The `stopReason` it gives. */
  word: string
  budget: boolean
  /** Elapsed time at which a request in flight is aborted; null: not a matter of time. */
  deadlineMs: number | null
  matches(state: RunState): boolean
}

/** A condition of the caller's own: `true` stops with `custom`, a string with that word. */
export type StopFunction = (state: RunState) => boolean | string

export type StopCondition = StopRule | StopFunction

/** Stops when n model turns ran. */
export function stepCountIs(n: number): StopRule {
  return rule(`step_count:${n}`, false, (state) => state.steps.length >= n)
}

/** Stops when all tokens so far (input, cache reads, cache writes, output) reach n. */
export function maxTokensUsed(n: number): StopRule {
  return rule(`max_tokens:${n}`, true, (state) => allTokens(state.usage) >= n)
}

/** Stops when input, cache-read and cache-write tokens reach n. */
export function maxInputTokens(n: number): StopRule {
  return rule(`max_input_tokens:${n}`, true, (state) => allInputTokens(state.usage) >= n)
}

/** Stops when the computed cost reaches `usd`. */
export function maxCost(usd: number): StopRule {
  const limit = Math.round(usd * 1_000_000)
  return rule(`max_cost:${usd}`, true, (state) => Math.round(state.costUsd * 1_000_000) >= limit)
}

/** Stops when `ms` have passed since the run began, also in the middle of a model request. */
export function maxDuration(ms: number): StopRule {
  return { ...rule(`max_duration:${ms}`, true, (state) => state.elapsedMs >= ms), deadlineMs: ms }
}

/** Stops when any completed step called `name`, whether or not the call worked. */
export function hasToolCall(name: string): StopRule {
  return rule(`tool_call:${name}`, false, (state) =>
    state.steps.some((step) => step.toolCalls.some((call) => call.name === name)),
  )
}

/** Stops when any completed step ended with `reason` (a `stop_reason` of the Messages API). */
export function finishReasonIs(reason: string): StopRule {
  return rule(`finish_reason:${reason}`, false, (state) =>
    state.steps.some((step) => step.finishReason === reason),
  )
}

/** The word of the first condition that matches, or null. Whatever a custom function throws comes through. */
export function firstMatch(
  conditions: readonly StopCondition[],
  state: RunState,
  which: 'all' | 'budget',
): string | null {
  for (const condition of conditions) {
    if (typeof condition === 'function') {
      const verdict = which === 'all' ? condition(state) : false
      if (typeof verdict === 'string' && verdict !== '') return verdict
      if (verdict === true) return 'custom'
    } else if ((which === 'all' || condition.budget) && condition.matches(state)) {
      return condition.word
    }
  }
  return null
}

/** The earliest deadline among the conditions, or null. */
export function earliestDeadline(
  conditions: readonly StopCondition[],
): { word: string; deadlineMs: number } | null {
  let earliest: { word: string; deadlineMs: number } | null = null
  for (const condition of conditions) {
    if (typeof condition === 'function' || condition.deadlineMs === null) continue
    if (earliest === null || condition.deadlineMs < earliest.deadlineMs) {
      earliest = { word: condition.word, deadlineMs: condition.deadlineMs }
    }
  }
  return earliest
}

/** Words of conditions that are limits: the customer gets a forced final answer. */
export function isLimitWord(word: string): boolean {
  return /^(step_count|max_[a-z_]+):/.test(word)
}

function rule(word: string, budget: boolean, matches: (state: RunState) => boolean): StopRule {
  return { word, budget, deadlineMs: null, matches }
}
