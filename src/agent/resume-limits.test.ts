import { describe, expect, it } from 'vitest'
import { agentHarness, newWorld } from '../../test/support/agent-harness.ts'
import { memoryRunStore } from '../../test/support/memory-run-store.ts'
import { answers, calls, type ScriptLine } from '../../test/support/scripted-model.ts'
import { maxDuration, stepCountIs } from './stop-conditions.ts'

const DAY = { day: '2026-01-05' }
const READ = `times ${DAY.day}`

/** A model that never answers and does not look at its signal. */
const hangs: ScriptLine = () => new Promise<never>(() => undefined)

/** Plays `before`, crashes when the next request is due, and gives what the run left behind. */
async function crashAfter(before: readonly ScriptLine[]) {
  const store = memoryRunStore()
  const world = newWorld()
  const first = agentHarness(before, { store, world })
  const crash = new Error('the worker is gone')
  const shouldContinue = async ({ stepIndex }: { stepIndex: number }) => {
    if (stepIndex === before.length) throw crash
    return true
  }
  await expect(first.run({ shouldContinue })).rejects.toBe(crash)
  expect(store.attempts.size).toBe(before.length)
  return { store, world }
}

describe('the limits of a run that crashed', () => {
  it('count the calls from before the crash: the third identical one is not executed', async () => {
    const left = await crashAfter([calls(['a', 'times', DAY]), calls(['b', 'times', DAY])])
    const second = agentHarness([calls(['c', 'times', DAY]), answers('Done')], left)
    const result = await second.run()
    expect(left.world.log).toEqual([READ, READ])
    expect(result.steps.map((step) => step.toolResults.map(({ error }) => error))).toEqual([
      [null],
      [null],
      ['repeated'],
      [],
    ])
  })

  it('start anew after a successful write, also one from before the crash', async () => {
    const left = await crashAfter([
      calls(['a', 'times', DAY]),
      calls(['b', 'times', DAY]),
      calls(['w', 'book', { time: '09:00' }]),
    ])
    const second = agentHarness([calls(['c', 'times', DAY]), answers('Done')], left)
    await second.run()
    expect(left.world.log).toEqual([READ, READ, 'book 09:00', READ])
  })

  it('count time from the start of the run: a request gets only what is left of it', async () => {
    const left = await crashAfter([calls(['a', 'times', DAY])])
    const stopWhen = [maxDuration(600_000)]
    const second = agentHarness([hangs, answers('Bye')], { ...left, stopWhen })
    second.clock.advance(599_950)
    const startedAt = performance.now()
    expect(await second.run()).toMatchObject({ stopReason: 'max_duration:600000', text: 'Bye' })
    expect(performance.now() - startedAt).toBeLessThan(4000)
    expect(second.model.requests).toHaveLength(2)
  })
})

describe('a final answer that hangs', () => {
  it('is abandoned after its own time, also when the model ignores its signal', async () => {
    const harness = agentHarness([calls(['a', 'times', DAY]), hangs], {
      stopWhen: [stepCountIs(1)],
      finalAnswerTimeoutMs: 30,
    })
    expect(await harness.run()).toMatchObject({
      status: 'stopped',
      stopReason: 'step_count:1',
      finalAnswer: 'error',
      text: '',
    })
    expect(harness.model.requests).toHaveLength(2)
  })
})
