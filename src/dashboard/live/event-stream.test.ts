import { describe, expect, it } from 'vitest'
import { createEventParser, type StreamEvent } from './event-stream.ts'

function parseInPieces(text: string, size: number): StreamEvent[] {
  const events: StreamEvent[] = []
  const parse = createEventParser((event) => events.push(event))
  for (let at = 0; at < text.length; at += size) parse(text.slice(at, at + size))
  return events
}

describe('the event stream parser', () => {
  const stream =
    ': hello\n\nid: 7\nevent: message.created\ndata: {"a":1}\n\nid: 8\r\ndata: one\r\ndata: two\r\n\r\n'

  it.each([1, 2, 3, 7, 1000])('hands out whole events from pieces of %i characters', (size) => {
    expect(parseInPieces(stream, size)).toEqual([
      { id: '7', name: 'message.created', data: '{"a":1}' },
      { id: '8', name: 'message', data: 'one\ntwo' },
    ])
  })

  it('keeps back an event that is not finished', () => {
    expect(parseInPieces('id: 9\ndata: half\n', 5)).toEqual([])
  })
})
