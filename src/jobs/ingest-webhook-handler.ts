import { handleJob } from '../queue/handle-job.ts'
import { ingestWebhookJob } from '../queue/job-definition.ts'
import { type IngestDeps, ingestWebhook } from '../whatsapp/ingest-webhook.ts'

/** A body that fails takes no other with it: the rest is done first, and is found done when the job comes back. */
export function ingestWebhookHandler(deps: IngestDeps) {
  return handleJob(ingestWebhookJob, async ({ eventIds }, { isLastAttempt }) => {
    const failures: unknown[] = []
    for (const eventId of eventIds) {
      try {
        await ingestWebhook(deps, { eventId: BigInt(eventId), isLastAttempt })
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  })
}
