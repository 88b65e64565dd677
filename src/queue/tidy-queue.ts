import type pg from 'pg'
import { inTransaction } from './in-transaction.ts'
import { QUEUE_ROWS_LOCK, QUEUE_SCHEMA } from './queue-schema.ts'
import { SUPERSEDED } from './release-dead-workers.ts'

/**
 * Deletes what graphile-worker leaves behind and never looks at again:
 *
 * - superseded jobs that failed or were killed (a newer job has their key and does their work);
 * - rows of named queues without jobs. Every fetch locks every idle queue row (its "strategy 2"): measured
 *   with 20,000 rows 12 ms and 1 MB of WAL a fetch, and while it lasts other workers see no queue at all.
 *   With one queue a conversation this must stay at the size of what is under way.
 *
 * graphile-worker's own GC_JOB_QUEUES is not safe beside running traffic: a queue row deleted between
 * add_job's "insert … on conflict do nothing" and the job's commit leaves a job that points to no queue and
 * is never fetched. So whoever adds to a named queue holds a lock shared (see enqueue), and this runs only
 * when it gets that lock alone; otherwise it leaves the rows to the next time.
 */
export async function tidyQueue(pool: pg.Pool): Promise<void> {
  await pool.query(
    `delete from ${QUEUE_SCHEMA}._private_jobs as jobs where jobs.locked_at is null and ${SUPERSEDED}`,
  )
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ alone: boolean }>('select pg_try_advisory_xact_lock($1) as alone', [
      QUEUE_ROWS_LOCK,
    ])
    if (rows[0]?.alone !== true) return
    // Its own statement: the snapshot must be younger than the lock, to see every committed job.
    await client.query(
      `delete from ${QUEUE_SCHEMA}._private_job_queues as queues where queues.id in (
        select idle.id from ${QUEUE_SCHEMA}._private_job_queues as idle
        where idle.locked_at is null
          and not exists (select from ${QUEUE_SCHEMA}._private_jobs as jobs where jobs.job_queue_id = idle.id)
        for update skip locked)`,
    )
  })
}
