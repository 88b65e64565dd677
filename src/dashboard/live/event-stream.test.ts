import { describe, expect, it } from 'vitest'
import { createEventParser, type StreamEvent } from './event-stream.ts'

function parseInPieces(text: string, size: number): StreamEvent[] {
  const events: StreamEvent[] = []
  const parse = createEventParser(
    (event) => events.push(event),
    () => undefined,
  )
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

  it.each([1, 4, 1000])('tells of an id that comes without data, in pieces of %i characters', (size) => {
    const ids: string[] = []
    const text = 'retry: 2000\nid: 41\n\nid: 42\nevent: a\ndata: 1\n\nid: 43\n'
    const parse = createEventParser(
      () => undefined,
      (id) => ids.push(id),
    )
    for (let at = 0; at < text.length; at += size) parse(text.slice(at, at + size))
    expect(ids).toEqual(['41', '42'])
  })

  it('keeps back an event that is not finished', () => {
    expect(parseInPieces('id: 9\ndata: half\n', 5)).toEqual([])
  })
})
