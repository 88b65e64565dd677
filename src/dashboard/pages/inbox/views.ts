import type { ConversationFilter } from '../../live/conversation-filter.ts'

export const VIEWS = ['queue', 'mine', 'team', 'bot', 'closed'] as const
/** One tab of the inbox. */
export type View = (typeof VIEWS)[number]

const FILTERS: Readonly<Record<View, ConversationFilter>> = {
  queue: { status: 'queued' },
  mine: { status: 'assigned', assignee: 'me' },
  team: { status: 'assigned' },
  bot: { status: 'bot' },
  closed: { status: 'closed' },
}

export function readView(text: string | undefined): View {
  return VIEWS.find((view) => view === text) ?? 'queue'
}

/** A search looks everywhere: who looks for somebody does not know which tab they are in. */
export function filterOf(view: View, search: string): ConversationFilter {
  return search === '' ? FILTERS[view] : { q: search }
}
