import { describe, expect, it } from 'vitest'
import { agentHarness, customerSays } from '../../test/support/agent-harness.ts'
import { answers, calls, says } from '../../test/support/scripted-model.ts'
import type { ContentBlockParam } from './types.ts'

const BOOK: ContentBlockParam = { type: 'tool_use', id: 't1', name: 'book', input: { time: '09:00' } }
const THINKING: ContentBlockParam = { type: 'thinking', thinking: 'hm', signature: 'c2ln' }

describe('every stop_reason', () => {
  it.each(['end_turn', 'stop_sequence'])('%s: the text is the answer', async (reason) => {
    const result = await agentHarness([says(reason, ['Hi!'])]).run()
    expect(result).toMatchObject({ status: 'completed', stopReason: reason, text: 'Hi!', finalAnswer: null })
    expect(result.steps).toHaveLength(1)
  })

  it('end_turn without text is asked for its answer once', async () => {
    const { run, model } = agentHarness([says('end_turn', []), answers('Here I am')])
    const result = await run()
    expect(result).toMatchObject({ status: 'completed', text: 'Here I am' })
    expect(result.usage.outputTokens).toBe(10)
    expect(model.requests[1]?.messages.at(-1)?.content.at(-1)).toMatchObject({
      text: 'Answer the customer now, in text.',
    })
  })

  it('end_turn without text twice hands off as empty_answer', async () => {
    const result = await agentHarness([says('end_turn', [' \n']), says('end_turn', [THINKING])]).run()
    expect(result).toMatchObject({ status: 'stopped', stopReason: 'empty_answer', text: '' })
  })

  it('a tool_use block in a message that ended otherwise does not run and is not kept', async () => {
    const { run, world } = agentHarness([says('end_turn', ['Done', BOOK])])
    const result = await run()
    expect(world.log).toEqual([])
    expect(result.appended).toEqual([{ role: 'assistant', content: [{ type: 'text', text: 'Done' }] }])
  })

  it('tool_use: each block gets one result, in order, first in the next user message', async () => {
    const lines = [
      calls(['a', 'book', { time: '09:00' }], ['b', 'nope', {}], ['c', 'times', { day: '2026-01-05' }]),
      answers('Booked'),
    ]
    const result = await agentHarness(lines).run()
    const results = result.appended[1]?.content.map((block) => 'tool_use_id' in block && block.tool_use_id)
    expect(results).toEqual(['a', 'b', 'c'])
    expect(result.steps.map((step) => step.finishReason)).toEqual(['tool_use', 'end_turn'])
  })

  it('tool_use without any call is treated as an empty answer', async () => {
    const result = await agentHarness([says('tool_use', ['Let me look']), answers('Nothing free')]).run()
    expect(result).toMatchObject({ status: 'completed', text: 'Nothing free' })
  })

  it('max_tokens with text only is the answer, cut at the last full sentence', async () => {
    const result = await agentHarness([says('max_tokens', [THINKING, 'We open at 9.30. And we cl'])]).run()
    expect(result).toMatchObject({ status: 'completed', stopReason: 'max_tokens', text: 'We open at 9.30.' })
    expect(result.appended[0]?.content).toEqual([THINKING, { type: 'text', text: 'We open at 9.30.' }])
  })

  it('max_tokens with a tool_use anywhere runs nothing, keeps nothing, and goes once more, larger', async () => {
    const lines = [says('max_tokens', ['Booking.', BOOK, 'and']), answers('Which day?')]
    const { run, model, world } = agentHarness(lines, { maxOutputTokens: 100 })
    const result = await run()
    expect(world.log).toEqual([])
    expect(model.requests.map((request) => request.max_tokens)).toEqual([100, 400])
    expect(model.requests[1]?.messages).toEqual(model.requests[0]?.messages)
    expect(result).toMatchObject({ status: 'completed', text: 'Which day?' })
    expect(result.usage).toMatchObject({ inputTokens: 20, outputTokens: 10 })
    expect(result.appended).toHaveLength(1)
  })

  it('max_tokens with a tool_use twice hands off as truncated_tool_use, both attempts counted', async () => {
    const { run, world } = agentHarness([says('max_tokens', [BOOK]), says('max_tokens', [BOOK])])
    const result = await run()
    expect(result).toMatchObject({ status: 'stopped', stopReason: 'truncated_tool_use', appended: [] })
    expect(result.usage.outputTokens).toBe(10)
    expect(world.log).toEqual([])
  })

  it('max_tokens with neither text nor tools goes once more, then hands off as empty_answer', async () => {
    const result = await agentHarness([says('max_tokens', [THINKING]), says('max_tokens', [])]).run()
    expect(result).toMatchObject({ status: 'stopped', stopReason: 'empty_answer' })
  })

  it('pause_turn: the content goes back unchanged and the answer continues it', async () => {
    const search: ContentBlockParam = { type: 'server_tool_use', id: 's1', name: 'web_search', input: {} }
    const found: ContentBlockParam = { type: 'web_search_tool_result', tool_use_id: 's1', content: [] }
    const { run, model } = agentHarness([
      says('pause_turn', ['Looking.', search]),
      says('end_turn', [found, 'Found.']),
    ])
    const result = await run()
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      role: 'assistant',
      content: [{ type: 'text', text: 'Looking.' }, search],
    })
    expect(result).toMatchObject({ status: 'completed', text: 'Looking.\nFound.' })
    expect(result.appended).toHaveLength(1)
  })

  it('pause_turn for the fourth time in a row hands off as pause_limit', async () => {
    const pause = says('pause_turn', ['Still looking'])
    const { run, model } = agentHarness([pause, pause, pause, pause])
    expect(await run()).toMatchObject({ status: 'stopped', stopReason: 'pause_limit' })
    expect(model.requests).toHaveLength(4)
  })

  it('refusal is not retried and keeps its category', async () => {
    const refusal = { ...says('refusal', ['I can']), stop_details: { category: 'general_harms' } }
    const result = await agentHarness([refusal]).run()
    expect(result).toMatchObject({
      status: 'stopped',
      stopReason: 'finish_reason:refusal',
      refusalCategory: 'general_harms',
      appended: [],
    })
  })

  it('model_context_window_exceeded drops older turns at a customer message and goes once more', async () => {
    const { run, model } = agentHarness([says('model_context_window_exceeded', []), answers('Fine')])
    const result = await run({ messages: longHistory() })
    expect(result).toMatchObject({ status: 'completed', text: 'Fine' })
    expect(model.requests[1]?.messages.length).toBeLessThan(longHistory().length)
    expect(model.requests[1]?.messages[0]?.content[0]).toMatchObject({ type: 'text' })
  })

  it('model_context_window_exceeded again, or with nothing to drop, hands off as context_window', async () => {
    const tooLong = says('model_context_window_exceeded', [])
    const again = await agentHarness([tooLong, tooLong]).run({ messages: longHistory() })
    expect(again).toMatchObject({ status: 'stopped', stopReason: 'context_window' })
    const single = await agentHarness([tooLong]).run()
    expect(single).toMatchObject({ status: 'stopped', stopReason: 'context_window' })
  })

  it.each(['compaction', null])(
    'an unknown stop_reason (%s) is reported, runs no tool and hands off',
    async (reason) => {
      const { run, world, events } = agentHarness([says(reason, ['Hm', BOOK])])
      expect(await run()).toMatchObject({
        status: 'stopped',
        stopReason: 'unknown_stop_reason',
        appended: [],
      })
      expect(world.log).toEqual([])
      expect(events.map((entry) => entry.name)).toContain('onUnknownStopReason')
    },
  )

  it('thinking blocks and signatures go back byte for byte', async () => {
    const redacted: ContentBlockParam = { type: 'redacted_thinking', data: 'ZGF0YQ==' }
    const content = [THINKING, redacted, { ...BOOK, input: { time: '09:00', z: 1, a: 2 } }]
    const { run, model } = agentHarness([says('tool_use', content), answers('Ok')])
    await run()
    expect(JSON.stringify(model.requests[1]?.messages[1]?.content)).toBe(JSON.stringify(content))
  })
})

function longHistory() {
  return [
    customerSays('First, a long story. '.repeat(20)),
    { role: 'assistant' as const, content: [BOOK] },
    {
      role: 'user' as const,
      content: [
        { type: 'tool_result' as const, tool_use_id: 't1', content: 'ok' },
        { type: 'text' as const, text: 'Second' },
      ],
    },
    { role: 'assistant' as const, content: [{ type: 'text' as const, text: 'Yes' }] },
    customerSays('Third'),
  ]
}
