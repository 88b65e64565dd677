import { describe, expect, it } from 'vitest'
import { agentHarness, harnessTools, toolThat } from '../../test/support/agent-harness.ts'
import { answers, calls } from '../../test/support/scripted-model.ts'
import { DomainError, InfrastructureError } from '../shared/app-error.ts'
import type { Locale } from '../shared/locale.ts'
import { LOOP_TEXTS } from './texts.ts'
import type { Tool } from './types.ts'

const CANARY = 'SELECT secret FROM customers /srv/app/db.ts joana@example.com'

async function oneCall(
  tool: Parameters<typeof toolThat>[2],
  locale: Locale = 'en',
  effect: Tool<unknown>['effect'] = 'read',
) {
  const harness = agentHarness([calls(['t1', 'tool', {}]), answers('Bye')], {
    tools: [toolThat('tool', effect, tool)],
    locale,
  })
  const result = await harness.run()
  return { ...harness, result, toolResult: result.steps[0]?.toolResults[0] }
}

describe('what can go wrong with a tool', () => {
  it.each([
    ['pt-BR', 'Corrija e chame de novo'],
    ['es', 'Corrígela y llama de nuevo'],
    ['en', 'Correct it and call again'],
  ] as const)('invalid input (%s): the model reads each path and what is expected', async (locale, text) => {
    const lines = [calls(['t1', 'times', { day: '5/1', extra: 1 }]), answers('Bye')]
    const { run, world } = agentHarness(lines, { locale })
    const result = await run()
    const read = result.steps[0]?.toolResults[0]
    expect(read).toMatchObject({ error: 'invalid_input' })
    expect(read?.content).toContain(text)
    expect(read?.content).toMatch(/day: .+\n.+extra/s)
    expect(world.log).toEqual([])
    expect(result.toolFailures).toEqual([])
  })

  it('domain rule: the model reads the fact and the next step', async () => {
    const { toolResult, result } = await oneCall(async () => {
      throw new DomainError('time_taken', '09:00 is taken.', { suggestion: 'Offer 10:00.' })
    })
    expect(toolResult).toMatchObject({ error: 'domain_rule', content: '09:00 is taken. Offer 10:00.' })
    expect(result.toolFailures).toEqual([])
  })

  it.each(['nope', '__proto__', 'constructor', 'toString'])(
    'unknown tool %s: the model reads the names that exist',
    async (name) => {
      const { run, events } = agentHarness([calls(['t1', name, {}]), answers('Bye')])
      const result = await run()
      expect(result.steps[0]?.toolResults[0]).toMatchObject({
        error: 'unknown_tool',
        content: `The tool "${name}" does not exist. Those that do: book, offer, times.`,
      })
      expect(events).toContainEqual(
        expect.objectContaining({ event: expect.objectContaining({ tool: 'unknown_tool' }) }),
      )
    },
  )

  it.each(['pt-BR', 'es', 'en'] as const)(
    'infrastructure (%s): a fixed text, the run answers and tells of it',
    async (locale) => {
      const { toolResult, result } = await oneCall(async () => {
        throw new InfrastructureError('db', CANARY)
      }, locale)
      expect(toolResult).toMatchObject({
        error: 'infrastructure',
        content: LOOP_TEXTS[locale].infrastructure,
      })
      expect(result).toMatchObject({ status: 'completed', text: 'Bye' })
      expect(result.toolFailures).toEqual([{ name: 'tool', toolUseId: 't1', kind: 'infrastructure' }])
    },
  )

  it('bug: a fixed text, and an alert', async () => {
    const { toolResult, events, result } = await oneCall(async () => {
      throw new TypeError(CANARY)
    })
    expect(toolResult).toMatchObject({ error: 'bug', content: LOOP_TEXTS.en.bug })
    expect(result.toolFailures).toMatchObject([{ kind: 'bug' }])
    expect(events).toContainEqual(
      expect.objectContaining({ name: 'onBug', event: expect.objectContaining({ where: 'tool:tool' }) }),
    )
  })

  it('a result that is no JSON is a bug', async () => {
    const { toolResult } = await oneCall(async () => ({ big: 1n }))
    expect(toolResult).toMatchObject({ error: 'bug' })
  })

  it.each([
    new InfrastructureError('db', CANARY, { cause: new Error(CANARY) }),
    new Error(CANARY),
    new DomainError('taken', 'It is taken.', { cause: new Error(CANARY), facts: { row: CANARY } }),
    CANARY,
  ])(
    'canary %#: an exception’s own text reaches neither the model, the result nor the store',
    async (error) => {
      const { result, model, store } = await oneCall(async () => {
        throw error
      })
      const seen = JSON.stringify([
        result,
        model.requests,
        [...store.attempts.values()],
        [...store.toolCalls.values()],
      ])
      expect(seen).not.toContain('secret')
      expect(seen).not.toContain('joana')
    },
  )

  it('a tool that hangs and ignores its signal is abandoned', async () => {
    const { toolResult } = await oneCall(() => new Promise(() => {}))
    expect(toolResult).toMatchObject({ error: 'infrastructure' })
  })

  it('a timed-out write is looked up by its key before anything is said of it', async () => {
    let key = ''
    const tool = toolThat(
      'tool',
      'write',
      (_input, ctx) => {
        key = ctx.idempotencyKey
        return new Promise(() => {})
      },
      async (_input, ctx) => (ctx.idempotencyKey === key ? { output: { code: 'K7' } } : null),
    )
    const result = await agentHarness([calls(['t1', 'tool', {}]), answers('Bye')], { tools: [tool] }).run()
    expect(key).toBe('run-1:t1')
    expect(result.steps[0]?.toolResults[0]).toMatchObject({ error: null, content: '{"code":"K7"}' })
    expect(result).toMatchObject({ wrote: true, toolFailures: [] })
  })

  it('a write that failed and cannot be found may still have written', async () => {
    const { result } = await oneCall(() => new Promise(() => {}), 'en', 'write')
    expect(result).toMatchObject({ wrote: true, toolFailures: [{ kind: 'infrastructure' }] })
  })
})

describe('a batch', () => {
  it('runs reads side by side and writes one after another in the given order', async () => {
    const log: string[] = []
    let waiting = 0
    let release = () => {}
    const bothWait = new Promise<void>((resolve) => {
      release = resolve
    })
    const read = async () => {
      waiting += 1
      if (waiting === 2) release()
      await bothWait
      return 'read'
    }
    const write = (name: string) => async () => {
      log.push(`${name} begins`)
      await new Promise((resolve) => setImmediate(resolve))
      log.push(`${name} ends`)
      return name
    }
    const tools = [
      toolThat('r1', 'read', read),
      toolThat('r2', 'read', read),
      toolThat('w1', 'write', write('w1')),
      toolThat('w2', 'write', write('w2')),
    ]
    const batch = calls(['a', 'w2', {}], ['b', 'r1', {}], ['c', 'w1', {}], ['d', 'r2', {}])
    const result = await agentHarness([batch, answers('Ok')], { tools }).run()
    expect(log).toEqual(['w2 begins', 'w2 ends', 'w1 begins', 'w1 ends'])
    expect(result.steps[0]?.toolResults.map((entry) => [entry.toolUseId, entry.error])).toEqual([
      ['a', null],
      ['b', null],
      ['c', null],
      ['d', null],
    ])
  })

  it('ends the run on an end_turn tool that succeeded', async () => {
    const result = await agentHarness([calls(['t1', 'offer', { text: 'Which?' }])]).run()
    expect(result).toMatchObject({
      status: 'stopped',
      stopReason: 'tool_call:offer',
      endTurn: { name: 'offer', toolUseId: 't1', input: { text: 'Which?' }, output: { shown: true } },
    })
  })

  it('does not end on an end_turn call that was refused', async () => {
    const result = await agentHarness([calls(['t1', 'offer', { wrong: 1 }]), answers('Which?')]).run()
    expect(result).toMatchObject({ status: 'completed', text: 'Which?', endTurn: null })
  })

  it.each([
    ['a rule refused', new DomainError('time_taken', 'Taken.', {}), 'domain_rule'],
    ['nobody knows of', new InfrastructureError('down', 'x'), 'infrastructure'],
  ] as const)('does not run the writes after one that %s', async (_name, error, kind) => {
    const done: string[] = []
    const write = (name: string) =>
      toolThat(name, 'write', async () => {
        done.push(name)
        if (name === 'second') throw error
        return 'ok'
      })
    const tools = ['first', 'second', 'third'].map(write)
    const batch = calls(['a', 'first', {}], ['b', 'second', {}], ['c', 'third', {}])
    const result = await agentHarness([batch, answers('One moment')], { tools }).run()
    expect(done).toEqual(['first', 'second'])
    expect(result.steps[0]?.toolResults.map((each) => each.error)).toEqual([null, kind, 'batch_failed'])
  })

  it('does not run a write after one whose input is refused', async () => {
    const batch = calls(['a', 'book', { wrong: 1 }], ['b', 'book', { time: '10:00' }])
    const { run, world } = agentHarness([batch, answers('Which?')])
    const result = await run()
    expect(result.steps[0]?.toolResults.map((each) => each.error)).toEqual(['invalid_input', 'batch_failed'])
    expect(world.log).toEqual([])
  })

  it('does not run an end_turn tool when something else of its batch failed', async () => {
    const batch = calls(['a', 'offer', { text: 'Which?' }], ['b', 'times', { day: 'soon' }])
    const { run, world } = agentHarness([batch, answers('One moment')])
    const result = await run()
    expect(world.log).toEqual([])
    expect(result.steps[0]?.toolResults[0]).toMatchObject({
      error: 'batch_failed',
      content: LOOP_TEXTS.en.batchFailed,
    })
  })

  it('runs neither of two end_turn tools', async () => {
    const batch = calls(['a', 'offer', { text: 'A' }], ['b', 'offer', { text: 'B' }])
    const { run, world } = agentHarness([batch, answers('One')])
    expect((await run()).steps[0]?.toolResults.map((entry) => entry.error)).toEqual([
      'batch_failed',
      'batch_failed',
    ])
    expect(world.log).toEqual([])
  })

  it('does not execute the third identical call, whatever the order of its keys', async () => {
    const day = { day: '2026-01-05' }
    const lines = [
      calls(['a', 'times', day]),
      calls(['b', 'times', day]),
      calls(['c', 'times', day]),
      answers('Ok'),
    ]
    const { run, world } = agentHarness(lines)
    const result = await run()
    expect(world.log).toEqual(['times 2026-01-05', 'times 2026-01-05'])
    expect(result.steps[2]?.toolResults[0]).toMatchObject({
      error: 'repeated',
      content: LOOP_TEXTS.en.repeated,
    })
  })

  it('counts again after a write that succeeded', async () => {
    const day = { day: '2026-01-05' }
    const lines = [
      calls(['a', 'times', day], ['b', 'times', day]),
      calls(['c', 'book', { time: '09:00' }]),
      calls(['d', 'times', day]),
      answers('Ok'),
    ]
    const { run, world } = agentHarness(lines)
    await run()
    expect(world.log.filter((line) => line.startsWith('times'))).toHaveLength(3)
  })

  it('gives calls with one id two ids, so that the second write is not taken for the first', async () => {
    const lines = [calls(['t', 'book', { time: '09:00' }], ['t', 'book', { time: '10:00' }]), answers('Ok')]
    const { run, world } = agentHarness(lines)
    const result = await run()
    expect([...world.booked.keys()]).toEqual(['run-1:t', 'run-1:t_2'])
    expect(result.steps[0]?.toolResults.map((entry) => entry.toolUseId)).toEqual(['t', 't_2'])
  })

  it('refuses two tools of one name', () => {
    expect(() => agentHarness([], { tools: [...harnessTools(), ...harnessTools()] })).toThrow('share a name')
  })
})
