import { describe, expect, it } from 'vitest'
import {
  earliestDeadline,
  finishReasonIs,
  firstMatch,
  hasToolCall,
  isLimitWord,
  maxCost,
  maxDuration,
  maxInputTokens,
  maxTokensUsed,
  type RunState,
  type StopCondition,
  stepCountIs,
} from './stop-conditions.ts'
import { NO_USAGE } from './usage.ts'

const step = {
  stepIndex: 0,
  text: '',
  toolCalls: [{ toolUseId: 't', name: 'times', input: {} }],
  toolResults: [],
  usage: NO_USAGE,
  finishReason: 'tool_use',
}
const state = (change: Partial<RunState> = {}): RunState => ({
  steps: [step],
  usage: { inputTokens: 10, cacheReadTokens: 20, cacheWriteTokens: 30, outputTokens: 40 },
  elapsedMs: 1000,
  costUsd: 0.25,
  ...change,
})

describe('stop conditions', () => {
  it.each<[string, StopCondition, StopCondition]>([
    ['step_count:1', stepCountIs(1), stepCountIs(2)],
    ['max_tokens:100', maxTokensUsed(100), maxTokensUsed(101)],
    ['max_input_tokens:60', maxInputTokens(60), maxInputTokens(61)],
    ['max_cost:0.25', maxCost(0.25), maxCost(0.2501)],
    ['max_duration:1000', maxDuration(1000), maxDuration(1001)],
    ['tool_call:times', hasToolCall('times'), hasToolCall('book')],
    ['finish_reason:tool_use', finishReasonIs('tool_use'), finishReasonIs('refusal')],
    ['custom', () => true, () => false],
    ['my word', () => 'my word', () => ''],
  ])('%s matches when it is reached, and not before', (word, reached, notReached) => {
    expect(firstMatch([notReached, reached], state(), 'all')).toBe(word)
    expect(firstMatch([notReached], state(), 'all')).toBeNull()
  })

  it('only tokens, cost and duration are budgets', () => {
    const others = [stepCountIs(1), hasToolCall('times'), finishReasonIs('tool_use'), () => true]
    expect(firstMatch(others, state(), 'budget')).toBeNull()
    expect(firstMatch([...others, maxCost(0.1)], state(), 'budget')).toBe('max_cost:0.1')
  })

  it('the earliest duration is the deadline', () => {
    expect(earliestDeadline([stepCountIs(1), maxDuration(20), maxDuration(10)])).toEqual({
      word: 'max_duration:10',
      deadlineMs: 10,
    })
    expect(earliestDeadline([() => true])).toBeNull()
  })

  it('limits are told from other words', () => {
    expect(['step_count:8', 'max_steps:8', 'max_cost:0.25', 'max_input_tokens:1'].every(isLimitWord)).toBe(
      true,
    )
    expect(['tool_call:offer', 'finish_reason:refusal', 'custom', 'max'].some(isLimitWord)).toBe(false)
  })
})
