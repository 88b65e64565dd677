import { describe, expect, it } from 'vitest'
import { harnessTools } from '../../test/support/agent-harness.ts'
import { buildRequest, shapeOf, toToolSchemas } from './request-builder.ts'
import type { HistoryMessage } from './types.ts'

const mark = { type: 'ephemeral' as const }
const build = (messages: HistoryMessage[]) =>
  buildRequest({
    model: 'm',
    maxTokens: 5,
    system: 'Rules.',
    tools: toToolSchemas(harnessTools()),
    messages,
    mayCallTools: true,
  })

describe('a request', () => {
  it('has its tools in an order of their own, with the schema zod gives', () => {
    const names = toToolSchemas(harnessTools()).map((tool) => tool.name)
    expect(names).toEqual(['book', 'offer', 'times'])
    expect(toToolSchemas([...harnessTools()].reverse()).map((tool) => tool.name)).toEqual(names)
    expect(build([]).tools[0]?.input_schema).toEqual({
      type: 'object',
      properties: { time: { type: 'string' } },
      required: ['time'],
      additionalProperties: false,
    })
  })

  it('is marked at the end of the system text and of the newest message, and nowhere else', () => {
    const old = { type: 'text' as const, text: 'old', cache_control: mark }
    const request = build([
      { role: 'user', content: [old] },
      { role: 'assistant', content: [{ type: 'text', text: 'yes' }] },
      { role: 'user', content: [old, { type: 'text', text: 'new' }] },
    ])
    expect(request.system).toEqual([{ type: 'text', text: 'Rules.', cache_control: mark }])
    expect(JSON.stringify(request.messages).match(/cache_control/g)).toHaveLength(1)
    expect(request.messages.at(-1)?.content.at(-1)).toMatchObject({ text: 'new', cache_control: mark })
  })

  it('has a shape without its content', () => {
    const request = build([{ role: 'user', content: [{ type: 'text', text: 'secret' }] }])
    expect(shapeOf(request)).toEqual({
      model: 'm',
      maxTokens: 5,
      toolChoice: 'auto',
      toolCount: 3,
      systemLength: 6,
      messages: ['user: text'],
    })
  })
})
