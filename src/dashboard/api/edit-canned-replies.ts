import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { cannedReplyDtoSchema } from '../../contracts/dashboard-api.ts'
import { call, nothing } from './client.ts'
import { keys } from './keys.ts'

const replyPage = z.object({ items: z.array(cannedReplyDtoSchema) })

export interface ReplyText {
  readonly shortcut: string
  readonly text: string
}

/** The canned replies as they are kept, with their placeholders. */
export function useCannedReplies() {
  return useQuery({
    queryKey: keys.cannedReplyList,
    queryFn: async ({ signal }) => (await call(replyPage, '/v1/canned-replies', { signal })).items,
    staleTime: 0,
  })
}

/** Adds a canned reply, or changes the one with the id. */
export function useSaveReply() {
  return useReplyMutation(({ id, reply }: { id: string | null; reply: ReplyText }) =>
    id === null
      ? call(cannedReplyDtoSchema, '/v1/canned-replies', { method: 'POST', body: reply })
      : call(cannedReplyDtoSchema, `/v1/canned-replies/${id}`, { method: 'PATCH', body: reply }),
  )
}

export function useDeleteReply() {
  return useReplyMutation((id: string) => call(nothing, `/v1/canned-replies/${id}`, { method: 'DELETE' }))
}

function useReplyMutation<Input, Output>(mutationFn: (input: Input) => Promise<Output>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSettled: () => client.invalidateQueries({ queryKey: keys.cannedReplies }),
  })
}
