import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { connectionSettings } from './connection-settings.ts'

export interface ListenOptions {
  readonly databaseUrl: string
  /** A constant of ours: it is put into the statement. */
  readonly channel: string
  readonly onMessage: (payload: string) => void
  /** It listens, for the first time or again. What was told in between is lost: read it up. */
  readonly onConnected: () => void
  readonly onLost: (error: unknown) => void
}

export interface Listener {
  close(): Promise<void>
}

const FIRST_RETRY_MS = 250
const LONGEST_RETRY_MS = 5_000
const PING_EVERY_MS = 15_000

/**
 * Keeps one connection that listens on a channel, and makes a new one whenever it breaks: also when the server
 * went away without a word, which a ping every 15 seconds finds out.
 */
export function listen(options: ListenOptions): Listener {
  const stop = new AbortController()
  const done = keepListening(options, stop.signal)
  return {
    async close() {
      stop.abort()
      await done
    },
  }
}

async function keepListening(options: ListenOptions, signal: AbortSignal): Promise<void> {
  let waitMs = FIRST_RETRY_MS
  while (!signal.aborted) {
    try {
      await listenOnce(options, signal, () => {
        waitMs = FIRST_RETRY_MS
      })
    } catch (error) {
      if (signal.aborted) return
      options.onLost(error)
      await pause(waitMs, signal)
      waitMs = Math.min(waitMs * 2, LONGEST_RETRY_MS)
    }
  }
}

/** Returns when it is told to stop, throws when the connection breaks. */
async function listenOnce(
  options: ListenOptions,
  signal: AbortSignal,
  onConnected: () => void,
): Promise<void> {
  const client = new Client({ ...connectionSettings(options.databaseUrl), application_name: 'agendou live' })
  const broken = new Promise<never>((_resolve, reject) => {
    client.on('error', reject)
    client.on('end', () => reject(new Error('the connection that listens was closed')))
  })
  // It may break while nobody waits for it: before the first wait, or after the last.
  broken.catch(() => undefined)
  try {
    client.on('notification', ({ payload }) => options.onMessage(payload ?? ''))
    await client.connect()
    await client.query(`listen ${options.channel}`)
    onConnected()
    options.onConnected()
    while (!signal.aborted) {
      await Promise.race([broken, pause(PING_EVERY_MS, signal)])
      if (!signal.aborted) await client.query('select 1')
    }
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Ends early, without an error, when `signal` says so. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal, ref: false }).catch(() => undefined)
}
