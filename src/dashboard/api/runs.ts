import { useQuery } from '@tanstack/react-query'
import { runDetailDtoSchema } from '../../contracts/dashboard-api.ts'
import { call } from './client.ts'
import { keys } from './keys.ts'

/** What one run of the assistant did; read when somebody asks. */
export function useRun(conversationId: string, runId: string, options: { enabled: boolean }) {
  return useQuery({
    queryKey: keys.run(runId),
    queryFn: ({ signal }) =>
      call(runDetailDtoSchema, `/v1/conversations/${conversationId}/runs/${runId}`, { signal }),
    enabled: options.enabled,
  })
}
