import type { ChoiceKind } from '../choice-id.ts'
import { formatChoiceId } from '../choice-id.ts'

export interface Choice {
  id: string
  title: string
  description?: string
}

/** What the guided model does next. */
export type Action =
  | { kind: 'call'; name: string; input: Record<string, unknown> }
  | { kind: 'offer'; text: string; choices: Choice[] }
  | { kind: 'text'; text: string }
  | { kind: 'transfer'; summary: string }

/** WhatsApp's list: at most ten rows, titles of 24 characters, descriptions of 72. */
export const MAX_CHOICES = 10
const MAX_TITLE = 24
const MAX_DESCRIPTION = 72

/** An offer within WhatsApp's limits; titles are cut and made different from each other. */
export function offer(paragraphs: readonly (string | null)[], choices: readonly Choice[]): Action {
  const seen = new Set<string>()
  const fitted = choices.slice(0, MAX_CHOICES).map((choice) => {
    const title = differentFrom(seen, shorten(choice.title, MAX_TITLE))
    seen.add(title)
    return {
      id: choice.id,
      title,
      ...(choice.description === undefined || choice.description === ''
        ? {}
        : { description: shorten(choice.description, MAX_DESCRIPTION) }),
    }
  })
  return {
    kind: 'offer',
    text: paragraphs.filter((text) => text !== null && text !== '').join('\n\n'),
    choices: fitted,
  }
}

export function say(...paragraphs: readonly (string | null)[]): Action {
  return { kind: 'text', text: paragraphs.filter((text) => text !== null && text !== '').join('\n\n') }
}

export function choice(
  kind: ChoiceKind,
  value: string,
  title: string,
  carried?: Parameters<typeof formatChoiceId>[2],
): Choice {
  return { id: formatChoiceId(kind, value, carried), title }
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Cut on grapheme borders, with an ellipsis. */
function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text
  let cut = ''
  for (const { segment } of graphemes.segment(text)) {
    if (cut.length + segment.length > limit - 1) break
    cut += segment
  }
  return `${cut.trimEnd()}…`
}

function differentFrom(seen: ReadonlySet<string>, title: string): string {
  let candidate = title
  for (let number = 2; seen.has(candidate); number += 1)
    candidate = `${shorten(title, MAX_TITLE - 4)} ${number}`
  return candidate
}
