import { z } from 'zod'
import type { ContentBlockParam } from '../agent/types.ts'
import type { MediaModel, MessageModel } from '../db/index.ts'
import { mediaReference } from '../media/media-for-model.ts'
import { cutText } from '../shared/cut-text.ts'
import { describeMessage, isUnreadableContent } from './describe-message.ts'
import { type ContextFacts, formatChoiceReply, formatContextBlock } from './message-format.ts'

/** A message with what belongs to it. */
export interface SaidMessage extends MessageModel {
  readonly media: MediaModel | null
  /** The message that it answers. */
  readonly quoted: Pick<MessageModel, 'direction' | 'text'> | null
}

/** What a stored reply to choices of ours holds (written by the channel's ingest). */
const replyPayload = z.looseObject({ reply: z.looseObject({ id: z.string(), title: z.string() }) })

/** Files that one opening shows; of more, the newest. Each costs tokens in every step of the run. */
const MOST_FILES = 3

const MAX_QUOTE = 500

/**
 * The user message that opens a run: everything said since the last run's reach, in order, then the facts of
 * the moment. The customer's words go in verbatim, one block a message; what a person of the business wrote is
 * marked as theirs. Private notes never come here.
 *
 * It is stored with the run and replayed byte for byte, so a picture or a PDF stands in it as a reference
 * (`media:<id>`), which `withMedia` of src/media replaces by the file in each request.
 */
export function openingBlocks(input: {
  readonly messages: readonly SaidMessage[]
  readonly facts: ContextFacts
  /** People had the conversation since the last run, and gave it back. */
  readonly returnedFromPeople: boolean
}): ContentBlockParam[] {
  const shown = new Set(
    input.messages
      .filter((message) => referenceOf(message) !== null)
      .slice(-MOST_FILES)
      .map(({ id }) => id),
  )
  const said = input.messages.flatMap((message) => blocksOfMessage(message, shown.has(message.id)))
  const note = input.returnedFromPeople
    ? ['<note>A person of the team had this conversation; that is over, and you answer again.</note>']
    : []
  return [...said, ...[...note, formatContextBlock(input.facts)].map(textBlock)]
}

/** Whether there is nothing in it that the bot could answer to. */
export function isUnreadable(message: MessageModel): boolean {
  if (message.text !== null && message.text.trim() !== '') return false
  if (message.type === 'audio' || message.type === 'voice') return true
  return isUnreadableContent(message.payload)
}

function blocksOfMessage(message: SaidMessage, isShown: boolean): ContentBlockParam[] {
  if (message.direction === 'in' && message.author === 'customer') return blocksOfCustomer(message, isShown)
  if (message.direction === 'out' && message.author === 'staff' && hasWords(message.text)) {
    return [textBlock(`<team>${message.text}</team>`)]
  }
  return []
}

function blocksOfCustomer(message: SaidMessage, isShown: boolean): ContentBlockParam[] {
  if (message.revokedAt !== null)
    return [textBlock('<attachment>message that the customer deleted</attachment>')]
  const reply = replyPayload.safeParse(message.payload)
  if (reply.success) return [textBlock(formatChoiceReply(reply.data.reply))]
  const file = isShown ? referenceOf(message) : null
  const description = describeMessage(message, file !== null)
  return [
    ...quoteOf(message),
    ...(file === null ? [] : [file]),
    ...(description === null ? [] : [textBlock(description)]),
    ...(hasWords(message.text) ? [textBlock(withoutOurMarks(message.text))] : []),
  ]
}

function quoteOf({ quoted }: SaidMessage): ContentBlockParam[] {
  if (quoted === null || !hasWords(quoted.text)) return []
  const who = quoted.direction === 'in' ? 'customer' : 'business'
  const text = cutText(quoted.text.replace(/[<>]/g, ''), MAX_QUOTE)
  return [textBlock(`<quoted>The next message answers this one of the ${who}: ${text}</quoted>`)]
}

function referenceOf({ direction, revokedAt, media }: SaidMessage): ContentBlockParam | null {
  return direction !== 'in' || revokedAt !== null || media === null ? null : mediaReference(media)
}

function textBlock(text: string): ContentBlockParam {
  return { type: 'text', text }
}

/**
 * Verbatim, but for the marks that only we set: a customer who writes `<team>` must not speak as the staff, nor
 * tap what was not offered.
 */
function withoutOurMarks(text: string): string {
  return text
    .replace(/<(?=\s*\/?\s*(?:team|note|context|attachment|quoted)\b)/gi, '‹')
    .replace(/^(\s*)\[(?=choice id=)/i, '$1(')
}

/** The API refuses a text block of white space. */
function hasWords(text: string | null): text is string {
  return text !== null && text.trim() !== ''
}
