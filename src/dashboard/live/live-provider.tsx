import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import {
  createContext,
  type PropsWithChildren,
  useContext,
  useEffect,
  useEffectEvent,
  useMemo,
  useState,
} from 'react'
import { liveEventDataSchemas } from '../../contracts/dashboard-api.ts'
import type { ConversationDto } from '../../contracts/staff-api.ts'
import { keys } from '../api/keys.ts'
import { ME_KEY } from '../api/query-client.ts'
import { useMe } from '../auth/session.ts'
import { applyEvent, type Pages } from './apply-event.ts'
import { openEventStream, type StreamEvent } from './event-stream.ts'
import { createHandoffWatch } from './handoff-watch.ts'

/** `connecting` until the first connection stands; `lost` while it comes back. */
type LiveState = 'connecting' | 'live' | 'lost'

const LiveContext = createContext<LiveState>('connecting')
/** Whoever wants to hear of new handoffs. */
const ListenersContext = createContext<Set<() => void>>(new Set())

export function useLiveState(): LiveState {
  return useContext(LiveContext)
}

/** Calls back when a conversation joins the queue. */
export function useNewHandoff(onJoin: () => void): void {
  const listeners = useContext(ListenersContext)
  const onEvent = useEffectEvent(onJoin)
  useEffect(() => {
    const listener = () => onEvent()
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  }, [listeners])
}

/** The lists are put right at once by the events, and once more by the server a little later. */
const LIST_REFRESH_MS = 1_500
/** The counts come from the server alone; a burst of events asks for them once. */
const COUNT_REFRESH_MS = 250

/** Keeps everything that is cached in step with the server, for as long as somebody is logged in. */
export function LiveProvider({ children }: PropsWithChildren) {
  const client = useQueryClient()
  const staffId = useMe().staff.id
  const [state, setState] = useState<LiveState>('connecting')
  const listeners = useMemo(() => new Set<() => void>(), [])
  useEffect(() => {
    const refresh = (queryKey: QueryKey) => () => void client.invalidateQueries({ queryKey })
    const lists = createLater(refresh(keys.conversations), LIST_REFRESH_MS)
    const counts = createLater(refresh(keys.conversationCounts), COUNT_REFRESH_MS)
    const joinsQueue = watchQueue(client)
    const stream = openEventStream('/v1/events', {
      onOpen: (isFirst) => {
        setState('live')
        // What happened between reading the page's data and this moment is in no event.
        if (isFirst) void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== ME_KEY[0] })
      },
      onLost: () => setState('lost'),
      onUnauthorized: () => client.setQueryData(ME_KEY, null),
      onEvent: (event) => {
        if (joinsQueue(event)) for (const tell of listeners) tell()
        applyEvent(client, event, staffId)
        if (event.name !== 'conversation.updated') return
        lists.ask()
        counts.ask()
      },
    })
    const retry = () => stream.retryNow()
    const lost = () => setState('lost')
    window.addEventListener('online', retry)
    window.addEventListener('offline', lost)
    return () => {
      window.removeEventListener('online', retry)
      window.removeEventListener('offline', lost)
      lists.cancel()
      counts.cancel()
      stream.close()
    }
  }, [client, staffId, listeners])
  return (
    <ListenersContext value={listeners}>
      <LiveContext value={state}>{children}</LiveContext>
    </ListenersContext>
  )
}

/** Whether an event puts a conversation into the queue; ask before the event is applied to the lists. */
function watchQueue(client: QueryClient): (event: StreamEvent) => boolean {
  const watch = createHandoffWatch()
  return ({ name, data }) => {
    if (name !== 'conversation.updated') return false
    const { conversation } = updated.parse(JSON.parse(data))
    for (const [, pages] of client.getQueriesData<Pages<ConversationDto>>({ queryKey: keys.conversations })) {
      for (const page of pages?.pages ?? []) for (const item of page.items) watch.note(item)
    }
    return watch.joins(conversation, Date.now())
  }
}

const updated = liveEventDataSchemas['conversation.updated']

/** Does something a moment after it is asked for, once for all who ask meanwhile. */
function createLater(act: () => void, delayMs: number): { ask(): void; cancel(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    ask: () => {
      timer ??= setTimeout(() => {
        timer = undefined
        act()
      }, delayMs)
    },
    cancel: () => clearTimeout(timer),
  }
}
