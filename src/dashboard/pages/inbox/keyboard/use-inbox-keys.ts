import { useEffect, useEffectEvent } from 'react'

export type InboxKey = 'j' | 'k' | 'c' | 'r' | 'n' | 'e' | '/' | '?'

/** Single keys for the inbox, except while somebody types or a dialog is open. */
export function useInboxKeys(handlers: Readonly<Record<InboxKey, () => void>>): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    if (isTyping(event.target) || document.querySelector('[role="dialog"]') !== null) return
    if (!isInboxKey(event.key)) return
    // A key that is held walks the list; it does not claim or resolve one conversation after another.
    if (event.repeat && event.key !== 'j' && event.key !== 'k') return
    event.preventDefault()
    handlers[event.key]()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
}

const KEYS: readonly string[] = ['j', 'k', 'c', 'r', 'n', 'e', '/', '?'] satisfies InboxKey[]

function isInboxKey(key: string): key is InboxKey {
  return KEYS.includes(key)
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element && target.closest('input, textarea, select, [contenteditable="true"]') !== null
  )
}
