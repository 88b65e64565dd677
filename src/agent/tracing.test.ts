import { type Attributes, INVALID_SPAN_CONTEXT, type Tracer, trace } from '@opentelemetry/api'
import { afterEach, expect, it } from 'vitest'
import { agentHarness } from '../../test/support/agent-harness.ts'
import { answers, calls } from '../../test/support/scripted-model.ts'

afterEach(() => {
  trace.disable()
})

it('a run gives the spans of the GenAI conventions, with counters and without content', async () => {
  const spans: { name: string; attributes: Attributes; ended: boolean }[] = []
  trace.setGlobalTracerProvider({ getTracer: () => recordingTracer(spans) })
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

function recordingTracer(spans: { name: string; attributes: Attributes; ended: boolean }[]): Tracer {
  const startSpan: Tracer['startSpan'] = (name, options) => {
    const record = { name, attributes: { ...options?.attributes }, ended: false }
    spans.push(record)
    const span = trace.wrapSpanContext(INVALID_SPAN_CONTEXT)
    span.setAttribute = (key, value) => {
      if (value !== undefined) record.attributes[key] = value
      return span
    }
    span.setAttributes = (attributes) => {
      Object.assign(record.attributes, attributes)
      return span
    }
    span.end = () => {
      record.ended = true
    }
    return span
  }
  return {
    startSpan,
    startActiveSpan: (name: string, ...rest: unknown[]) => {
      const [options] = rest
      const work = rest.at(-1)
      if (typeof work !== 'function') throw new Error('no work')
      return work(startSpan(name, typeof options === 'object' && options !== null ? options : {}))
    },
  }
}
