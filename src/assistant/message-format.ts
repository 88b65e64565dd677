/**
 * How facts and taps are written into a customer message, shared by the prompt (which writes) and the guided
 * model (which reads). Both are whole text blocks of the message: one block of volatile facts, and one block for
 * each tapped button or row.
 */
import { isDate, isoWeekday } from '../scheduling/civil-date.ts'
import { LOCALES, type Locale } from '../shared/locale.ts'

/** What changes from message to message and so has no place in the system prompt. */
export interface ContextFacts {
  /** Wall time of the tenant, `YYYY-MM-DDTHH:MM`. */
  now: string
  /** IANA name, e.g. `America/Sao_Paulo`. */
  timeZone: string
  locale: Locale
  /** null when the customer never said a name. */
  customerName: string | null
  /** One line each, in any words; shown to the model as it is. */
  openAppointments: readonly string[]
}

export interface ChoiceReply {
  id: string
  title: string
}

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const UNKNOWN = 'unknown'
const NONE = 'none'
const NOW = /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d/
const CHOICE = /^\s*\[choice id=("(?:[^"\\]|\\.)*")\]\s?([\s\S]*)$/

/** The block of facts: `<context>`, one `name: value` a line, `</context>`. */
export function formatContextBlock(facts: ContextFacts): string {
  return [
    '<context>',
    `now: ${facts.now}${weekdayNote(facts.now)}`,
    `time_zone: ${oneLine(facts.timeZone)}`,
    `locale: ${facts.locale}`,
    `customer_name: ${oneLine(facts.customerName ?? '') || UNKNOWN}`,
    `open_appointments: ${facts.openAppointments.map(oneLine).join('; ') || NONE}`,
    '</context>',
  ].join('\n')
}

/** Reads a block of facts; null for any other text. A fact that is absent or malformed is left out. */
export function parseContextBlock(text: string): Partial<ContextFacts> | null {
  const lines = text.trim().split('\n')
  if (lines[0]?.trim() !== '<context>' || lines.at(-1)?.trim() !== '</context>') return null
  const values = new Map<string, string>()
  for (const line of lines.slice(1, -1)) {
    const [, name, value] = /^\s*([a-z_]+):\s*(.*?)\s*$/.exec(line) ?? []
    if (name !== undefined && value !== undefined) values.set(name, value)
  }
  const facts: Partial<ContextFacts> = {}
  const now = values.get('now') ?? ''
  if (isDate(NOW.exec(now)?.[1] ?? '')) facts.now = now.slice(0, 16)
  const timeZone = values.get('time_zone')
  if (timeZone !== undefined && timeZone !== '') facts.timeZone = timeZone
  const locale = LOCALES.find((candidate) => candidate === values.get('locale'))
  if (locale !== undefined) facts.locale = locale
  const name = values.get('customer_name')
  if (name !== undefined) facts.customerName = name === '' || name === UNKNOWN ? null : name
  const open = values.get('open_appointments')
  if (open !== undefined) facts.openAppointments = open === '' || open === NONE ? [] : open.split('; ')
  return facts
}

/** A tapped button or row: `[choice id="…"] title`, the id quoted as in JSON. */
export function formatChoiceReply(reply: ChoiceReply): string {
  return `[choice id=${JSON.stringify(reply.id)}] ${oneLine(reply.title)}`
}

/** Reads what `formatChoiceReply` wrote; null for any other text. */
export function parseChoiceReply(text: string): ChoiceReply | null {
  const [, quoted, title] = CHOICE.exec(text) ?? []
  if (quoted === undefined || title === undefined) return null
  try {
    const id: unknown = JSON.parse(quoted)
    return typeof id === 'string' ? { id, title: title.trim() } : null
  } catch {
    return null
  }
}

function weekdayNote(now: string): string {
  const date = now.slice(0, 10)
  return isDate(date) ? ` (${WEEKDAYS[isoWeekday(date) - 1] ?? ''})` : ''
}

/** A value must neither start a new line nor close the block. */
function oneLine(value: string): string {
  return value
    .replace(/[\s\u2028\u2029]+/g, ' ')
    .replace(/[<>]/g, '')
    .trim()
}
