import { graphemeFloor } from '../shared/cut-text.ts'
import { formatText } from './format-text.ts'

/**
 * Meta's limits on what is sent, in characters. Lengths are counted in UTF-16 units, which is never less than
 * Meta counts, and text is cut on grapheme borders, so that an emoji or an accented letter is never halved.
 */
export const LIMITS = {
  text: 4096,
  buttons: 3,
  buttonTitle: 20,
  buttonId: 256,
  buttonBody: 1024,
  rows: 10,
  rowTitle: 24,
  rowDescription: 72,
  rowId: 200,
  listLabel: 20,
  listBody: 4096,
  header: 60,
  footer: 60,
} as const

const ELLIPSIS = '…'

/**
 * Formats a model's text for WhatsApp and splits it into messages of at most 4,096 characters: at paragraphs,
 * else at lines, sentences, words, and only then inside a word. The parts are ready for the wire: send them as
 * `verbatim`. An empty text has no parts.
 */
export function splitText(text: string, limit: number = LIMITS.text): string[] {
  const parts: string[] = []
  let rest = formatText(text)
  while (rest.length > limit) {
    const end = breakPoint(rest, limit)
    parts.push(rest.slice(0, end).trimEnd())
    rest = rest.slice(end).trimStart()
  }
  return rest === '' ? parts : [...parts, rest]
}

/** `text` when it fits, else its beginning, cut at a word where that loses little, with an ellipsis. */
export function truncate(text: string, limit: number): string {
  const trimmed = text.trim()
  if (trimmed.length <= limit) return trimmed
  const room = graphemeFloor(trimmed, limit - ELLIPSIS.length)
  const head = trimmed.slice(0, room)
  const wordEnd = /\s/.test(trimmed.charAt(room)) ? room : head.search(/\s+\S*$/)
  const cut = wordEnd >= room * 0.6 ? head.slice(0, wordEnd) : head
  return `${cut.replace(/[\s.,;:·–—-]+$/u, '')}${ELLIPSIS}`
}

/** Best place first, each with the share of the limit that a part must fill for the place to count. */
const BORDERS = [
  { pattern: /\n\n+/g, fill: 0.1 },
  { pattern: /\n/g, fill: 0.4 },
  { pattern: /[.!?…]["')\]]*\s/g, fill: 0.5 },
  { pattern: /\s/g, fill: 0.5 },
]

function breakPoint(text: string, limit: number): number {
  const room = text.slice(0, limit)
  for (const { pattern, fill } of BORDERS) {
    const last = [...room.matchAll(pattern)].at(-1)
    const end = last === undefined ? 0 : last.index + last[0].length
    if (end >= limit * fill) return end
  }
  return graphemeFloor(text, limit)
}
