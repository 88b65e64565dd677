import { describe, expect, it } from 'vitest'
import { validateHistory, validateRequest } from './validate-history.ts'

const text = (value: string) => ({ type: 'text', text: value })
const user = (...content: unknown[]) => ({ role: 'user', content })
const assistant = (...content: unknown[]) => ({ role: 'assistant', content })
const call = (id: string, input: unknown = {}) => ({ type: 'tool_use', id, name: 'times', input })
const result = (id: string, rest: object = {}) => ({
  type: 'tool_result',
  tool_use_id: id,
  content: 'ok',
  ...rest,
})
const mark = { cache_control: { type: 'ephemeral' } }
const thinking = { type: 'thinking', thinking: 'hm', signature: 's' }

describe('the validator', () => {
  it.each<[string, unknown[]]>([
    ['one message', [user(text('Hi'))]],
    [
      'calls answered in order, results first',
      [
        user(text('Hi')),
        assistant(thinking, call('a'), call('b')),
        user(result('a'), result('b'), text('and')),
      ],
    ],
  ])('takes %s', (_name, messages) => {
    expect(validateHistory(messages)).toEqual([])
  })

  it.each<[string, unknown]>([
    ['nothing', []],
    ['no list', 'Hi'],
    ['an assistant first', [assistant(text('Hi'))]],
    ['an assistant last', [user(text('Hi')), assistant(text('Hi'))]],
    ['two of a role', [user(text('Hi')), user(text('Hi'))]],
    ['empty content', [user()]],
    ['blank text', [user(text(' \n'))]],
    ['a call without its result', [user(text('Hi')), assistant(call('a')), user(text('no'))]],
    ['a last call without its result', [user(text('Hi')), assistant(call('a'))]],
    ['a result twice', [user(text('Hi')), assistant(call('a')), user(result('a'), result('a'))]],
    [
      'results out of order',
      [user(text('Hi')), assistant(call('a'), call('b')), user(result('b'), result('a'))],
    ],
    ['a result after text', [user(text('Hi')), assistant(call('a')), user(text('so'), result('a'))]],
    ['a result without a call', [user(result('a'))]],
    [
      'an id twice',
      [user(text('Hi')), assistant(call('a')), user(result('a')), assistant(call('a')), user(result('a'))],
    ],
    ['an id of other characters', [user(text('Hi')), assistant(call('a b')), user(result('a b'))]],
    ['an input that is no object', [user(text('Hi')), assistant(call('a', [])), user(result('a'))]],
    [
      'an error without content',
      [user(text('Hi')), assistant(call('a')), user(result('a', { content: '', is_error: true }))],
    ],
    ['thinking at the end', [user(text('Hi')), assistant(text('x'), thinking), user(text('y'))]],
    [
      'thinking without a signature',
      [user(text('Hi')), assistant({ type: 'thinking', thinking: '' }, text('x')), user(text('y'))],
    ],
    [
      'a mark on thinking',
      [user(text('Hi')), assistant({ ...thinking, ...mark }, text('x')), user(text('y'))],
    ],
    ['a call in a user message', [user(call('a'))]],
    ['five cache marks', [user(...Array.from({ length: 5 }, () => ({ ...text('x'), ...mark })))]],
    [
      'a server call without its result',
      [
        user(text('Hi')),
        assistant({ type: 'server_tool_use', id: 's', name: 'w', input: {} }, text('x')),
        user(text('y')),
      ],
    ],
  ])('refuses %s', (_name, messages) => {
    expect(validateHistory(messages)).not.toEqual([])
  })

  it('a paused message may stand last when it goes back for more', () => {
    const paused = [user(text('Hi')), assistant({ type: 'server_tool_use', id: 's', name: 'w', input: {} })]
    expect(validateHistory(paused, { pausedTail: true })).toEqual([])
    expect(validateHistory(paused, { stored: true })).not.toEqual([])
  })

  const request = { model: 'm', max_tokens: 1, messages: [user(text('Hi'))] }
  const tool = { name: 'a', input_schema: { type: 'object' } }
  it.each<[string, unknown]>([
    ['no object', null],
    ['no model', { ...request, model: '' }],
    ['no max_tokens', { ...request, max_tokens: 0 }],
    ['a blank system text', { ...request, system: [text('')] }],
    ['a tool name the API refuses', { ...request, tools: [{ ...tool, name: 'a b' }] }],
    ['two tools of a name', { ...request, tools: [tool, tool] }],
    ['a tool that takes no object', { ...request, tools: [{ ...tool, input_schema: { type: 'string' } }] }],
    ['half a surrogate pair', { ...request, messages: [user(text('cut \ud83d'))] }],
    ['an unknown tool_choice', { ...request, tools: [tool], tool_choice: { type: 'some' } }],
    [
      'five marks over all of it',
      { ...request, system: Array.from({ length: 5 }, () => ({ ...text('x'), ...mark })) },
    ],
  ])('refuses a request with %s', (_name, body) => {
    expect(validateRequest(body)).not.toEqual([])
  })

  it('takes a whole surrogate pair, and a text that only looks like half of one', () => {
    expect(validateRequest({ ...request, messages: [user(text('😀 \\ud83d'))] })).toEqual([])
  })

  it('takes a plain request', () => {
    expect(
      validateRequest({ ...request, system: 'x', tools: [tool], tool_choice: { type: 'none' } }),
    ).toEqual([])
  })
})
