import { useLocalStorage } from '@mantine/hooks'
import { useEffect, useRef } from 'react'
import { useConversations } from '../api/conversations.ts'

/** Whether a new handoff makes a sound, as chosen in this browser. */
export function useSoundSetting() {
  return useLocalStorage({ key: 'agendou.sound', defaultValue: true, getInitialValueInEffect: false })
}

/** What waits for a person: how many conversations are in the queue, and how many messages are unread in mine. */
export function useAttention(): { queued: number; unread: number } {
  const queue = useConversations({ status: 'queued' })
  const mine = useConversations({ status: 'assigned', assignee: 'me' })
  const queuedIds = queue.data?.pages.flatMap(({ items }) => items.map(({ id }) => id))
  useSoundOfNewHandoffs(queuedIds)
  const unread = (mine.data?.pages ?? [])
    .flatMap(({ items }) => items)
    .reduce((sum, conversation) => sum + conversation.unread, 0)
  const queued = queuedIds?.length ?? 0
  useTitleBadge(queued + unread)
  return { queued, unread }
}

/** `(3) agendou`, so that a tab in the background says it too. */
function useTitleBadge(count: number): void {
  useEffect(() => {
    document.title = count === 0 ? 'agendou' : `(${count}) agendou`
  }, [count])
}

function useSoundOfNewHandoffs(queuedIds: readonly string[] | undefined): void {
  const [isOn] = useSoundSetting()
  const known = useRef<ReadonlySet<string> | null>(null)
  useEffect(() => {
    if (queuedIds === undefined) return
    const before = known.current
    known.current = new Set(queuedIds)
    if (before !== null && isOn && queuedIds.some((id) => !before.has(id))) playChime()
  }, [queuedIds, isOn])
}

/** Two soft notes, made on the spot. A page that nobody has touched yet may not sound, and stays silent. */
export function playChime(): void {
  const audio = new AudioContext()
  if (audio.state === 'suspended') {
    void audio.close()
    return
  }
  for (const [index, frequency] of [659, 880].entries()) {
    const at = audio.currentTime + index * 0.14
    const tone = audio.createOscillator()
    const volume = audio.createGain()
    tone.frequency.value = frequency
    volume.gain.setValueAtTime(0.0001, at)
    volume.gain.exponentialRampToValueAtTime(0.12, at + 0.02)
    volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.4)
    tone.connect(volume).connect(audio.destination)
    tone.start(at)
    tone.stop(at + 0.42)
    if (index === 1) tone.onended = () => void audio.close()
  }
}
