import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { filledReplyDtoSchema } from '../../contracts/dashboard-api.ts'
import { call } from './client.ts'
import { keys } from './keys.ts'

const filledReplies = z.object({ items: z.array(filledReplyDtoSchema) })

/** The canned replies, filled in for one conversation. */
export function useFilledReplies(conversationId: string, options: { enabled: boolean }) {
  return useQuery({
    queryKey: keys.filledReplies(conversationId),
    queryFn: ({ signal }) =>
      call(filledReplies, `/v1/conversations/${conversationId}/canned-replies`, { signal }),
    enabled: options.enabled,
    staleTime: 10_000,
  })
}
