import { EventEmitter } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { type WorkerPool as GraphilePool, runTaskList, type TaskList } from 'graphile-worker'
import pg from 'pg'
import { connectionSettings } from '../db/index.ts'
import type { DeadLetter } from './dead-letter.ts'
import type { JobHandler } from './handle-job.ts'
import { graphileLogger, type QueueLog } from './queue-log.ts'
import { QUEUE_SCHEMA } from './queue-schema.ts'
import { releaseOwnWorkers } from './release-dead-workers.ts'
import { watchDueJobs } from './watch-due-jobs.ts'
import { openWorkerLock, type WorkerLock } from './worker-lock.ts'

/**
 * One life of graphile-worker's pool: its connections, its worker id, the lock on that id.
 *
 * A generation is never mended, only retired (takes no more jobs, lets running ones end) and replaced by
 * the worker pool. It retires by itself at the first sign of a lost connection, because graphile-worker
 * 0.17 recovers badly from one:
 * - a fetch whose answer was lost leaves a job locked under a live id with nobody running it;
 * - completing or failing a job is tried once (the retry loop of its batcher throws on the first error) and
 *   without the batcher's delay setting the rejection is unhandled, which ends the process;
 * - it waits up to 60 s before it listens again and up to 3 min after "the database system is starting up".
 * What was left locked is free once the generation has ended and its lock with it.
 */
export interface WorkerGeneration {
  readonly workerId: string
  readonly pool: pg.Pool
  /** True while it holds its lock and takes jobs. */
  isTaking(): boolean
  /** Resolves when it takes no more jobs. */
  readonly retired: Promise<void>
  retire(reason: string): void
  /**
   * Retires and waits for the running jobs. When `limit` aborts, what still runs is given back to the queue
   * at once and its signal aborts. Resolves within 4 s of that; never rejects.
   */
  finish(limit: AbortSignal): Promise<void>
}

export interface GenerationOptions {
  readonly databaseUrl: string
  readonly handlers: readonly JobHandler[]
  readonly concurrency: number
  readonly log: QueueLog
  readonly onDeadLetter: (letter: DeadLetter) => void
}

/** Every worker of a pool polls on its own: together they look some ten times a second. */
const LOOKS_PER_SECOND = 10
const MIN_POLL_MS = 250
const MAX_POLL_MS = 1_000
/** Aborting is ours to decide (see finish); graphile-worker's timer must never come first. */
const NEVER_MS = 2 ** 31 - 1

/** @throws when the database cannot be reached. */
export async function startGeneration(options: GenerationOptions): Promise<WorkerGeneration> {
  const { databaseUrl, log } = options
  const retirement = makeDeferred()
  const lock = await openWorkerLock({ databaseUrl, log, onLost: () => retire('lock connection lost') })
  const pool = makePool(options)
  const abort = new AbortController()
  const gate = makeDeferred()
  const watching = new AbortController()
  let taking = true
  const workers = startWorkers(options, { pool, signal: abort.signal, gate: gate.promise, retire })

  function retire(reason: string, shutdownBegun = false): void {
    if (!taking) return
    taking = false
    watching.abort()
    log.debug({ workerId: workers.id, reason }, 'workers retire')
    gate.resolve()
    retirement.resolve()
    // Its errors come again as events and from the pool's own promise.
    if (!shutdownBegun) ignoreRejection(workers.gracefulShutdown(reason))
  }

  const generation: WorkerGeneration = {
    workerId: workers.id,
    pool,
    isTaking: () => taking && lock.isHeld(),
    retired: retirement.promise,
    retire: (reason) => retire(reason),
    finish: (limit) => {
      retire('finish')
      return finish({ workers, pool, lock, abort, options }, limit)
    },
  }
  try {
    await lock.hold(workers.id)
    gate.resolve()
    watchDueJobs({ pool, log, signal: watching.signal, wake: () => workers.nudge(1) })
    return generation
  } catch (error) {
    await generation.finish(AbortSignal.abort())
    throw error
  }
}

interface WorkerParts {
  readonly pool: pg.Pool
  readonly signal: AbortSignal
  /** No job is fetched before it resolves: the id must be locked first. */
  readonly gate: Promise<void>
  readonly retire: (reason: string, shutdownBegun?: boolean) => void
}

function startWorkers(options: GenerationOptions, parts: WorkerParts): GraphilePool {
  const { concurrency, log } = options
  const events = new EventEmitter()
  // A tick later: the worker that failed is idle by then and ends without an error of its own.
  events.on('worker:getJob:error', () => setImmediate(() => parts.retire('fetching a job failed')))
  events.on('pool:fatalError', () => parts.retire('storing the outcome of a job failed'))
  events.on('pool:gracefulShutdown', () => parts.retire('graphile-worker shuts down', true))
  const workers = runTaskList(
    {
      schema: QUEUE_SCHEMA,
      concurrency,
      events,
      logger: graphileLogger(log),
      noHandleSignals: true,
      pollInterval: Math.min(Math.max((1_000 * concurrency) / LOOKS_PER_SECOND, MIN_POLL_MS), MAX_POLL_MS),
      // Asked, and waited for, before every fetch.
      forbiddenFlags: () => parts.gate.then(() => null),
      preset: {
        worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0, gracefulShutdownAbortTimeout: NEVER_MS },
      },
    },
    makeTasks(options, parts.signal),
    parts.pool,
  )
  ignoreRejection(workers.promise)
  return workers
}

function makeTasks({ handlers, log, onDeadLetter }: GenerationOptions, signal: AbortSignal): TaskList {
  const tasks: TaskList = {}
  for (const handler of handlers) {
    tasks[handler.id] = async (payload, { job }) => {
      const isLastAttempt = job.attempts >= job.max_attempts
      const fields = { jobId: job.id, task: handler.id, attempt: job.attempts, maxAttempts: job.max_attempts }
      try {
        const { jobId, attempt, maxAttempts } = fields
        await handler.run(payload, { jobId, attempt, maxAttempts, isLastAttempt, signal })
      } catch (err) {
        // The job was given back already, and this attempt's outcome no longer counts.
        if (signal.aborted) log.info({ ...fields, err }, 'job interrupted')
        else if (isLastAttempt) {
          log.error({ ...fields, err }, 'job failed for good')
          onDeadLetter({ jobId: job.id, task: handler.id, attempts: job.attempts, error: toError(err) })
        } else log.warn({ ...fields, err }, 'job failed, will be tried again')
        throw err
      }
    }
  }
  return tasks
}

function makePool({ databaseUrl, concurrency, log }: GenerationOptions): pg.Pool {
  const pool = new pg.Pool({
    ...connectionSettings(databaseUrl),
    // One listens; the sweep needs one beside busy workers.
    max: concurrency + 2,
    application_name: 'agendou worker',
  })
  // Whoever uses the connection gets the error too; without listeners it would end the process.
  pool.on('error', (err) => log.debug({ err }, 'idle queue connection broke'))
  pool.on('connect', (client) => client.on('error', (err) => log.debug({ err }, 'queue connection broke')))
  return pool
}

interface RunningParts {
  readonly workers: GraphilePool
  readonly pool: pg.Pool
  readonly lock: WorkerLock
  readonly abort: AbortController
  readonly options: GenerationOptions
}

async function finish(parts: RunningParts, limit: AbortSignal): Promise<void> {
  const { workers, pool, lock, abort, options } = parts
  const { log } = options
  const ended = workers.promise.then(
    () => undefined,
    () => undefined,
  )
  await Promise.race([ended, aborted(limit)])
  if (limit.aborted) {
    // Given back before the handlers hear of it, so that their failing is not counted against the job.
    const released = releaseOwnWorkers(pool, [workers.id]).then(
      ({ jobs, deadLetters }) => {
        if (jobs > 0) log.warn({ workerId: workers.id, jobs }, 'running jobs given back to the queue')
        for (const letter of deadLetters) options.onDeadLetter(letter)
      },
      (err: unknown) => log.warn({ err, workerId: workers.id }, 'running jobs left to other workers'),
    )
    await within(1_500, released)
    abort.abort(new Error('the worker stops'))
    ignoreRejection(workers.forcefulShutdown('stop limit reached'))
    await within(500, ended)
  }
  await lock.close()
  await within(
    1_000,
    pool.end().catch((err: unknown) => log.debug({ err }, 'closing the queue connections failed')),
  )
}

function within(limitMs: number, work: Promise<unknown>): Promise<unknown> {
  return Promise.race([work, delay(limitMs, undefined, { ref: false })])
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

function ignoreRejection(promise: PromiseLike<unknown> | unknown): void {
  Promise.resolve(promise).catch(() => undefined)
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error
    ? thrown
    : new Error('something that is no error was thrown', { cause: thrown })
}

function makeDeferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
