import type { OutboundChoice } from '../conversations/outbound-channel.ts'
import { encodeChoiceId } from './action-id.ts'
import { LIMITS, truncate } from './limits.ts'

/** The part of a send body that depends on the content: `{ type, [type]: … }`. */
export type MessagePayload = Readonly<Record<string, unknown>>

/**
 * A text with choices as one WhatsApp message: up to three with short and distinct titles are buttons, anything
 * else is a list. Buttons cannot show descriptions, so those are added to the text. Past ten choices the rest is
 * left out (the tools ask for at most ten). Without any choice it is a plain text.
 *
 * @param text formatted for WhatsApp, see formatText
 * @param locale of the list's label
 */
export function interactiveMessage(
  text: string,
  choices: readonly OutboundChoice[],
  locale: string,
): MessagePayload {
  const rows = distinct(choices.map(toRow)).slice(0, LIMITS.rows)
  if (rows.length === 0) return textMessage(text)
  const described = withDescriptions(text, rows)
  return fitsButtons(described, rows) ? buttons(described, rows, locale) : list(text, rows, locale)
}

export function textMessage(text: string): MessagePayload {
  return { type: 'text', text: { body: truncate(text, LIMITS.text), preview_url: false } }
}

interface Row {
  readonly id: string
  readonly title: string
  readonly description: string
}

function toRow(choice: OutboundChoice, index: number): Row {
  return {
    id: choice.origin === 'product' ? choice.id : encodeChoiceId(choice.id),
    title: plain(choice.title) || String(index + 1),
    description: plain(choice.description ?? ''),
  }
}

/** Titles and descriptions show marks as they are, and are one line. */
function plain(text: string): string {
  return text
    .replace(/[*~`]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Meta refuses a message with two equal ids; the first one keeps its place. */
function distinct(rows: readonly Row[]): Row[] {
  const seen = new Set<string>()
  return rows.filter((row) => !seen.has(row.id) && seen.add(row.id))
}

function fitsButtons(body: string, rows: readonly Row[]): boolean {
  const titles = new Set(rows.map((row) => row.title.toLocaleLowerCase()))
  return (
    rows.length <= LIMITS.buttons &&
    titles.size === rows.length &&
    body.length <= LIMITS.buttonBody &&
    rows.every((row) => row.title.length <= LIMITS.buttonTitle && row.id.length <= LIMITS.buttonId)
  )
}

function withDescriptions(text: string, rows: readonly Row[]): string {
  const lines = rows.flatMap((row) =>
    row.description === '' || text.includes(row.description) ? [] : [`- *${row.title}*: ${row.description}`],
  )
  return lines.length === 0 ? text : `${text}\n\n${lines.join('\n')}`.trim()
}

function buttons(text: string, rows: readonly Row[], locale: string): MessagePayload {
  return {
    type: 'interactive',
    interactive: {
      type: 'button',
      body: { text: text || label(locale) },
      action: { buttons: rows.map(({ id, title }) => ({ type: 'reply', reply: { id, title } })) },
    },
  }
}

function list(text: string, rows: readonly Row[], locale: string): MessagePayload {
  return {
    type: 'interactive',
    interactive: {
      type: 'list',
      body: { text: truncate(text, LIMITS.listBody) || label(locale) },
      action: { button: label(locale), sections: [{ rows: rows.map(listRow) }] },
    },
  }
}

/** A title that does not fit is cut at a word, and stands whole in the description. */
function listRow(row: Row): Record<string, string> {
  const title = truncate(row.title, LIMITS.rowTitle)
  const parts = title === row.title ? [row.description] : [row.title, row.description]
  const description = truncate(parts.filter((part) => part !== '').join(' · '), LIMITS.rowDescription)
  return description === '' ? { id: row.id, title } : { id: row.id, title, description }
}

const LABELS: readonly (readonly [language: string, label: string])[] = [
  ['pt', 'Ver opções'],
  ['es', 'Ver opciones'],
  ['en', 'See options'],
]

function label(locale: string): string {
  const language = locale.slice(0, 2).toLowerCase()
  return LABELS.find(([code]) => code === language)?.[1] ?? 'Ver opções'
}
