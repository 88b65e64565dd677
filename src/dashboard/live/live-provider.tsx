import { useQueryClient } from '@tanstack/react-query'
import { createContext, type PropsWithChildren, useContext, useEffect, useState } from 'react'
import { keys } from '../api/keys.ts'
import { ME_KEY } from '../api/query-client.ts'
import { useMe } from '../auth/session.ts'
import { applyEvent } from './apply-event.ts'
import { openEventStream } from './event-stream.ts'

/** `connecting` until the first connection stands; `lost` while it comes back. */
type LiveState = 'connecting' | 'live' | 'lost'

const LiveContext = createContext<LiveState>('connecting')

export function useLiveState(): LiveState {
  return useContext(LiveContext)
}

/** The lists are put right at once by the events, and once more by the server when it is quiet again. */
const LIST_REFRESH_MS = 1_500

/** Keeps everything that is cached in step with the server, for as long as somebody is logged in. */
export function LiveProvider({ children }: PropsWithChildren) {
  const client = useQueryClient()
  const staffId = useMe().staff.id
  const [state, setState] = useState<LiveState>('connecting')
  useEffect(() => {
    let refresh: ReturnType<typeof setTimeout> | undefined
    const stream = openEventStream('/v1/events', {
      onOpen: (isFirst) => {
        setState('live')
        // What happened between reading the page's data and this moment is in no event.
        if (isFirst) void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== ME_KEY[0] })
      },
      onLost: () => setState('lost'),
      onUnauthorized: () => client.setQueryData(ME_KEY, null),
      onEvent: (event) => {
        applyEvent(client, event, staffId)
        if (event.name !== 'conversation.updated') return
        clearTimeout(refresh)
        refresh = setTimeout(
          () => void client.invalidateQueries({ queryKey: keys.conversations }),
          LIST_REFRESH_MS,
        )
      },
    })
    const retry = () => stream.retryNow()
    const lost = () => setState('lost')
    window.addEventListener('online', retry)
    window.addEventListener('offline', lost)
    return () => {
      window.removeEventListener('online', retry)
      window.removeEventListener('offline', lost)
      clearTimeout(refresh)
      stream.close()
    }
  }, [client, staffId])
  return <LiveContext value={state}>{children}</LiveContext>
}
