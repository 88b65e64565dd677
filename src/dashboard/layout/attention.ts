import { useLocalStorage } from '@mantine/hooks'
import { useEffect } from 'react'
import { useConversationCounts } from '../api/conversations.ts'
import { useNewHandoff } from '../live/live-provider.tsx'

/** Whether a new handoff makes a sound, as chosen in this browser. */
export function useSoundSetting() {
  return useLocalStorage({ key: 'agendou.sound', defaultValue: true, getInitialValueInEffect: false })
}

/** What waits for a person: how many conversations are in the queue, and how many messages are unread in mine. */
export function useAttention(): { queued: number; unread: number } {
  const { data: counts } = useConversationCounts()
  const [isOn] = useSoundSetting()
  useNewHandoff(() => {
    if (isOn) playChime()
  })
  const queued = counts?.queued.conversations ?? 0
  const unread = counts?.mine.unread ?? 0
  useTitleBadge(queued + unread)
  return { queued, unread }
}

/** `(3) agendou`, so that a tab in the background says it too. */
function useTitleBadge(count: number): void {
  useEffect(() => {
    document.title = count === 0 ? 'agendou' : `(${count}) agendou`
  }, [count])
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
