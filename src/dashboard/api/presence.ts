import { useDocumentVisibility } from '@mantine/hooks'
import { useEffect } from 'react'
import { presenceDtoSchema } from '../../contracts/dashboard-api.ts'
import { call, nothing } from './client.ts'

/** The server forgets somebody who has said nothing for 40 seconds. */
const REPEAT_MS = 15_000

/** Tells the colleagues that this person has the conversation open, for as long as it is seen. */
export function usePresence(conversationId: string): void {
  const isVisible = useDocumentVisibility() === 'visible'
  useEffect(() => {
    if (!isVisible) return
    const path = `/v1/conversations/${conversationId}/presence`
    // Nothing is lost without it: the next one follows in a moment, and the server forgets by itself.
    const say = () => void call(presenceDtoSchema, path, { method: 'POST' }).catch(() => {})
    say()
    const timer = setInterval(say, REPEAT_MS)
    return () => {
      clearInterval(timer)
      void call(nothing, path, { method: 'DELETE' }).catch(() => {})
    }
  }, [conversationId, isVisible])
}
