/**
 * One stream of Server-Sent Events: what happens to a tenant from a position on.
 *
 * A stream knows nothing but its position. Woken by the hub, by its own heartbeat or by both at once, it reads
 * what lies behind the position and tells it; so whatever was lost on the way (a notification, the database for
 * a while) is told with the next wake. A client that reads slowly holds up its own stream only: nothing is read
 * for it before it took what was written.
 */
import { once } from 'node:events'
import type { PassThrough } from 'node:stream'
import type { TenantStore } from '../db/index.ts'
import type { Clock } from '../shared/clock.ts'
import { type LiveEvent, type LivePosition, readLiveEvents } from './live-events.ts'
import type { LiveHub } from './live-hub.ts'

export interface StreamDependencies {
  readonly store: TenantStore
  readonly hub: LiveHub
  readonly clock: Clock
  readonly onError: (error: unknown) => void
  /** Milliseconds between two signs of life; default 15,000. */
  readonly heartbeatMs?: number
}

export interface StreamInput {
  readonly tenantId: string
  readonly output: PassThrough
  /** Whether the client may still listen, asked with every heartbeat. */
  readonly isAllowed: () => Promise<boolean>
}

const HEARTBEAT_MS = 15_000
const BATCH = 100
/** How soon browsers come back after a cut. */
const RETRY_MS = 2_000

/**
 * Tells everything from `start` on into `output`, until that is closed. Subscribe first and look up the position
 * then, so that nothing falls in between: that is what `start` is a function for.
 * @throws whatever `start` throws; nothing is open then.
 */
export async function openEventStream(
  dependencies: StreamDependencies,
  { tenantId, output, isAllowed }: StreamInput,
  start: () => Promise<LivePosition>,
): Promise<void> {
  const { hub, onError, heartbeatMs = HEARTBEAT_MS } = dependencies
  const closed = new AbortController()
  let pump: (() => void) | null = null
  const unsubscribe = hub.subscribe(tenantId, () => pump?.())
  try {
    const position = await start()
    output.write(opening(position))
    pump = createPump(dependencies, { tenantId, output, after: position.after, signal: closed.signal })
  } catch (error) {
    unsubscribe()
    throw error
  }
  const heartbeat = setInterval(() => {
    // Its position is in the table: it can come back when it is read again.
    if (output.writableNeedDrain) return
    output.write(': alive\n\n')
    pump?.()
    isAllowed().then((allowed) => {
      if (!allowed) output.end()
    }, onError)
  }, heartbeatMs)
  output.on('close', () => {
    clearInterval(heartbeat)
    unsubscribe()
    closed.abort()
  })
  pump()
}

/** Of a wake during a run nothing is lost: it runs once more. */
function createPump(
  { store, clock, onError }: StreamDependencies,
  input: { tenantId: string; output: PassThrough; after: bigint; signal: AbortSignal },
): () => void {
  const { tenantId, output, signal } = input
  let { after } = input
  let isRunning = false
  let isWoken = false
  const run = async () => {
    while (isWoken && !signal.aborted) {
      isWoken = false
      const { events, last } = await store.read(tenantId, (reader) =>
        readLiveEvents(reader, { after, limit: BATCH, now: clock.now() }),
      )
      if (signal.aborted) return
      for (const event of events) {
        if (!output.write(formatEvent(event))) await once(output, 'drain', { signal })
      }
      if (last > after) isWoken = true
      after = last
    }
  }
  return () => {
    isWoken = true
    if (isRunning || signal.aborted || output.writableEnded) return
    isRunning = true
    run()
      .catch((error: unknown) => {
        if (!signal.aborted) onError(error)
      })
      .finally(() => {
        isRunning = false
      })
  }
}

/** The id comes at once: a client that is cut off before its first event comes back to the right place. */
function opening({ after, mustReload }: LivePosition): string {
  const first = mustReload ? formatEvent({ id: after, name: 'reload', data: {} }) : `id: ${after}\n\n`
  return `retry: ${RETRY_MS}\n${first}`
}

function formatEvent({ id, name, data }: LiveEvent): string {
  return `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}
