import { describe, expect, it } from 'vitest'
import { dropOlderTurns, joinMessages } from './history.ts'
import type { HistoryMessage } from './types.ts'
import { validateHistory } from './validate-history.ts'

const says = (role: HistoryMessage['role'], text: string): HistoryMessage => ({
  role,
  content: [{ type: 'text', text }],
})
const call: HistoryMessage = {
  role: 'assistant',
  content: [{ type: 'tool_use', id: 't1', name: 'times', input: {} }],
}
const result: HistoryMessage = {
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: 't1', content: 'ok' }],
}

describe('joinMessages', () => {
  it('joins neighbours of one role and leaves its arguments alone', () => {
    const first = [says('user', 'a')]
    const joined = joinMessages(first, [
      says('user', 'b'),
      { role: 'assistant', content: [] },
      says('user', 'c'),
    ])
    expect(joined).toHaveLength(1)
    expect(joined[0]?.content).toHaveLength(3)
    expect(first[0]?.content).toHaveLength(1)
  })
})

describe('dropOlderTurns', () => {
  it('cuts where a customer speaks, never between a call and its result', () => {
    const history = [
      says('user', 'long '.repeat(100)),
      call,
      result,
      says('assistant', 'ok'),
      says('user', 'new'),
    ]
    expect(dropOlderTurns(history)).toEqual([says('user', 'new')])
  })

  it('cuts in a message that begins with the results of the turn before', () => {
    const mixed: HistoryMessage = {
      role: 'user',
      content: [...result.content, { type: 'text', text: 'new' }],
    }
    const shorter = dropOlderTurns([says('user', 'old'), call, mixed])
    expect(shorter).toEqual([says('user', 'new')])
    expect(validateHistory(shorter)).toEqual([])
  })

  it('has nothing to drop from a single turn', () => {
    expect(dropOlderTurns([says('user', 'only'), call, result])).toBeNull()
  })
})
