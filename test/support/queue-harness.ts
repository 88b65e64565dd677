import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { z } from 'zod'
import type { SystemTx } from '../../src/db/index.ts'
import { type EnqueueOptions, enqueue } from '../../src/queue/enqueue.ts'
import { handleJob, type JobContext } from '../../src/queue/handle-job.ts'
import { defineJob, type JobDefinition } from '../../src/queue/job-definition.ts'
import { migrateQueue } from '../../src/queue/migrate-queue.ts'
import {
  countPermanentlyFailed,
  queueDepth,
  type TaskDepth,
  type TaskFailures,
} from '../../src/queue/queue-facts.ts'
import { startWorkerPool, type WorkerPool, type WorkerPoolOptions } from '../../src/queue/worker-pool.ts'
import { createTestDatabase, runAsSuperuser, type TestDatabase } from './database.ts'

const payload = z.object({ name: z.string() })
export type Note = z.infer<typeof payload>
export const noteJob = defineJob({ id: 'test_note', payload, maxAttempts: 3 })
export const onceJob = defineJob({ id: 'test_once', payload, maxAttempts: 1 })
/** The task that `fixtures/queue-worker-process.ts` holds on to. */
export const holdJob = defineJob({ id: 'test_hold', payload, maxAttempts: 3 })

export const silentLog = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
/** For `expect.poll`. */
export const WAIT = { timeout: 15_000, interval: 20 }

type Run = (note: Note, context: JobContext) => Promise<void>
interface Runs {
  readonly note?: Run
  readonly once?: Run
  readonly hold?: Run
}

interface ChildWorker {
  readonly process: ChildProcess
  line(): Promise<string>
}

/** A database with a queue, and the worker pools and worker processes that a test starts on it. */
export interface QueueHarness {
  readonly db: TestDatabase
  /** Connections as the product's role. */
  readonly admin: pg.Pool
  start(runs: Runs, options?: Partial<WorkerPoolOptions>): WorkerPool
  startChild(): Promise<ChildWorker>
  add(job: JobDefinition<Note>, note: Note, options?: EnqueueOptions): Promise<void>
  depth(): Promise<TaskDepth[]>
  failures(): Promise<TaskFailures[]>
  terminateAll(condition?: string): Promise<void>
  refuseConnections(): Promise<void>
  allowConnections(): Promise<void>
  /** Stops and kills everything, and empties the queue. */
  reset(): Promise<void>
  close(): Promise<void>
}

export async function createQueueHarness(): Promise<QueueHarness> {
  const db = await createTestDatabase()
  await migrateQueue({ databaseUrl: db.url, log: silentLog })
  const admin = new pg.Pool({ connectionString: db.url, max: 2 })
  admin.on('error', () => {})
  const name = new URL(db.url).pathname.slice(1)
  const pools: WorkerPool[] = []
  const children: ChildProcess[] = []
  const terminateAll = (condition = 'true') =>
    runAsSuperuser(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and ${condition}`,
    )
  return {
    db,
    admin,
    terminateAll,
    start(runs, options = {}) {
      const handlers = handlersOf(runs)
      const pool = startWorkerPool({
        databaseUrl: db.url,
        handlers,
        concurrency: 4,
        log: silentLog,
        ...options,
      })
      pools.push(pool)
      return pool
    },
    async startChild() {
      const child = startWorkerProcess(db.url)
      children.push(child.process)
      return child
    },
    add: (job, note, options) => persistently(db, (tx) => enqueue(tx, job, note, options)),
    depth: () => db.store.unsafeRead('test', (reader) => queueDepth(reader)),
    failures: () => db.store.unsafeRead('test', (reader) => countPermanentlyFailed(reader)),
    async refuseConnections() {
      await runAsSuperuser(`alter database ${name} with allow_connections false`)
      await terminateAll()
    },
    allowConnections: () => runAsSuperuser(`alter database ${name} with allow_connections true`),
    async reset() {
      await runAsSuperuser(`alter database ${name} with allow_connections true`)
      await Promise.all(pools.splice(0).map((pool) => pool.stop({ timeoutMs: 0 })))
      for (const child of children.splice(0)) await kill(child)
      await admin.query('delete from graphile_worker._private_jobs')
      await admin.query('delete from graphile_worker._private_job_queues')
    },
    async close() {
      await admin.end()
      await db.close()
    },
  }
}

export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

export function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

function handlersOf(runs: Runs) {
  const pairs = [
    [noteJob, runs.note],
    [onceJob, runs.once],
    [holdJob, runs.hold],
  ] as const
  return pairs.flatMap(([job, run]) => (run === undefined ? [] : [handleJob(job, run)]))
}

function startWorkerProcess(url: string): ChildWorker {
  const script = fileURLToPath(new URL('../fixtures/queue-worker-process.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', script, url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return { process: child, line: async () => String((await lines.next()).value) }
}

/** Connections that a test has just terminated fail once each. */
async function persistently(db: TestDatabase, work: (tx: SystemTx) => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.store.unsafeTransact('test', work)
    } catch (error) {
      if (error instanceof z.ZodError || attempt > 15) throw error
    }
  }
}
