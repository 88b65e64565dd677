import { describe, expect, it } from 'vitest'
import { acceptCalls, acceptWithoutCalls, cutAtSentence } from './history-content.ts'

describe('what enters the history', () => {
  it.each([
    ['We open at 9. And we cl', 'We open at 9.'],
    ['Is it 9.30? Yes! May', 'Is it 9.30? Yes!'],
    ['He said "yes." Then', 'He said "yes."'],
    ['No sentence ends her', 'No sentence ends…'],
    ['Word', 'Word…'],
    ['All of it.', 'All of it.'],
  ])('a cut text ends with a whole sentence or a whole word: %s', (text, cut) => {
    expect(cutAtSentence(text)).toBe(cut)
  })

  it('blocks that the API takes back are the same objects', () => {
    const content = [
      { type: 'thinking' as const, thinking: '', signature: 'c2ln' },
      { type: 'tool_use' as const, id: 't1', name: 'times', input: { b: 1, a: 2 } },
    ]
    const accepted = acceptCalls(content, new Set())
    expect(accepted.content.every((block, index) => block === content[index])).toBe(true)
  })

  it('ids are unique over the conversation, names and inputs have the API’s form', () => {
    const content = [{ type: 'tool_use' as const, id: 'a b', name: 'my.tool', input: 'text' }]
    const { content: kept, calls } = acceptCalls(content, new Set(['a_b']))
    expect(kept).toMatchObject([{ id: 'a_b_2', name: 'my_tool', input: {} }])
    expect(calls).toEqual([{ toolUseId: 'a_b_2', name: 'my.tool', input: 'text' }])
  })

  it('blank text, unanswered calls and thinking at the end stay out of an answer', () => {
    const answer = acceptWithoutCalls([
      { type: 'text', text: ' ' },
      { type: 'text', text: 'Hi' },
      { type: 'tool_use', id: 't1', name: 'x', input: {} },
      { type: 'thinking', thinking: '', signature: 's' },
    ])
    expect(answer).toEqual([{ type: 'text', text: 'Hi' }])
  })
})
