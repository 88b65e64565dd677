import { type Reader, rawSql, type Sql, type SystemReader, sql } from '../db/index.ts'
import { QUEUE_SCHEMA } from './queue-schema.ts'
import { SUPERSEDED } from './release-dead-workers.ts'

export interface TaskDepth {
  readonly task: string
  /** Due now and waiting for a worker. */
  readonly ready: number
  /** Waiting for their time: delayed, or backing off after a failure. */
  readonly scheduled: number
  readonly running: number
  /** How long the oldest ready job has been due, seconds; 0 when none is. */
  readonly oldestReadySeconds: number
}

/** The jobs that are not done, by task; a task without any is left out. The queue holds all tenants' jobs. */
export function queueDepth(reader: Reader | SystemReader): Promise<TaskDepth[]> {
  return reader.$queryRaw<TaskDepth[]>(sql`select tasks.identifier as task,
      (count(*) filter (where jobs.is_available and jobs.run_at <= now()))::int as ready,
      (count(*) filter (where jobs.is_available and jobs.run_at > now()))::int as scheduled,
      (count(*) filter (where jobs.locked_at is not null))::int as running,
      coalesce(extract(epoch from now() - min(jobs.run_at)
        filter (where jobs.is_available and jobs.run_at <= now())), 0)::float8 as "oldestReadySeconds"
    from ${rawSql(`${QUEUE_SCHEMA}._private_jobs`)} as jobs
    join ${rawSql(`${QUEUE_SCHEMA}._private_tasks`)} as tasks on tasks.id = jobs.task_id
    where jobs.is_available or jobs.locked_at is not null
    group by tasks.identifier order by tasks.identifier`)
}

/**
 * A condition: a job of this key waits or runs. A dead letter does neither.
 * @param key an SQL expression of type text.
 */
export function liveJob(key: Sql): Sql {
  return sql`exists (
    select 1 from ${rawSql(`${QUEUE_SCHEMA}._private_jobs`)} as jobs
    where jobs.key = ${key} and (jobs.attempts < jobs.max_attempts or jobs.locked_at is not null))`
}

export interface TaskFailures {
  readonly task: string
  readonly count: number
}

/** Dead letters by task: jobs that used up their attempts and that no newer job has replaced. */
export function countPermanentlyFailed(reader: Reader | SystemReader): Promise<TaskFailures[]> {
  return reader.$queryRaw<TaskFailures[]>(sql`select tasks.identifier as task, count(*)::int as count
    from ${rawSql(`${QUEUE_SCHEMA}._private_jobs`)} as jobs
    join ${rawSql(`${QUEUE_SCHEMA}._private_tasks`)} as tasks on tasks.id = jobs.task_id
    where jobs.attempts >= jobs.max_attempts and jobs.locked_at is null and not ${rawSql(SUPERSEDED)}
    group by tasks.identifier order by tasks.identifier`)
}
