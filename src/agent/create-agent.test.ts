import { describe, expect, it } from 'vitest'
import { agentHarness, type Harness, newWorld, toolThat } from '../../test/support/agent-harness.ts'
import { answers, calls, type ScriptLine, says } from '../../test/support/scripted-model.ts'
import { ModelError } from './model-error.ts'
import { RunInterruptedError, RunSupersededError } from './run-errors.ts'
import {
  finishReasonIs,
  hasToolCall,
  maxCost,
  maxDuration,
  maxInputTokens,
  maxTokensUsed,
  type StopCondition,
  stepCountIs,
} from './stop-conditions.ts'
import { LOOP_TEXTS } from './texts.ts'
import type { ModelErrorKind, ModelRequest } from './types.ts'

const times = (id: string, day = '2026-01-05') => calls([id, 'times', { day }])
const failing = (kind: ModelErrorKind) => () => {
  throw new ModelError(kind, { status: 400, apiCode: 'word' })
}

describe('brakes', () => {
  const noTime = () => {}
  const slow = (harness: Harness) => harness.clock.advance(1000)
  it.each<[string, StopCondition, (harness: Harness) => void]>([
    ['step_count:1', stepCountIs(1), noTime],
    ['max_tokens:15', maxTokensUsed(15), noTime],
    ['max_input_tokens:10', maxInputTokens(10), noTime],
    ['max_cost:0.000004', maxCost(0.000004), noTime],
    ['max_duration:1000', maxDuration(1000), slow],
  ])('%s stops the run and asks for a forced final answer', async (word, condition, before) => {
    let harness: Harness | null = null
    const first = () => {
      if (harness !== null) before(harness)
      return times('t1')
    }
    harness = agentHarness([first, answers('A person will complete it.')], { stopWhen: [condition] })
    const result = await harness.run()
    expect(result).toMatchObject({
      status: 'stopped',
      stopReason: word,
      finalAnswer: 'given',
      text: 'A person will complete it.',
    })
    expect(result.steps).toHaveLength(1)
  })

  it('max_steps is the last wall', async () => {
    const { run } = agentHarness([times('a', '2026-01-05'), times('b', '2026-01-06'), answers('Bye')], {
      maxSteps: 2,
    })
    expect(await run()).toMatchObject({ status: 'stopped', stopReason: 'max_steps:2', text: 'Bye' })
  })

  it('a budget that is spent keeps the step’s tools from running, each with its result', async () => {
    const batch = calls(['a', 'times', { day: '2026-01-05' }], ['b', 'book', { time: '09:00' }])
    const { run, world, model } = agentHarness([batch, answers('Bye')], { stopWhen: [maxTokensUsed(15)] })
    const result = await run()
    expect(world.log).toEqual([])
    expect(result.steps[0]?.toolResults).toMatchObject([
      { error: 'limit', content: LOOP_TEXTS.en.limit },
      { error: 'limit' },
    ])
    expect(model.requests[1]?.messages.at(-1)?.content.map((block) => block.type)).toEqual([
      'tool_result',
      'tool_result',
      'text',
    ])
  })

  it('a step limit lets the step’s tools run', async () => {
    const { run, world } = agentHarness([times('t1'), answers('Bye')], { stopWhen: [stepCountIs(1)] })
    await run()
    expect(world.log).toEqual(['times 2026-01-05'])
  })

  it('an answer completes the run, also when a limit is reached with it', async () => {
    const { run } = agentHarness([answers('Hi')], { stopWhen: [stepCountIs(1), maxTokensUsed(1)] })
    expect(await run()).toMatchObject({ status: 'completed', stopReason: 'end_turn' })
  })

  it('checks budgets before a retry', async () => {
    const { run } = agentHarness([says('end_turn', []), answers('Bye')], { stopWhen: [maxTokensUsed(15)] })
    expect(await run()).toMatchObject({ status: 'stopped', stopReason: 'max_tokens:15', text: 'Bye' })
  })

  it.each<[string, StopCondition]>([
    ['tool_call:times', hasToolCall('times')],
    ['finish_reason:tool_use', finishReasonIs('tool_use')],
    ['custom', (state) => state.steps.length === 1],
    ['enough', () => 'enough'],
  ])('%s stops without another request', async (word, condition) => {
    const { run } = agentHarness([times('t1')], { stopWhen: [condition] })
    expect(await run()).toMatchObject({ status: 'stopped', stopReason: word, finalAnswer: null })
  })

  it('the first condition that matches gives its word', async () => {
    const stopWhen = [hasToolCall('book'), stepCountIs(1), hasToolCall('times')]
    const result = await agentHarness([times('t1'), answers('Bye')], { stopWhen }).run()
    expect(result.stopReason).toBe('step_count:1')
  })

  it('a condition that throws ends the run as failed', async () => {
    const broken: StopCondition = () => {
      throw new Error('broken')
    }
    const { run, events } = agentHarness([times('t1')], { stopWhen: [broken] })
    expect(await run()).toMatchObject({ status: 'failed', stopReason: 'bug' })
    expect(events.map((entry) => entry.name)).toContain('onBug')
  })
})

describe('the forced final answer', () => {
  const limited = (lines: ScriptLine[]) =>
    agentHarness([times('t1'), ...lines], { stopWhen: [stepCountIs(1)] })

  it('keeps tools and system, forbids calls, and speaks after the last results', async () => {
    const { run, model } = limited([answers('Bye')])
    await run()
    const [first, last] = model.requests
    expect(last?.tool_choice).toEqual({ type: 'none' })
    expect([last?.tools, last?.system]).toEqual([first?.tools, first?.system])
    expect(last?.messages.at(-1)?.content.at(-1)).toMatchObject({ text: LOOP_TEXTS.en.finalAnswer })
  })

  it.each<[string, ScriptLine, string]>([
    ['no text', says('end_turn', []), 'empty'],
    ['a refusal', says('refusal', ['No']), 'empty'],
    ['an error', failing('unreachable'), 'error'],
  ])('%s leaves the text to the application', async (_name, line, finalAnswer) => {
    const result = await limited([line]).run()
    expect(result).toMatchObject({ status: 'stopped', stopReason: 'step_count:1', finalAnswer, text: '' })
    expect(result.appended).toHaveLength(2)
  })
})

describe('transport', () => {
  it.each<[ModelErrorKind, string]>([
    ['unreachable', 'model_unavailable'],
    ['not_allowed', 'model_unavailable'],
    ['bad_request', 'model_error'],
    ['bug', 'model_error'],
    ['deadline', 'model_unavailable'],
  ])('%s without a fallback hands off as %s and is stored as an attempt', async (kind, stopReason) => {
    const { run, store } = agentHarness([failing(kind)])
    expect(await run()).toMatchObject({ status: 'stopped', stopReason, text: '' })
    expect(store.attempts.get(0)?.failure).toMatchObject({ status: 400, code: 'word' })
  })

  it('a bad request is stored with its shape and without its content', async () => {
    const { run, store } = agentHarness([failing('bad_request')])
    await run()
    expect(store.attempts.get(0)?.failure?.shape).toMatchObject({ toolCount: 3, messages: ['user: text'] })
    expect(JSON.stringify(store.attempts.get(0))).not.toContain('Hello')
  })

  it('an unreachable model leaves the rest of the run to the fallback', async () => {
    let asked = 0
    const fallbackModel = {
      complete: async () => {
        asked += 1
        return asked === 1 ? times('g1') : answers('Menu')
      },
    }
    const { run, model } = agentHarness([failing('unreachable')], { fallbackModel })
    expect(await run()).toMatchObject({ status: 'completed', text: 'Menu', usedFallback: true })
    expect(model.requests).toHaveLength(1)
    expect(asked).toBe(2)
  })

  it('a key that is not allowed does not fall back', async () => {
    const fallbackModel = { complete: async () => answers('Menu') }
    const { run } = agentHarness([failing('not_allowed')], { fallbackModel })
    expect(await run()).toMatchObject({ stopReason: 'model_unavailable', usedFallback: false })
  })

  it('a deadline that strikes in a model call is the duration’s limit, also when the model ignores it', async () => {
    const hang = () => new Promise<never>(() => {})
    const { run } = agentHarness([hang, answers('Bye')], { stopWhen: [maxDuration(30)] })
    expect(await run()).toMatchObject({ status: 'stopped', stopReason: 'max_duration:30', text: 'Bye' })
  })

  it('a model that throws anything else is a bug, not a crash', async () => {
    const broken = () => {
      throw new TypeError('oops')
    }
    const { run, events } = agentHarness([broken])
    expect(await run()).toMatchObject({ status: 'stopped', stopReason: 'model_error' })
    expect(events.map((entry) => entry.name)).toContain('onBug')
  })
})

describe('ownership', () => {
  it('shouldContinue is asked before each request and before a batch that writes', async () => {
    const phases: string[] = []
    const { run } = agentHarness([times('a'), calls(['b', 'book', { time: '09:00' }]), answers('Ok')])
    await run({
      shouldContinue: async ({ phase, wrote }) => {
        phases.push(`${phase} ${wrote}`)
        return true
      },
    })
    expect(phases).toEqual(['model false', 'model false', 'write false', 'model true'])
  })

  it('a run that was overtaken ends as superseded, before it writes', async () => {
    const { run, world } = agentHarness([calls(['a', 'book', { time: '09:00' }])])
    const result = await run({ shouldContinue: async ({ phase }) => phase !== 'write' })
    expect(result).toMatchObject({
      status: 'superseded',
      stopReason: 'superseded',
      wrote: false,
      appended: [],
    })
    expect(world.log).toEqual([])
  })

  it('a store that finds the run overtaken ends it, and what was written stays in the history', async () => {
    const tools = [
      toolThat('first', 'write', async () => 'done'),
      toolThat('second', 'write', async () => {
        throw new RunSupersededError()
      }),
    ]
    const { run } = agentHarness([calls(['a', 'first', {}], ['b', 'second', {}])], { tools })
    const result = await run()
    expect(result).toMatchObject({ status: 'superseded', wrote: true })
    expect(result.appended).toHaveLength(2)
  })

  it('an aborted run rejects and can be resumed', async () => {
    const controller = new AbortController()
    const hang = () => {
      queueMicrotask(() => controller.abort())
      return new Promise<never>(() => {})
    }
    const world = newWorld()
    const first = agentHarness([calls(['a', 'book', { time: '09:00' }]), hang], { world })
    await expect(first.run({ signal: controller.signal })).rejects.toThrow(RunInterruptedError)
    const second = agentHarness([answers('Booked')], { world, store: first.store })
    expect(await second.run()).toMatchObject({ status: 'completed', text: 'Booked', wrote: true })
    expect(world.log).toEqual(['book 09:00'])
  })

  it('an observer that throws changes nothing', async () => {
    const broken = () => {
      throw new Error('observer')
    }
    const { run } = agentHarness([answers('Hi')], { events: { onModelCall: broken, onRunEnd: broken } })
    expect(await run()).toMatchObject({ status: 'completed' })
  })
})

describe('the prompt cache', () => {
  it('the prefix of a request is a prefix of the next one, byte for byte', async () => {
    const lines = [times('a'), calls(['b', 'book', { time: '09:00' }]), says('end_turn', []), answers('Ok')]
    const { run, model } = agentHarness(lines)
    await run()
    const bytes = model.requests.map(prefixOf)
    for (const [index, prefix] of bytes.slice(0, -1).entries()) {
      expect(bytes[index + 1]?.startsWith(prefix)).toBe(true)
    }
  })
})

/** The request's blocks in cache order without marks, a line each. */
function prefixOf(request: ModelRequest): string {
  const blocks = request.messages.flatMap(({ role, content }) => content.map((block) => ({ role, ...block })))
  return [...request.tools, ...request.system, ...blocks]
    .map((block) => JSON.stringify({ ...block, cache_control: undefined }))
    .join('\n')
}
