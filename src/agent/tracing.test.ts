import { trace } from '@opentelemetry/api'
import { afterEach, expect, it } from 'vitest'
import { agentHarness } from '../../test/support/agent-harness.ts'
import { recordSpans } from '../../test/support/recorded-spans.ts'
import { answers, calls } from '../../test/support/scripted-model.ts'

afterEach(() => {
  trace.disable()
})

it('a run gives the spans of the GenAI conventions, with counters and without content', async () => {
  const spans = recordSpans()
  const { run } = agentHarness([calls(['t1', 'times', { day: '2026-01-05' }]), answers('A secret answer')])
  await run()
  expect(spans.map((span) => span.name)).toEqual([
    'invoke_agent test',
    'chat claude-haiku-5-5',
    'execute_tool times',
    'chat claude-haiku-5-5',
  ])
  expect(spans[0]?.attributes).toMatchObject({
    'gen_ai.usage.input_tokens': 20,
    'gen_ai.usage.output_tokens': 10,
  })
  expect(spans.every((span) => span.ended)).toBe(true)
  expect(JSON.stringify(spans)).not.toMatch(/secret|Hello|2026-01-05/)
})
