/**
 * Makes webhook bodies durable, with the job that will take them apart: both or neither.
 *
 * Requests that arrive together share a commit. While one statement is under way the bodies that come
 * meanwhile wait, and leave together with the next: no timer, so a body that comes alone is stored at once,
 * and under load the batch grows until the database keeps up. `store` resolves only after the commit of its own
 * body; a statement that fails rejects its own bodies and no other, and Meta sends those again.
 *
 * What waits is bounded, in number and in bytes: past that, and after the time limit, `store` rejects. A body
 * that was given up may have been stored all the same; it comes again and is taken once (see ingest).
 */
import { openSystemSql, type SystemSql } from '../db/index.ts'
import { addJobsSql } from '../queue/add-jobs-sql.ts'
import { ingestWebhookJob } from '../queue/job-definition.ts'
import { InfrastructureError } from '../shared/app-error.ts'

export interface WebhookStore {
  /**
   * Resolves when the body is durable.
   * @param body the raw bytes as they were signed.
   * @throws InfrastructureError `webhook_store_full`, `webhook_store_closed`, `webhook_store_timeout`; what
   *   node-postgres throws.
   */
  store(body: Buffer): Promise<void>
  /** Takes no more, stores what waits, closes the connections. */
  close(): Promise<void>
}

export interface WebhookStoreOptions {
  readonly sql: SystemSql
  /** Statements at once. */
  readonly flushes: number
  /** What a body may wait in line. */
  readonly timeoutMs: number
  /** Default 4,000. */
  readonly maxWaiting?: number
  /** Default 64 MiB. */
  readonly maxWaitingBytes?: number
}

const MAX_WAITING = 4_000
const MAX_WAITING_BYTES = 64 * 1024 * 1024
/** One statement holds up to this; a body of 4 MiB goes with few others. */
const MAX_BATCH = 256
const MAX_BATCH_BYTES = 8 * 1024 * 1024

/** Statements at once: one commits while the next one's rows are read. */
const FLUSHES = 2
/** Connecting, and then a statement, each. */
const STEP_TIMEOUT_MS = 2_500
/** In line; with both steps after it a body is answered within 9 s, the contract's 503 within 10. */
const WAIT_TIMEOUT_MS = 4_000

/** The store of one process, on connections of its own. Connects at the first body. */
export function openWebhookStore(options: {
  readonly databaseUrl: string
  readonly onConnectionError: (error: Error) => void
}): WebhookStore {
  const sql = openSystemSql({
    ...options,
    reason: 'a webhook body belongs to no tenant until it is read',
    connections: FLUSHES,
    timeoutMs: STEP_TIMEOUT_MS,
  })
  return createWebhookStore({ sql, flushes: FLUSHES, timeoutMs: WAIT_TIMEOUT_MS })
}

export function createWebhookStore(options: WebhookStoreOptions): WebhookStore {
  const { sql, flushes, timeoutMs } = options
  const maxWaiting = options.maxWaiting ?? MAX_WAITING
  const maxWaitingBytes = options.maxWaitingBytes ?? MAX_WAITING_BYTES
  const waiting: Entry[] = []
  const running = new Set<Promise<void>>()
  const prepared = afterPreparing(sql)
  let waitingBytes = 0
  let closed = false

  function takeBatch(): Entry[] {
    const now = performance.now()
    const batch: Entry[] = []
    let bytes = 0
    let taken = 0
    for (const entry of waiting) {
      if (batch.length >= MAX_BATCH || (batch.length > 0 && bytes + entry.body.length > MAX_BATCH_BYTES))
        break
      taken += 1
      waitingBytes -= entry.body.length
      if (now - entry.arrivedAt > timeoutMs) {
        entry.reject(new InfrastructureError('webhook_store_timeout', 'the database was too slow'))
        continue
      }
      bytes += entry.body.length
      batch.push(entry)
    }
    waiting.splice(0, taken)
    return batch
  }

  function pump(): void {
    while (running.size < flushes && waiting.length > 0) {
      const batch = takeBatch()
      if (batch.length === 0) continue
      const flush = insert(prepared, batch).finally(() => {
        running.delete(flush)
        pump()
      })
      running.add(flush)
    }
  }

  return {
    store(body) {
      if (closed) {
        return Promise.reject(new InfrastructureError('webhook_store_closed', 'the process is stopping'))
      }
      if (waiting.length >= maxWaiting || waitingBytes + body.length > maxWaitingBytes) {
        return Promise.reject(new InfrastructureError('webhook_store_full', 'too much waits to be stored'))
      }
      return new Promise((resolve, reject) => {
        waiting.push({ body, arrivedAt: performance.now(), resolve, reject })
        waitingBytes += body.length
        pump()
      })
    },
    async close() {
      closed = true
      while (running.size > 0 || waiting.length > 0) {
        pump()
        await Promise.all(running)
      }
      await sql.close()
    },
  }
}

interface Entry {
  readonly body: Buffer
  readonly arrivedAt: number
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** Never rejects: the outcome goes to those who wait. */
async function insert(sql: SystemSql, batch: readonly Entry[]): Promise<void> {
  try {
    await sql.run(
      statementFor(batch.length),
      batch.map(({ body }) => body),
    )
  } catch (error) {
    for (const { reject } of batch) reject(error)
    return
  }
  for (const { resolve } of batch) resolve()
}

/** Each process makes sure once that the jobs' task exists; a failure is its batch's, and the next one tries again. */
function afterPreparing(sql: SystemSql): SystemSql {
  let done = false
  return {
    async run(text, values) {
      if (!done) await sql.run(JOBS.prepare, [])
      done = true
      await sql.run(text, values)
    },
    close: () => sql.close(),
  }
}

const JOBS = addJobsSql(ingestWebhookJob, {
  payload: `json_build_object('eventIds', json_agg(id::text))`,
  jobs: 8,
})

/** Bodies travel as binary parameters: an array of them would be text of twice the size. */
function statementFor(rows: number): string {
  const values = Array.from({ length: rows }, (_, index) => `($${index + 1}::bytea)`).join(',')
  return `with stored as (insert into webhook_events (body) values ${values} returning id) ${JOBS.add}`
}
