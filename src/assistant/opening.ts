import { z } from 'zod'
import type { ContentBlockParam } from '../agent/types.ts'
import type { MessageModel } from '../db/index.ts'
import { type ContextFacts, formatChoiceReply, formatContextBlock } from './message-format.ts'

/** Types whose text is all there is to them. */
const WORDS_ONLY: ReadonlySet<string> = new Set(['text', 'interactive', 'button'])

/** What a stored reply to choices of ours holds (written by the channel's ingest). */
const replyPayload = z.looseObject({ reply: z.looseObject({ id: z.string(), title: z.string() }) })

/**
 * The user message that opens a run: everything said since the last run's reach, in order, then the facts of
 * the moment. The customer's words go in verbatim, one block a message; what a person of the business wrote is
 * marked as theirs. Private notes never come here. It is stored with the run and replayed byte for byte.
 */
export function openingBlocks(input: {
  readonly messages: readonly MessageModel[]
  readonly facts: ContextFacts
  /** People had the conversation since the last run, and gave it back. */
  readonly returnedFromPeople: boolean
}): ContentBlockParam[] {
  const said = input.messages.flatMap((message) => textOfMessage(message) ?? [])
  const note = input.returnedFromPeople
    ? ['<note>A person of the team had this conversation; that is over, and you answer again.</note>']
    : []
  return [...said, ...note, formatContextBlock(input.facts)].map((text) => ({ type: 'text', text }))
}

/** The message as the model reads it; null for what is not the customer's or the staff's, or holds nothing. */
export function textOfMessage(message: MessageModel): string | null {
  if (message.direction === 'in') return wordsOfCustomer(message)
  if (message.direction === 'out' && message.author === 'staff' && hasWords(message.text)) {
    return `<team>${message.text}</team>`
  }
  return null
}

function wordsOfCustomer(message: MessageModel): string | null {
  const payload = replyPayload.safeParse(message.payload)
  if (payload.success) return formatChoiceReply(payload.data.reply)
  const words = hasWords(message.text) ? withoutOurMarks(message.text) : null
  if (WORDS_ONLY.has(message.type)) return words
  const caption = words === null ? '' : ` ${words}`
  return `[${message.type}]${caption}`
}

/**
 * Verbatim, but for the marks that only we set: a customer who writes `<team>` must not speak as the staff, nor
 * tap what was not offered.
 */
function withoutOurMarks(text: string): string {
  return text
    .replace(/<(?=\s*\/?\s*(?:team|note|context)\b)/gi, '‹')
    .replace(/^(\s*)\[(?=choice id=)/i, '$1(')
}

/** The API refuses a text block of white space. */
function hasWords(text: string | null): text is string {
  return text !== null && text.trim() !== ''
}
