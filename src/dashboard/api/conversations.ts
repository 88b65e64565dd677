import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { conversationCountsSchema } from '../../contracts/dashboard-api.ts'
import { conversationDtoSchema, messageDtoSchema, pageSchema } from '../../contracts/staff-api.ts'
import type { ConversationFilter } from '../live/conversation-filter.ts'
import { call } from './client.ts'
import { keys } from './keys.ts'

const conversationPage = pageSchema(conversationDtoSchema)
const messagePage = pageSchema(messageDtoSchema)
const LIST_PAGE = 50
const THREAD_PAGE = 50
const FIRST_PAGE: string | null = null

/** A list of conversations, page by page; live events move its rows about. */
export function useConversations(filter: ConversationFilter, options: { enabled?: boolean } = {}) {
  return useInfiniteQuery({
    queryKey: keys.conversationList(filter),
    queryFn: ({ pageParam, signal }) =>
      call(conversationPage, '/v1/conversations', {
        query: { ...filter, cursor: pageParam ?? undefined, limit: LIST_PAGE },
        signal,
      }),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: (page: z.output<typeof conversationPage>) => page.nextCursor,
    enabled: options.enabled ?? true,
  })
}

/** What the badges show, counted by the server: a list knows only what it has loaded. */
export function useConversationCounts() {
  return useQuery({
    queryKey: keys.conversationCounts,
    queryFn: ({ signal }) => call(conversationCountsSchema, '/v1/conversations/counts', { signal }),
  })
}

export function useConversation(id: string) {
  return useQuery({
    queryKey: keys.conversation(id),
    queryFn: ({ signal }) => call(conversationDtoSchema, `/v1/conversations/${id}`, { signal }),
  })
}

/** A thread from its newest message back; the next page is the one before. */
export function useMessages(conversationId: string) {
  return useInfiniteQuery({
    queryKey: keys.messages(conversationId),
    queryFn: ({ pageParam, signal }) =>
      call(messagePage, `/v1/conversations/${conversationId}/messages`, {
        query: { before: pageParam ?? undefined, limit: THREAD_PAGE },
        signal,
      }),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: (page: z.output<typeof messagePage>) => page.nextCursor,
  })
}
