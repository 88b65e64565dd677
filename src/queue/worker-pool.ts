import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../shared/app-error.ts'
import type { DeadLetter } from './dead-letter.ts'
import type { JobHandler } from './handle-job.ts'
import type { QueueLog } from './queue-log.ts'
import { releaseDeadWorkers } from './release-dead-workers.ts'
import { tidyQueue } from './tidy-queue.ts'
import { startGeneration, type WorkerGeneration } from './worker-generation.ts'

export interface WorkerPoolOptions {
  /** A direct connection: session locks and LISTEN do not survive a pooler in transaction mode. */
  readonly databaseUrl: string
  readonly handlers: readonly JobHandler[]
  /** Jobs run at once; `concurrency + 3` connections are used. */
  readonly concurrency: number
  readonly log: QueueLog
  /** Called for each job that used up its attempts, in the process that saw it. */
  readonly onDeadLetter?: (letter: DeadLetter) => void
}

export interface WorkerPool {
  /** True while jobs are being taken; false before the first connection, during an outage, after stop. */
  isRunning(): boolean
  /**
   * Takes no more jobs (a fetch under way may still bring some), waits up to `timeoutMs` for running ones, then gives those back to the queue (they
   * are free at once, the attempt is counted) and aborts their signals. Resolves within 4 s of the limit,
   * never rejects, may be called again. A handler that ignores its signal is not waited for.
   */
  stop(options: { timeoutMs: number }): Promise<void>
}

/**
 * Runs jobs until stopped, whatever the database does: one generation of workers at a time, replaced as
 * soon as it retires (see worker-generation), with every 5 s a look for workers of dead processes.
 * Starts without the database too, and begins when it is there. graphile-worker's schema must be installed.
 * @throws AppError `duplicate_job_handler`.
 */
export function startWorkerPool(options: WorkerPoolOptions): WorkerPool {
  assertUniqueIds(options.handlers)
  const supervisor = new Supervisor(options)
  const running = supervisor.run()
  return {
    isRunning: () => supervisor.isRunning(),
    async stop({ timeoutMs }) {
      const limit = setTimeout(() => supervisor.interrupt(), timeoutMs)
      supervisor.retire()
      await running
      clearTimeout(limit)
    },
  }
}

const SWEEP_INTERVAL_MS = 5_000
/** Tidying is every so many sweeps: a minute. */
const SWEEPS_PER_TIDY = 12
/** What a retired generation's running jobs get to end by themselves. */
const RETIRED_LIMIT_MS = 15_000
const MIN_BACKOFF_MS = 100
const MAX_BACKOFF_MS = 2_000

class Supervisor {
  readonly #options: WorkerPoolOptions
  /** Aborted when nothing new may start. */
  readonly #stopping = new AbortController()
  /** Aborted when running jobs have had their time. */
  readonly #stopLimit = new AbortController()
  readonly #finishing = new Map<string, Promise<void>>()
  #current: WorkerGeneration | null = null

  constructor(options: WorkerPoolOptions) {
    this.#options = options
  }

  isRunning(): boolean {
    return !this.#stopping.signal.aborted && this.#current?.isTaking() === true
  }

  /** Takes no more jobs, for good. */
  retire(): void {
    this.#stopping.abort()
    this.#current?.retire('stop')
  }

  /** Running jobs have had their time. */
  interrupt(): void {
    this.#stopLimit.abort()
  }

  /** Resolves after stop, when every generation is finished. */
  async run(): Promise<void> {
    let backoffMs = MIN_BACKOFF_MS
    while (!this.#stopping.signal.aborted) {
      const survivedASweep = await this.#runGeneration()
      backoffMs = survivedASweep ? MIN_BACKOFF_MS : Math.min(backoffMs * 2, MAX_BACKOFF_MS)
      await this.#pause(backoffMs)
    }
    await Promise.all(this.#finishing.values())
  }

  /** One generation from start to retirement; true when it lived long enough to be called healthy. */
  async #runGeneration(): Promise<boolean> {
    const { log } = this.#options
    const onDeadLetter = (letter: DeadLetter) => this.#report(letter)
    let generation: WorkerGeneration
    try {
      generation = await startGeneration({ ...this.#options, onDeadLetter })
    } catch (err) {
      log.warn({ err }, 'workers could not start, trying again')
      return false
    }
    log.info({ workerId: generation.workerId }, 'workers started')
    this.#current = generation
    if (this.#stopping.signal.aborted) generation.retire('stop')
    const sweeps = await this.#sweepUntilRetired(generation)
    this.#current = null
    this.#finish(generation)
    return sweeps > 1
  }

  #finish(generation: WorkerGeneration): void {
    const limit = AbortSignal.any([this.#stopLimit.signal, AbortSignal.timeout(RETIRED_LIMIT_MS)])
    // On stop the caller's limit alone counts.
    const finished = generation
      .finish(this.#stopping.signal.aborted ? this.#stopLimit.signal : limit)
      .finally(() => this.#finishing.delete(generation.workerId))
    this.#finishing.set(generation.workerId, finished)
  }

  async #sweepUntilRetired(generation: WorkerGeneration): Promise<number> {
    let sweeps = 0
    while (generation.isTaking()) {
      const tidy = sweeps % SWEEPS_PER_TIDY === 0
      // A sweep that hangs on a dead connection must not hold up the next generation.
      await Promise.race([this.#sweep(generation, tidy), generation.retired])
      sweeps += 1
      await Promise.race([this.#pause(SWEEP_INTERVAL_MS), generation.retired])
    }
    return sweeps
  }

  async #sweep(generation: WorkerGeneration, tidy: boolean): Promise<void> {
    const { log } = this.#options
    try {
      const own = [generation.workerId, ...this.#finishing.keys()]
      const released = await releaseDeadWorkers(generation.pool, own)
      const { workerIds, jobs } = released
      if (workerIds.length > 0) log.warn({ workerIds, jobs }, 'jobs of dead workers released')
      for (const letter of released.deadLetters) {
        log.error(letter, 'job failed for good: its process died')
        this.#report(letter)
      }
      if (tidy) await tidyQueue(generation.pool)
    } catch (err) {
      if (generation.isTaking()) log.warn({ err }, 'sweep of the queue failed')
    }
  }

  #report(letter: DeadLetter): void {
    try {
      this.#options.onDeadLetter?.(letter)
    } catch (err) {
      this.#options.log.error({ err, jobId: letter.jobId }, 'reporting a dead letter failed')
    }
  }

  async #pause(durationMs: number): Promise<void> {
    await delay(durationMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined)
  }
}

function assertUniqueIds(handlers: readonly JobHandler[]): void {
  const ids = handlers.map((handler) => handler.id)
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  if (twice !== undefined) throw new AppError('duplicate_job_handler', `two handlers for the job ${twice}`)
}
