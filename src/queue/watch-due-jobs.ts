import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { QueueLog } from './queue-log.ts'
import { QUEUE_SCHEMA } from './queue-schema.ts'

/** How often the next moments are looked at, and how far ahead: jobs delayed by more than the first are never late. */
const LOOK_EVERY_MS = 200
const LOOK_AHEAD_MS = 350

/**
 * Wakes a worker at the moment a delayed job becomes due. graphile-worker is told of a job when it is added
 * and otherwise only polls, so the answer to a customer would wait for somebody's next look, half a poll
 * interval on average and with busy workers more.
 *
 * Nothing depends on it: the watch lives beside the workers of each process, derives all from the table, and
 * when it or its process dies the polls of the others find the same jobs.
 */
export function watchDueJobs(options: {
  readonly pool: pg.Pool
  readonly wake: () => void
  readonly log: QueueLog
  readonly signal: AbortSignal
}): void {
  const { pool, wake, log, signal } = options
  const timers = new Map<string, NodeJS.Timeout>()
  signal.addEventListener('abort', () => {
    for (const timer of timers.values()) clearTimeout(timer)
  })

  async function look(): Promise<void> {
    const { rows } = await pool.query<{ key: string; in_ms: number }>(NEXT_JOBS)
    for (const { key, in_ms } of rows) {
      if (timers.has(key) || signal.aborted) continue
      const timer = setTimeout(
        () => {
          timers.delete(key)
          wake()
        },
        Math.max(Math.ceil(in_ms), 0),
      )
      timers.set(key, timer)
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await look().catch((err: unknown) => log.debug({ err }, 'looking for due jobs failed'))
      await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined)
    }
  }
  run().catch((err: unknown) => log.error({ err }, 'the watch for due jobs ended'))
}

/** A job that is put off keeps its id: its new time makes it another moment. */
const NEXT_JOBS = `
  select id::text || ':' || run_at::text as key,
    (extract(epoch from run_at - clock_timestamp()) * 1000)::float8 as in_ms
  from ${QUEUE_SCHEMA}._private_jobs
  where is_available and run_at > now() and run_at <= now() + interval '${LOOK_AHEAD_MS} milliseconds'
  limit 1000`
