import type { KeyboardEvent } from 'react'

/** Enter sends, with Shift it breaks the line; while a word is being composed it belongs to the keyboard. */
export function isSendKey(event: KeyboardEvent): boolean {
  return event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing
}
