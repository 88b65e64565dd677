import { useState } from 'react'

const drafts = new Map<string, string>()

/** What was typed and not sent stays with its conversation while others are looked at. */
export function useDraft(key: string): [string, (text: string) => void] {
  const [text, setText] = useState(() => drafts.get(key) ?? '')
  const keep = (next: string) => {
    if (next === '') drafts.delete(key)
    else drafts.set(key, next)
    setText(next)
  }
  return [text, keep]
}
