import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { connectionSettings } from '../db/index.ts'
import type { QueueLog } from './queue-log.ts'
import { WORKER_LOCK_SEED } from './queue-schema.ts'

/**
 * The sign of life of one set of workers: a session advisory lock under their id, on a connection of its
 * own. PostgreSQL drops it the moment the process dies, which no heartbeat row can do. The connection must
 * be a direct one: a pooler in transaction mode keeps no session.
 *
 * A connection that breaks is reported once by `onLost` and taken again, with the lock, until `close`.
 */
export interface WorkerLock {
  /**
   * Takes the lock; nobody may fetch jobs under `workerId` before. Once for one lock.
   * @throws when the connection breaks meanwhile; close the lock then.
   */
  hold(workerId: string): Promise<void>
  isHeld(): boolean
  close(): Promise<void>
}

export interface WorkerLockOptions {
  readonly databaseUrl: string
  readonly log: QueueLog
  /** The connection broke. May be called again for the connection that replaced it. */
  readonly onLost: () => void
}

const HEARTBEAT_MS = 2_000
const QUERY_TIMEOUT_MS = 4_000
const MAX_RETRY_MS = 400

/** @throws when the database cannot be reached. */
export async function openWorkerLock({ databaseUrl, log, onLost }: WorkerLockOptions): Promise<WorkerLock> {
  const closing = new AbortController()
  let workerId: string | null = null
  let held = false
  let client = await connect(databaseUrl)
  watch(client)

  function watch(watched: pg.Client): void {
    const heartbeat = setInterval(() => {
      // A connection that swallows queries is as lost as one that is closed; `end` then destroys it.
      watched.query('select 1').catch(() => endQuietly(watched))
    }, HEARTBEAT_MS)
    watched.once('end', () => {
      clearInterval(heartbeat)
      held = false
      if (closing.signal.aborted) return
      log.warn({ workerId }, 'connection of the worker lock lost')
      onLost()
      if (workerId !== null) retake(workerId).catch((err: unknown) => log.error({ err, workerId }, 'lock'))
    })
  }

  async function retake(id: string): Promise<void> {
    for (let waitMs = 25; !closing.signal.aborted; waitMs = Math.min(waitMs * 2, MAX_RETRY_MS)) {
      const next = await connect(databaseUrl).catch(() => null)
      if (next !== null && (await take(next, id))) {
        client = next
        if (closing.signal.aborted) return endQuietly(next)
        held = true
        watch(next)
        log.info({ workerId: id }, 'worker lock taken again')
        return
      }
      await delay(waitMs, undefined, { signal: closing.signal }).catch(() => undefined)
    }
  }

  return {
    async hold(id) {
      await lockWorker(client, id)
      workerId = id
      held = true
    },
    isHeld: () => held,
    async close() {
      closing.abort()
      held = false
      await endQuietly(client)
    },
  }
}

async function take(client: pg.Client, workerId: string): Promise<boolean> {
  try {
    await lockWorker(client, workerId)
    return true
  } catch {
    await endQuietly(client)
    return false
  }
}

async function lockWorker(client: pg.Client, workerId: string): Promise<void> {
  await client.query(`select pg_advisory_lock(hashtextextended($1, ${WORKER_LOCK_SEED}))`, [workerId])
}

async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({
    ...connectionSettings(databaseUrl),
    query_timeout: QUERY_TIMEOUT_MS,
    application_name: 'agendou worker lock',
  })
  // `end` says all there is to do; without this listener the error would end the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
    // A host that vanishes sends no FIN: let the server notice within 11 s rather than two hours.
    await client.query(`select set_config('tcp_keepalives_idle', '5', false),
      set_config('tcp_keepalives_interval', '2', false), set_config('tcp_keepalives_count', '3', false)`)
    return client
  } catch (error) {
    await endQuietly(client)
    throw error
  }
}

/** Resolves when the connection is closed, or is so broken that it cannot say so. */
async function endQuietly(client: pg.Client): Promise<void> {
  await Promise.race([client.end().catch(() => undefined), delay(1_000, undefined, { ref: false })])
}
