import type { ChatStore } from './chat-store.ts'

/** "typing…" on the phones: shown when the product says so, hidden by a message or by itself. */
export interface TypingIndicator {
  show(phone: string): void
  hide(phone: string): void
  close(): void
}

/** WhatsApp hides it by itself after 25 seconds. */
const TYPING_MS = 25_000

export function createTypingIndicator(store: ChatStore): TypingIndicator {
  const timers = new Map<string, NodeJS.Timeout>()

  function hide(phone: string): void {
    clearTimeout(timers.get(phone))
    timers.delete(phone)
    store.setTyping(phone, false)
  }

  return {
    hide,
    show(phone) {
      clearTimeout(timers.get(phone))
      timers.set(phone, setTimeout(hide, TYPING_MS, phone).unref())
      store.setTyping(phone, true)
    },
    close() {
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
    },
  }
}
