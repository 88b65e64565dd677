import { rawSql, type SystemTx, sql, type Tx } from '../db/index.ts'
import type { JobDefinition } from './job-definition.ts'
import { KEYED_FLAG, QUEUE_ROWS_LOCK, QUEUE_SCHEMA } from './queue-schema.ts'

export interface EnqueueOptions {
  /**
   * One job for one key: adding it again replaces the waiting one (its payload, its time). If the job runs
   * already, a new one is added and the running one gets no retry: the new one must do its work too.
   */
  readonly jobKey?: string
  /** A job of this key that waits already keeps its time. */
  readonly keepTime?: boolean
  /** Jobs of one queue run one at a time, in order of their time. At most 128 characters. */
  readonly queueName?: string
  /** Not before this instant, epoch milliseconds; now when left out. */
  readonly runAt?: number
  /** Not before this long after the transaction began, by the database's clock; instead of `runAt`. */
  readonly delayMs?: number
  /** Smaller is sooner; 0 when left out. */
  readonly priority?: number
}

/**
 * Adds a job in the caller's transaction: it exists exactly when the rows it is about do. With `queueName`
 * the transaction must be read committed (the store's default), so that it sees the queue rows as they are
 * after the lock.
 * @throws ZodError when the payload does not fit the definition (a bug of the caller).
 */
export async function enqueue<Payload>(
  tx: Tx | SystemTx,
  job: JobDefinition<Payload>,
  payload: Payload,
  options: EnqueueOptions = {},
): Promise<void> {
  const parsed = JSON.stringify(job.payload.parse(payload))
  const runAt = options.runAt === undefined ? null : new Date(options.runAt).toISOString()
  const flags = options.jobKey === undefined ? null : [KEYED_FLAG]
  if (options.queueName !== undefined) {
    // Until commit no idle queue row is deleted under the new job (see tidy-queue).
    await tx.$queryRaw(sql`select 1 as locked from pg_advisory_xact_lock_shared(${QUEUE_ROWS_LOCK}::bigint)`)
  }
  await tx.$queryRaw(sql`select 1 as added from ${rawSql(QUEUE_SCHEMA)}.add_job(
    identifier => ${job.id}::text,
    payload => ${parsed}::json,
    queue_name => ${options.queueName ?? null}::text,
    run_at => coalesce(${runAt}::timestamptz, now() + ${options.delayMs ?? null}::int * interval '1 ms'),
    max_attempts => ${job.maxAttempts}::int,
    job_key => ${options.jobKey ?? null}::text,
    job_key_mode => ${options.keepTime === true ? 'preserve_run_at' : 'replace'}::text,
    priority => ${options.priority ?? null}::int,
    flags => ${flags}::text[]
  )`)
}
