import { useState } from 'react'

const drafts = new Map<string, string>()
/** What of a draft was refused: it stands first, in the order it was written. */
const refused = new Map<string, string>()

/** Whoever comes next at this browser does not see what somebody else had begun. */
export function forgetDrafts(): void {
  drafts.clear()
  refused.clear()
}

interface Draft {
  readonly text: string
  readonly set: (text: string) => void
  /** Puts a text that was refused before what was typed since. */
  readonly giveBack: (text: string) => void
}

/** What was typed and not sent stays with its conversation while others are looked at. */
export function useDraft(key: string): Draft {
  const [text, setText] = useState(() => drafts.get(key) ?? '')
  const keep = (next: string) => {
    if (next === '') drafts.delete(key)
    else drafts.set(key, next)
    setText(next)
  }
  const giveBack = (lost: string) => {
    const draft = drafts.get(key) ?? ''
    const before = refused.get(key) ?? ''
    const isThere = before !== '' && draft.startsWith(before)
    const since = isThere ? draft.slice(before.length).trimStart() : draft
    const all = isThere ? `${before}\n${lost}` : lost
    refused.set(key, all)
    keep(since === '' ? all : `${all}\n${since}`)
  }
  return { text, set: keep, giveBack }
}
