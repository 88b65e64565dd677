import { trace } from '@opentelemetry/api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLogger } from '../../src/observability/logger.ts'
import { InfrastructureError } from '../../src/shared/app-error.ts'
import { HANDOFF_REASONS } from '../../src/shared/handoff-reason.ts'
import { type AssistantHarness, createAssistantHarness } from '../support/assistant-harness.ts'
import { breakableStore } from '../support/breakable-store.ts'
import { freshPhone } from '../support/conversation-harness.ts'
import { type RecordedSpan, recordSpans } from '../support/recorded-spans.ts'
import { answers, calls, scriptedModel } from '../support/scripted-model.ts'

const CANARY = 'canary-5f3c-secret'

describe('what a run tells the outside', () => {
  const database = breakableStore()
  const lines: string[] = []
  let spans: readonly RecordedSpan[]
  let world: AssistantHarness

  beforeAll(async () => {
    spans = recordSpans()
    const log = createLogger('trace', { write: (line) => lines.push(line) })
    world = await createAssistantHarness({ overrides: { store: database.wrap, log } })
  })
  afterAll(async () => {
    trace.disable()
    await world.close()
  })

  it('every handoff reason has a series before anything happened', async () => {
    const { values } = await world.context.metrics.handoffs.get()
    expect(values.map(({ labels }) => labels.reason).sort()).toEqual([...HANDOFF_REASONS].sort())
    expect(values.every(({ value }) => value === 0)).toBe(true)
  })

  it.each([
    ['a bug', () => new TypeError(`${CANARY} select * from customers`)],
    ['an outage', () => new InfrastructureError('db_down', `${CANARY} at 10.0.0.7`)],
    ['a nested cause', () => new Error('outer', { cause: new Error(`${CANARY} in the cause`) })],
  ])('a secret thrown in a tool by %s reaches no request, log line, span or customer', async (_by, error) => {
    const failure = error()
    const model = scriptedModel([
      () => {
        database.failNextRead(failure)
        return calls(['t1', 'list_services', {}])
      },
      answers('Vou mandar conferir.'),
    ])
    world.use(model)
    const told = lines.length
    const { concluded, texts, conversationId } = await world.talk(world.one, freshPhone(), 'quais serviços?')
    model.assertPlayed()
    expect(concluded).toMatchObject({ handoff: 'tool_failure' })
    expect(texts).toHaveLength(1)
    // The failure itself is told, with its class and where it happened.
    expect(lines.slice(told).join()).toContain('"level":"error"')
    const stored = await world.db.store.read(world.one.id, async (reader) => ({
      calls: await reader.toolCall.findMany(),
      handoffs: await reader.handoff.findMany({ where: { conversationId } }),
    }))
    for (const place of [model.requests, lines, spans, texts, stored]) {
      expect(JSON.stringify(place)).not.toContain(CANARY)
    }
  })

  it('spans have the names and counters of the conventions, and no words of the customer', () => {
    expect(new Set(spans.map((span) => span.name))).toEqual(
      new Set(['invoke_agent receptionist', 'chat claude-haiku-5-5', 'execute_tool list_services']),
    )
    expect(spans.every((span) => span.ended)).toBe(true)
    expect(spans[0]?.attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.usage.input_tokens': 20,
      'gen_ai.usage.output_tokens': 10,
    })
    expect(JSON.stringify(spans)).not.toMatch(/quais serviços|conferir|receptionist of/)
  })

  it('metrics count runs, steps, tokens, cost and tool calls', async () => {
    const { registry } = world.context.metrics
    const text = await registry.metrics()
    expect(text).toContain('agent_runs_total{status="completed",reason="end_turn"} 3')
    expect(text).toContain('agent_steps_count 3')
    expect(text).toContain('agent_steps_sum 6')
    expect(text).toContain('agent_tokens_total{kind="input"} 60')
    expect(text).toContain('agent_tokens_total{kind="output"} 30')
    expect(text).toMatch(/agent_cost_usd_total 0\.0000\d+/)
    expect(text).toMatch(/tool_calls_total\{tool="list_services",outcome="(bug|infrastructure)"\}/)
  })

  it('and nothing of it was done for the other tenant', async () => {
    expect(await world.db.store.read(world.other.id, (reader) => reader.run.count())).toBe(0)
  })
})
