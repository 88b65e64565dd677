import { sql, type TenantStore } from '../db/index.ts'
import { enqueue } from '../queue/enqueue.ts'
import { ingestWebhookJob } from '../queue/job-definition.ts'

/**
 * Makes one webhook body durable, with the job that will take it apart: both or neither.
 * @param body the raw bytes as they were signed.
 */
export async function storeWebhookEvent(store: TenantStore, body: Buffer): Promise<void> {
  await store.unsafeTransact('a webhook body belongs to no tenant until it is read', async (tx) => {
    const rows = await tx.$queryRaw<{ id: bigint }[]>(
      sql`insert into webhook_events (body) values (${body}) returning id`,
    )
    for (const row of rows) await enqueue(tx, ingestWebhookJob, { eventId: row.id.toString() })
  })
}
