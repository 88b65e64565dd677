import { rawSql, sql, type Tx } from '../db/index.ts'
import type { JobDefinition } from './job-definition.ts'
import { KEYED_FLAG, QUEUE_ROWS_LOCK, QUEUE_SCHEMA } from './queue-schema.ts'

/**
 * As `enqueue` with a key and a queue, for many at once: thousands take one statement.
 * @param jobs `name` is both key and queue of its job.
 */
export async function enqueueForRows<Payload>(
  tx: Tx,
  job: JobDefinition<Payload>,
  jobs: readonly { readonly payload: Payload; readonly name: string }[],
): Promise<void> {
  if (jobs.length === 0) return
  const specs = JSON.stringify(
    jobs.map(({ payload, name }) => ({ payload: job.payload.parse(payload), name })),
  )
  await tx.$queryRaw(sql`select 1 as locked from pg_advisory_xact_lock_shared(${QUEUE_ROWS_LOCK}::bigint)`)
  await tx.$queryRaw(sql`
    select count(*)::int as added from ${rawSql(QUEUE_SCHEMA)}.add_jobs(array(
      select row(${job.id}::text, spec.payload, spec.name, null, ${job.maxAttempts}::smallint, spec.name, null,
        array[${KEYED_FLAG}::text])::${rawSql(QUEUE_SCHEMA)}.job_spec
      from json_to_recordset(${specs}::json) as spec (payload json, name text)))`)
}
