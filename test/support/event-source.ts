import { request } from 'node:http'

export interface ReceivedEvent {
  readonly id: string
  readonly event: string
  readonly data: unknown
}

/** A client of Server-Sent Events over a real connection, as a browser has it. */
export interface EventSourceClient {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  /** What came so far, oldest first. */
  readonly events: readonly ReceivedEvent[]
  /** Of the last id line, with an event or without: what a browser sends when it comes back. */
  lastEventId(): string
  /** The comments (heartbeats) that came. */
  comments(): number
  /** Resolves with the first event, past or to come, for which `matches` holds. */
  next(matches: (event: ReceivedEvent) => boolean): Promise<ReceivedEvent>
  /** Resolves when the server or {@link cut} has ended the stream. */
  readonly ended: Promise<void>
  cut(): void
}

export async function openEvents(
  address: string,
  headers: Readonly<Record<string, string>>,
): Promise<EventSourceClient> {
  const events: ReceivedEvent[] = []
  const waiting = new Set<() => void>()
  const state = { text: '', id: '', comments: 0 }
  const take = (block: string) => {
    const fields = new Map(
      block.split('\n').map((line) => {
        const at = line.indexOf(':')
        return [line.slice(0, at), line.slice(at + 1).trimStart()] as const
      }),
    )
    if (fields.has('')) state.comments += 1
    state.id = fields.get('id') ?? state.id
    const event = fields.get('event')
    if (event !== undefined)
      events.push({ id: state.id, event, data: JSON.parse(fields.get('data') ?? 'null') })
    for (const check of waiting) check()
  }
  return new Promise((resolve, reject) => {
    const outgoing = request(`${address}/v1/events`, { headers, agent: false }, (response) => {
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        state.text += chunk
        for (let at = state.text.indexOf('\n\n'); at >= 0; at = state.text.indexOf('\n\n')) {
          take(state.text.slice(0, at))
          state.text = state.text.slice(at + 2)
        }
      })
      const ended = new Promise<void>((end) => {
        response.on('close', () => end())
      })
      response.on('error', () => undefined)
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        events,
        lastEventId: () => state.id,
        comments: () => state.comments,
        ended,
        cut: () => outgoing.destroy(),
        next: (matches) =>
          new Promise((found) => {
            const check = () => {
              const event = events.find(matches)
              if (event === undefined) return
              waiting.delete(check)
              found(event)
            }
            waiting.add(check)
            check()
          }),
      })
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}
