import type { JobDefinition } from './job-definition.ts'
import { QUEUE_SCHEMA } from './queue-schema.ts'

/**
 * For the one place where rows and their jobs have to be written in one round trip, thousands a second;
 * everything else uses `enqueue`. It writes graphile-worker's table directly, as its own `add_jobs` does for
 * jobs without key and queue: `add_jobs` first looks through the whole table for keyed jobs that it would
 * replace, which with a backlog cost more than the rows themselves (measured: 3,000 bodies a second beside
 * 7,500).
 */
interface AddJobsSql {
  /** Once a process, before {@link add}: the task's row, which the jobs refer to. */
  readonly prepare: string
  /** The end of a statement `with stored as (…)` whose rows have an `id`. */
  readonly add: string
}

/**
 * One job for each of up to `jobs` groups of the stored rows, so that several workers share them.
 * @param payload an SQL aggregate over the rows of a group, of type json, which fits the definition.
 */
export function addJobsSql(
  job: Pick<JobDefinition<unknown>, 'id' | 'maxAttempts'>,
  { payload, jobs }: { payload: string; jobs: number },
): AddJobsSql {
  const task = `select id from ${QUEUE_SCHEMA}._private_tasks where identifier = '${job.id}'`
  return {
    prepare: `insert into ${QUEUE_SCHEMA}._private_tasks (identifier) values ('${job.id}') on conflict do nothing`,
    add: `, queued as (
        insert into ${QUEUE_SCHEMA}._private_jobs (task_id, payload, max_attempts)
        select (${task}), ${payload}, ${job.maxAttempts} from stored group by id % ${jobs} returning 1
      )
      select pg_notify('jobs:insert', json_build_object('r', random(), 'count', count(*))::text) from queued`,
  }
}
