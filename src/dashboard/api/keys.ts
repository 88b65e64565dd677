import type { ConversationFilter } from '../live/conversation-filter.ts'

/** Names of what is cached. The first word is the kind, so that a live event can find all of it. */
export const keys = {
  conversations: ['conversations'],
  conversationList: (filter: ConversationFilter) => ['conversations', filter],
  conversationCounts: ['conversation-counts'],
  conversation: (id: string) => ['conversation', id],
  messages: (conversationId: string) => ['messages', conversationId],
  run: (runId: string) => ['runs', runId],
  customers: ['customers'],
  customer: (id: string) => ['customers', id],
  appointments: ['appointments'],
  availability: ['availability'],
  catalog: ['catalog'],
  metrics: ['metrics'],
  cannedReplies: ['canned-replies'],
  cannedReplyList: ['canned-replies', 'list'],
  filledReplies: (conversationId: string) => ['canned-replies', 'filled', conversationId],
  settings: ['settings'],
  staff: ['staff'],
  channel: ['channel'],
  channelSends: ['channel', 'sends'],
} as const
