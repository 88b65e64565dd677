import type { ConversationDto, ConversationStatus } from '../../contracts/staff-api.ts'

/** What a list of conversations asks the server for. */
export interface ConversationFilter {
  readonly status?: ConversationStatus | undefined
  readonly assignee?: 'me' | undefined
  readonly q?: string | undefined
}

/** Whether the list shows this conversation, its search aside. */
export function matchesFilter(
  conversation: ConversationDto,
  filter: ConversationFilter,
  staffId: string,
): boolean {
  if (filter.status !== undefined && conversation.status !== filter.status) return false
  return filter.assignee === undefined || conversation.assignee?.id === staffId
}
