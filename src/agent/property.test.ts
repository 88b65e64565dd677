import fc from 'fast-check'
import { expect, it } from 'vitest'
import { agentHarness, harnessTools, toolThat } from '../../test/support/agent-harness.ts'
import { says } from '../../test/support/scripted-model.ts'
import { DomainError } from '../shared/app-error.ts'
import { maxTokensUsed, stepCountIs } from './stop-conditions.ts'
import type { ContentBlockParam, ModelResponse } from './types.ts'

const text = fc.constantFrom(
  '',
  ' ',
  '\n',
  'Hello. How',
  'Fine',
  '  trailing  ',
  'half \ud83d',
  'nul \u0000',
  '\ude00',
)
const id = fc.constantFrom('t1', 't2', 't2', 'toolu_3', '', 'bad id!', 's1')
const name = fc.constantFrom(
  'times',
  'book',
  'offer',
  'refuses',
  'breaks',
  'nope',
  '__proto__',
  'a b',
  'half\ud83d',
  '',
)
const input: fc.Arbitrary<unknown> = fc.constantFrom(
  {},
  { day: '2026-01-05' },
  { time: '09:00' },
  { text: 'Which?' },
  { text: 'half \ud83d', 'k\ude00': 1 },
  { day: 1, extra: [] },
  null,
  'text',
  [1],
  JSON.parse('{"__proto__": {"day": 1}}'),
)

const block: fc.Arbitrary<ContentBlockParam> = fc.oneof(
  text.map((value): ContentBlockParam => ({ type: 'text', text: value })),
  fc.tuple(id, name, input).map(
    ([toolUseId, toolName, value]): ContentBlockParam => ({
      type: 'tool_use',
      id: toolUseId,
      name: toolName,
      input: value,
    }),
  ),
  fc.constantFrom<ContentBlockParam>(
    { type: 'thinking', thinking: 'hm', signature: 'c2ln' },
    { type: 'redacted_thinking', data: 'ZGF0YQ==' },
    { type: 'server_tool_use', id: 'srv1', name: 'web_search', input: {} },
    { type: 'web_search_tool_result', tool_use_id: 'srv1', content: [] },
  ),
)

const stopReason = fc.constantFrom(
  'end_turn',
  'stop_sequence',
  'tool_use',
  'tool_use',
  'tool_use',
  'max_tokens',
  'pause_turn',
  'refusal',
  'model_context_window_exceeded',
  'new_word',
  null,
)

const response: fc.Arbitrary<ModelResponse> = fc
  .tuple(stopReason, fc.array(block, { maxLength: 5 }))
  .map(([reason, content]) => says(reason, content))

const tools = [
  ...harnessTools(),
  toolThat('refuses', 'read', async () => {
    throw new DomainError('no', '', {})
  }),
  toolThat('breaks', 'write', async () => {
    throw new Error('broken')
  }),
]

it('after any run over any assistant contents, every request and the history are ones the API takes', async () => {
  const runs = fc.tuple(fc.array(response, { minLength: 1, maxLength: 6 }), fc.integer({ min: 20, max: 120 }))
  await fc.assert(
    fc.asyncProperty(runs, async ([responses, tokens]) => {
      let next = 0
      const again = () => responses[next++ % responses.length] ?? says('end_turn', ['x'])
      const lines = Array.from({ length: 40 }, () => again)
      const options = { tools, stopWhen: [stepCountIs(5), maxTokensUsed(tokens)] }
      const first = agentHarness(lines, { ...options, mayStopEarly: true })
      const result = await first.run()
      expect(first.model.complaints).toEqual([])
      expect(result.status).not.toBe('failed')
      expect(await agentHarness([], { ...options, store: first.store }).run()).toEqual(result)
    }),
    { numRuns: 2000 },
  )
}, 120_000)
