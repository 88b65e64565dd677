/**
 * Server-Sent Events over `fetch` rather than `EventSource`: the latter gives up for good on the first answer
 * that is not 200 (a restart behind a proxy), cannot tell 401 from the rest, and never notices a connection
 * that died without a word. Whatever happens, this one comes back and asks for what it missed by
 * `Last-Event-ID`.
 */

export interface StreamEvent {
  readonly id: string | null
  readonly name: string
  readonly data: string
}

export interface StreamHandlers {
  readonly onEvent: (event: StreamEvent) => void
  /** `isFirst` of the first connection of all: what happened before it is not replayed. */
  readonly onOpen: (isFirst: boolean) => void
  readonly onLost: () => void
  readonly onUnauthorized: () => void
}

export interface EventStream {
  /** Tries at once instead of waiting out the pause. */
  retryNow(): void
  close(): void
}

/** Longer than two heartbeats of the server. */
const SILENCE_MS = 45_000
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 10_000

export function openEventStream(url: string, handlers: StreamHandlers): EventStream {
  const state = { closed: false, lastId: '', failures: 0, opened: false, wake: () => {} }
  let connection = new AbortController()

  const listen = async (): Promise<'lost' | 'unauthorized'> => {
    connection = new AbortController()
    let silence = setTimeout(() => connection.abort(), SILENCE_MS)
    const alive = () => {
      clearTimeout(silence)
      silence = setTimeout(() => connection.abort(), SILENCE_MS)
    }
    try {
      const headers: Record<string, string> = { accept: 'text/event-stream' }
      if (state.lastId !== '') headers['last-event-id'] = state.lastId
      const response = await fetch(url, { headers, signal: connection.signal, cache: 'no-store' })
      if (response.status === 401) return 'unauthorized'
      if (!response.ok || response.body === null) return 'lost'
      state.failures = 0
      handlers.onOpen(!state.opened)
      state.opened = true
      const parse = createEventParser(handlers.onEvent, (id) => {
        state.lastId = id
      })
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return 'lost'
        alive()
        parse(value)
      }
    } catch {
      return 'lost'
    } finally {
      clearTimeout(silence)
    }
  }

  const run = async () => {
    while (!state.closed) {
      const end = await listen()
      if (state.closed) return
      if (end === 'unauthorized') return handlers.onUnauthorized()
      handlers.onLost()
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** state.failures, LONGEST_PAUSE_MS)
      state.failures += 1
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pauseMs)
        state.wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }
  void run()
  return {
    retryNow: () => state.wake(),
    close: () => {
      state.closed = true
      connection.abort()
      state.wake()
    },
  }
}

/**
 * Takes the stream in pieces of any size and hands out whole events. `onId` hears of every id, of a block without
 * data too: the server begins with one, so that a client that is cut before anything happened misses nothing.
 * https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export function createEventParser(
  onEvent: (event: StreamEvent) => void,
  onId: (id: string) => void,
): (chunk: string) => void {
  let rest = ''
  let fields: { id: string | null; name: string; data: string[] } = { id: null, name: 'message', data: [] }
  const readLine = (line: string) => {
    if (line === '') {
      if (fields.id !== null) onId(fields.id)
      if (fields.data.length > 0) {
        onEvent({ id: fields.id, name: fields.name, data: fields.data.join('\n') })
      }
      fields = { id: null, name: 'message', data: [] }
      return
    }
    const colon = line.indexOf(':')
    if (colon === 0) return
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'id') fields.id = value
    else if (field === 'event') fields.name = value
    else if (field === 'data') fields.data.push(value)
  }
  return (chunk) => {
    const lines = (rest + chunk).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const line of lines) readLine(line)
  }
}
