import { type DrainDependencies, drainOutbox } from '../conversations/drain-outbox.ts'
import type { BusinessEvents } from '../observability/business-events.ts'
import { handleJob } from '../queue/handle-job.ts'
import { drainOutboxJob } from '../queue/job-definition.ts'

export function drainOutboxHandler(deps: DrainDependencies & { events: BusinessEvents }) {
  return handleJob(drainOutboxJob, async (payload, { signal }) => {
    const report = await drainOutbox(deps, { ...payload, signal })
    for (const attempt of report.sent) deps.events.messageAttempted(attempt)
  })
}
