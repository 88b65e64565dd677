import { describe, expect, it } from 'vitest'
import { agentHarness, newWorld, toolThat } from '../../test/support/agent-harness.ts'
import { type MemoryRunStore, memoryRunStore } from '../../test/support/memory-run-store.ts'
import { answers, calls, type ScriptLine, says } from '../../test/support/scripted-model.ts'
import { RunSupersededError } from './run-errors.ts'
import { maxDuration, stepCountIs } from './stop-conditions.ts'

const DAY = { day: '2026-01-05' }

/** A run with reads, refusals, retries, writes and a limit: every kind of await there is. */
const SCRIPT: readonly ScriptLine[] = [
  calls(['a', 'times', DAY], ['b', 'nope', {}], ['c', 'times', { day: '2026-01-06' }]),
  says('max_tokens', [{ type: 'tool_use', id: 'cut', name: 'book', input: {} }]),
  calls(['d', 'book', { time: '09:00' }], ['e', 'book', { time: '10:00' }]),
  calls(['g', 'offer', { text: 'x', wrong: true }]),
  answers('Done'),
]
const stopWhen = [stepCountIs(5)]

/** Runs the script until the store fails, then again on what is stored, with the rest of the script. */
async function runTwice(at: number, when: 'before' | 'after') {
  const store = memoryRunStore()
  const world = newWorld()
  store.failAt(at, when)
  const first = agentHarness(SCRIPT, { store, world, stopWhen })
  const crashed = await first.run().then(
    () => false,
    () => true,
  )
  const second = agentHarness(SCRIPT.slice(store.attempts.size), { store, world, stopWhen })
  return { crashed, world, store, first, result: await second.run() }
}

describe('a run that crashed', () => {
  it('goes on where it was, whichever await of the store failed', async () => {
    const whole = await runTwice(1_000_000, 'before')
    expect(whole.crashed).toBe(false)
    const awaits = whole.first.store.calls() - 1
    expect(awaits).toBeGreaterThanOrEqual(8)
    for (let at = 0; at < awaits; at += 1) {
      for (const when of ['before', 'after'] as const) {
        const { crashed, world, result } = await runTwice(at, when)
        expect(crashed, `await ${at} ${when}`).toBe(true)
        expect(result, `await ${at} ${when}`).toMatchObject({
          status: 'completed',
          text: 'Done',
          wrote: true,
          usage: whole.result.usage,
          costMicroUsd: whole.result.costMicroUsd,
        })
        expect(result.messages, `await ${at} ${when}`).toEqual(whole.result.messages)
        expect(result.steps).toEqual(whole.result.steps)
        expect([...world.booked.keys()]).toEqual(['run-1:d', 'run-1:e'])
        expect(world.log.filter((line) => line.startsWith('book'))).toEqual(['book 09:00', 'book 10:00'])
      }
    }
  })

  it('asks for nothing again when it had ended', async () => {
    const first = agentHarness(SCRIPT, { stopWhen })
    const ended = await first.run()
    const again = agentHarness([], { store: first.store, stopWhen })
    expect(await again.run()).toEqual(ended)
  })

  it('finishes a write that was started, under the same key, also when a limit is reached meanwhile', async () => {
    const { store, keys, tools } = await crashInWrite()
    const second = agentHarness([answers('Bye')], { store, tools, stopWhen: [maxDuration(1000)] })
    second.clock.advance(5000)
    const result = await second.run()
    expect(keys).toEqual(['run-1:a', 'run-1:a'])
    expect(result).toMatchObject({ stopReason: 'max_duration:1000', text: 'Bye', wrote: true })
    expect(result.steps[0]?.toolResults).toMatchObject([{ error: null }, { error: 'limit' }])
  })

  it('keeps to a final answer that was given before the crash', async () => {
    const store = memoryRunStore()
    store.failAt(2, 'after')
    const lines = [calls(['a', 'times', DAY]), answers('Bye')]
    await expect(agentHarness(lines, { store, stopWhen: [stepCountIs(1)] }).run()).rejects.toThrow('away')
    expect(store.attempts.size).toBe(2)
    const second = agentHarness([], { store, stopWhen: [maxDuration(1)] })
    second.clock.advance(1000)
    expect(await second.run()).toMatchObject({ stopReason: 'step_count:1', text: 'Bye' })
  })

  it('throws the store’s own error, and ends as superseded when the store says so', async () => {
    const broken = memoryRunStore()
    const error = new Error('database away')
    broken.failAt(1, 'before', error)
    await expect(agentHarness([answers('Hi')], { store: broken }).run()).rejects.toBe(error)
    const lost = memoryRunStore()
    lost.failAt(1, 'before', new RunSupersededError())
    expect(await agentHarness([answers('Hi')], { store: lost }).run()).toMatchObject({ status: 'superseded' })
  })
})

async function crashInWrite() {
  const store: MemoryRunStore = memoryRunStore()
  const keys: string[] = []
  const write = toolThat('write', 'write', async (_input, ctx) => {
    keys.push(ctx.idempotencyKey)
    return 'written'
  })
  const tools = [write]
  const batch = calls(['a', 'write', {}], ['b', 'write', {}])
  // load, then the answer with the first write's start; the first result and the second start are lost
  store.failAt(2, 'before')
  await expect(agentHarness([batch], { store, tools }).run()).rejects.toThrow('the store is away')
  return { store, keys, tools }
}
