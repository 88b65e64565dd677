import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { DeadLetter } from './dead-letter.ts'
import { inTransaction } from './in-transaction.ts'
import { EXTRA_ATTEMPT_FLAG, KEYED_FLAG, QUEUE_SCHEMA, WORKER_LOCK_SEED } from './queue-schema.ts'

/**
 * Gives back the jobs and queues of workers that are gone. graphile-worker does so after 4 hours only.
 *
 * Contract. Jobs and named queues are locked by a worker id, and whoever fetches jobs under an id holds an
 * advisory lock on it beforehand (worker-lock). An id whose lock is free at two looks, a second apart, is
 * gone: its jobs and queues are unlocked, in a transaction that holds the id's lock itself, so that neither
 * its owner nor a second releaser comes in between. With a look every 5 s the work of a killed process is
 * free within 6 s. Workers that take no such lock (graphile-worker's own command line) must not be run
 * against this database: their jobs would be taken from them.
 *
 * A live worker can lose its jobs only if its lock connection breaks and is not back within that second.
 * Its handler and another's then run at once; what protects the data is not this module but the work
 * itself: a turn run is fenced by its attempt number (a later attempt makes the earlier one's commits fail),
 * and every other handler may run twice.
 *
 * Last attempts. graphile-worker counts an attempt when it fetches, so a job killed in its last one would
 * never run again though nothing is known to be wrong with it. It gets exactly one attempt more
 * (`max_attempts` is raised, a flag remembers it); a job that dies with its process then too is a dead
 * letter, for it may well be what kills the process. A job whose key was added anew while it ran
 * ("superseded": graphile-worker then sets attempts = max_attempts and clears the key) gets none, the newer
 * job does its work.
 */
export async function releaseDeadWorkers(
  pool: pg.Pool,
  ownWorkerIds: readonly string[],
): Promise<ReleasedWork> {
  const missing = await findWorkersWithoutLock(pool, ownWorkerIds)
  if (missing.length === 0) return NOTHING
  await delay(SECOND_LOOK_MS)
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `select id from unnest($1::text[]) as id where ${TRY_LOCK('id')}`,
      [missing],
    )
    return release(
      client,
      rows.map((row) => row.id),
    )
  })
}

/** Gives back what `workerIds`, workers of this very process, still hold; they must fetch no more. */
export function releaseOwnWorkers(pool: pg.Pool, workerIds: readonly string[]): Promise<ReleasedWork> {
  return inTransaction(pool, (client) => release(client, workerIds))
}

export interface ReleasedWork {
  readonly workerIds: readonly string[]
  /** Jobs that may run again. */
  readonly jobs: number
  /** Jobs that died with their process in the attempt they had been given on top. */
  readonly deadLetters: readonly DeadLetter[]
}

/** True of a job whose key went to a newer job; such a job is neither retried nor a dead letter. */
export const SUPERSEDED = `(jobs.key is null and coalesce(jobs.flags @> '{"${KEYED_FLAG}": true}', false)
  and jobs.attempts >= jobs.max_attempts)`

const HAD_EXTRA_ATTEMPT = `coalesce(jobs.flags @> '{"${EXTRA_ATTEMPT_FLAG}": true}', false)`
const SECOND_LOOK_MS = 1_000
const NOTHING: ReleasedWork = { workerIds: [], jobs: 0, deadLetters: [] }
const TRY_LOCK = (id: string) => `pg_try_advisory_xact_lock(hashtextextended(${id}, ${WORKER_LOCK_SEED}))`

/** The lock that the look itself takes ends with the statement, which is its own transaction. */
async function findWorkersWithoutLock(pool: pg.Pool, ownWorkerIds: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `with holders as materialized (
      select locked_by as id from ${QUEUE_SCHEMA}._private_jobs where locked_by is not null
      union
      select locked_by from ${QUEUE_SCHEMA}._private_job_queues where locked_by is not null
    ), others as materialized (select id from holders where id <> all($1::text[]))
    select id from others where ${TRY_LOCK('id')}`,
    [ownWorkerIds],
  )
  return rows.map((row) => row.id)
}

async function release(client: pg.PoolClient, workerIds: readonly string[]): Promise<ReleasedWork> {
  if (workerIds.length === 0) return NOTHING
  const killed = await client.query<DeadLetter>(
    `update ${QUEUE_SCHEMA}._private_jobs as jobs
      set last_error = 'the process died during the last attempt'
      from ${QUEUE_SCHEMA}._private_tasks as tasks
      where tasks.id = jobs.task_id and jobs.locked_by = any($1::text[])
        and jobs.attempts >= jobs.max_attempts and ${HAD_EXTRA_ATTEMPT}
        and not ${SUPERSEDED}
      returning jobs.id::text as "jobId", tasks.identifier as task, jobs.attempts::int as attempts`,
    [workerIds],
  )
  await client.query(
    `update ${QUEUE_SCHEMA}._private_jobs as jobs
      set max_attempts = jobs.attempts + 1,
        flags = coalesce(jobs.flags, '{}') || '{"${EXTRA_ATTEMPT_FLAG}": true}'
      where jobs.locked_by = any($1::text[]) and jobs.attempts >= jobs.max_attempts
        and not ${HAD_EXTRA_ATTEMPT} and not ${SUPERSEDED}`,
    [workerIds],
  )
  const { rows } = await client.query<{ jobs: number }>(
    `select count(*)::int as jobs from ${QUEUE_SCHEMA}._private_jobs
      where locked_by = any($1::text[]) and attempts < max_attempts`,
    [workerIds],
  )
  await client.query(`select ${QUEUE_SCHEMA}.force_unlock_workers($1::text[])`, [workerIds])
  const jobs = rows[0]?.jobs ?? 0
  // Unlocking tells nobody; without this the jobs wait for the next poll. A queue may hold back jobs too.
  await client.query(
    `select pg_notify('jobs:insert', json_build_object('r', random(), 'count', $1::int)::text)`,
    [Math.max(jobs, 1)],
  )
  return { workerIds, jobs, deadLetters: killed.rows }
}
