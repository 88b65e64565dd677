import { handleJob } from '../queue/handle-job.ts'
import { ingestWebhookJob } from '../queue/job-definition.ts'
import { type IngestDeps, ingestWebhook } from '../whatsapp/ingest-webhook.ts'

export function ingestWebhookHandler(deps: IngestDeps) {
  return handleJob(ingestWebhookJob, ({ eventId }, { isLastAttempt }) =>
    ingestWebhook(deps, { eventId: BigInt(eventId), isLastAttempt }),
  )
}
