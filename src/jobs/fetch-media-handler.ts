import { type FetchMediaDeps, fetchMedia } from '../media/fetch-media.ts'
import type { BusinessEvents } from '../observability/business-events.ts'
import { handleJob } from '../queue/handle-job.ts'
import { fetchMediaJob } from '../queue/job-definition.ts'

export function fetchMediaHandler(deps: FetchMediaDeps & { events: BusinessEvents }) {
  return handleJob(fetchMediaJob, async (payload, { attempt, isLastAttempt, signal }) => {
    const result = await fetchMedia(deps, { ...payload, attempt, isLastAttempt, signal })
    deps.events.mediaFetched({ ...payload, result })
  })
}
