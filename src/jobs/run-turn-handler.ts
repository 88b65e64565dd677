import type { Assistant } from '../assistant/assistant.ts'
import type { BusinessEvents } from '../observability/business-events.ts'
import { handleJob } from '../queue/handle-job.ts'
import { runTurnJob } from '../queue/job-definition.ts'

export function runTurnHandler(deps: { assistant: Assistant; events: BusinessEvents }) {
  return handleJob(runTurnJob, async (payload, { signal }) => {
    const concluded = await deps.assistant.runTurn({ ...payload, signal })
    if (concluded?.handoff) deps.events.handoffOpened({ ...payload, reason: concluded.handoff })
  })
}
