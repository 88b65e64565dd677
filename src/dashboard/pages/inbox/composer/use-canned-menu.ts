import { type KeyboardEvent, useId, useState } from 'react'
import type { FilledReplyDto } from '../../../../contracts/dashboard-api.ts'
import { useFilledReplies } from '../../../api/canned-replies.ts'

export interface CannedMenuState {
  readonly isOpen: boolean
  readonly items: readonly FilledReplyDto[]
  readonly isLoading: boolean
  /** Whether there are canned replies at all. */
  readonly hasAny: boolean
  readonly active: number
  readonly listId: string
  readonly activeId: string | undefined
  optionId(index: number): string
  choose(reply: FilledReplyDto): void
  /** Whether the key was the menu's. */
  onKeyDown(event: KeyboardEvent): boolean
}

/** The menu that `/` opens: what follows the slash narrows it, arrows walk, Enter takes, Escape closes. */
export function useCannedMenu(
  conversationId: string,
  text: string,
  onChoose: (filled: string) => void,
): CannedMenuState {
  const listId = useId()
  const [dismissed, setDismissed] = useState<string | null>(null)
  const [wanted, setWanted] = useState(0)
  const query = /^\/(\S*)$/.exec(text)?.[1] ?? null
  const isOpen = query !== null && dismissed !== text
  const { data, isPending } = useFilledReplies(conversationId, { enabled: isOpen })
  const items = query === null ? [] : (data?.items ?? []).filter((reply) => matches(reply, query))
  const active = Math.min(wanted, Math.max(0, items.length - 1))
  const optionId = (index: number) => `${listId}-${index}`
  const choose = (reply: FilledReplyDto) => {
    setWanted(0)
    onChoose(reply.filled)
  }
  const walk = (by: number) => setWanted((active + by + items.length) % Math.max(1, items.length))
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (!isOpen) return false
    const chosen = items[active]
    if (event.key === 'ArrowDown') walk(1)
    else if (event.key === 'ArrowUp') walk(-1)
    else if (event.key === 'Escape') setDismissed(text)
    else if ((event.key === 'Enter' || event.key === 'Tab') && chosen !== undefined) choose(chosen)
    // While the list is open, and when it has nothing, Enter is not for the customer; Escape closes the list first.
    else if (event.key === 'Enter') setWanted(0)
    else return false
    event.preventDefault()
    return true
  }
  return {
    isOpen,
    items,
    isLoading: isPending,
    hasAny: (data?.items.length ?? 0) > 0,
    active,
    listId,
    activeId: isOpen && items.length > 0 ? optionId(active) : undefined,
    optionId,
    choose,
    onKeyDown,
  }
}

function matches({ shortcut, text }: FilledReplyDto, query: string): boolean {
  const wanted = fold(query)
  return fold(shortcut).includes(wanted) || (wanted.length > 2 && fold(text).includes(wanted))
}

function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
