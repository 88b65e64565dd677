import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { type LiveEventName, liveEventDataSchemas } from '../../contracts/dashboard-api.ts'
import type { ConversationDto, MessageDto } from '../../contracts/staff-api.ts'
import { keys } from '../api/keys.ts'
import { type ConversationFilter, matchesFilter } from './conversation-filter.ts'
import type { StreamEvent } from './event-stream.ts'

export interface Page<Item> {
  readonly items: readonly Item[]
  readonly nextCursor: string | null
}
export type Pages<Item> = InfiniteData<Page<Item>, string | null>

/**
 * Writes one live event into what is on the screen. Every step can be repeated: an event may come after the
 * answer that holds the same, and after a reconnect once more.
 */
export function applyEvent(client: QueryClient, event: StreamEvent, staffId: string): void {
  const name = eventName(event.name)
  if (name === null) return
  const data: unknown = JSON.parse(event.data)
  switch (name) {
    case 'conversation.updated':
      putConversation(client, liveEventDataSchemas[name].parse(data).conversation, staffId)
      return
    case 'message.created': {
      const { conversationId, message } = liveEventDataSchemas[name].parse(data)
      putMessage(client, conversationId, message)
      return
    }
    case 'message.updated': {
      const { conversationId, message } = liveEventDataSchemas[name].parse(data)
      changeMessage(client, conversationId, message)
      return
    }
    case 'appointment.updated':
      void client.invalidateQueries({ queryKey: keys.appointments })
      void client.invalidateQueries({ queryKey: keys.customers })
      void client.invalidateQueries({ queryKey: keys.availability })
      return
    case 'reload':
      void client.invalidateQueries()
      return
    default:
      name satisfies never
  }
}

/** Puts the conversation where it belongs now, in every list that is shown, and out of the others. */
export function putConversation(client: QueryClient, conversation: ConversationDto, staffId: string): void {
  client.setQueryData(keys.conversation(conversation.id), conversation)
  for (const [key, pages] of client.getQueriesData<Pages<ConversationDto>>({
    queryKey: keys.conversations,
  })) {
    const filter = filterSchema.safeParse(key[1])
    if (pages === undefined || !filter.success) continue
    client.setQueryData<Pages<ConversationDto>>(key, placed(pages, conversation, filter.data, staffId))
  }
}

/** Adds or replaces one message. A stand-in that was shown before the server answered gives way to it. */
export function putMessage(client: QueryClient, conversationId: string, message: MessageDto): void {
  client.setQueryData<Pages<MessageDto>>(keys.messages(conversationId), (pages) => {
    if (pages === undefined) return pages
    const isKnown = pages.pages.some(({ items }) => items.some(({ id }) => id === message.id))
    if (!isKnown) return insertNewest(pages, message)
    return mapItems(pages, (items) => items.map((item) => (item.id === message.id ? message : item)))
  })
}

/**
 * A change of a message. One that is older than what is loaded is no news here: it comes with its page. One that
 * should be here and is not (a list that was on its way when it came) takes its place.
 */
function changeMessage(client: QueryClient, conversationId: string, message: MessageDto): void {
  const pages = client.getQueryData<Pages<MessageDto>>(keys.messages(conversationId))
  const last = pages?.pages.at(-1)
  const oldest = last?.items.at(-1)
  const hasMore = last !== undefined && last.nextCursor !== null
  if (hasMore && oldest !== undefined && Date.parse(message.createdAt) < Date.parse(oldest.createdAt)) return
  putMessage(client, conversationId, message)
}

export function mapItems<Item>(
  pages: Pages<Item>,
  change: (items: readonly Item[]) => readonly Item[],
): Pages<Item> {
  return { ...pages, pages: pages.pages.map((page) => ({ ...page, items: change(page.items) })) }
}

const filterSchema = z.object({
  status: z.enum(['bot', 'queued', 'assigned', 'closed']).optional(),
  assignee: z.literal('me').optional(),
  q: z.string().optional(),
})

function eventName(name: string): LiveEventName | null {
  return isEventName(name) ? name : null
}

function isEventName(name: string): name is LiveEventName {
  return Object.hasOwn(liveEventDataSchemas, name)
}

function placed(
  pages: Pages<ConversationDto>,
  conversation: ConversationDto,
  filter: ConversationFilter,
  staffId: string,
): Pages<ConversationDto> {
  const isShown = pages.pages.some(({ items }) => items.some(({ id }) => id === conversation.id))
  if (!matchesFilter(conversation, filter, staffId)) {
    return isShown ? mapItems(pages, (items) => items.filter(({ id }) => id !== conversation.id)) : pages
  }
  const isSearch = filter.q !== undefined && filter.q !== ''
  if (isShown && (isSearch || filter.status === 'queued')) {
    return mapItems(pages, (items) =>
      items.map((item) => (item.id === conversation.id ? conversation : item)),
    )
  }
  // Only the server can tell whether a conversation answers a search.
  if (isSearch) return pages
  const others = mapItems(pages, (items) => items.filter(({ id }) => id !== conversation.id))
  return filter.status === 'queued' ? appendLast(others, conversation) : insertByTime(others, conversation)
}

/** Who joins the queue waits the shortest; the page after the last is not read yet, and will hold it. */
function appendLast(pages: Pages<ConversationDto>, conversation: ConversationDto): Pages<ConversationDto> {
  const last = pages.pages.at(-1)
  if (last === undefined || last.nextCursor !== null) return pages
  return {
    ...pages,
    pages: [...pages.pages.slice(0, -1), { ...last, items: [...last.items, conversation] }],
  }
}

/** The other lists run from the newest message to the oldest. */
function insertByTime(pages: Pages<ConversationDto>, conversation: ConversationDto): Pages<ConversationDto> {
  const at = timeOf(conversation)
  const index = pages.pages.findIndex(
    ({ items, nextCursor }) => nextCursor === null || items.some((item) => timeOf(item) <= at),
  )
  return {
    ...pages,
    pages: pages.pages.map((page, position) => {
      if (position !== index) return page
      const before = page.items.filter((item) => timeOf(item) > at)
      return { ...page, items: [...before, conversation, ...page.items.slice(before.length)] }
    }),
  }
}

function timeOf({ lastMessageAt }: ConversationDto): number {
  return lastMessageAt === null ? 0 : Date.parse(lastMessageAt)
}

function insertNewest(pages: Pages<MessageDto>, message: MessageDto): Pages<MessageDto> {
  const [first, ...rest] = pages.pages
  if (first === undefined) return pages
  const at = Date.parse(message.createdAt)
  const newer = first.items.filter((item) => Date.parse(item.createdAt) > at)
  const older = first.items.slice(newer.length)
  return { ...pages, pages: [{ ...first, items: [...newer, message, ...older] }, ...rest] }
}
