import type { InboundMedia } from '../conversations/inbound-media.ts'
import { type JsonInput, jsonInput } from '../db/index.ts'
import { type Action, decodeReplyId } from './action-id.ts'
import type { InboundContent, InboundMessage } from './webhook-types.ts'

/** One inbound message as the conversation keeps it. */
export interface StoredContent {
  /** Meta's type word. */
  readonly type: string
  /** What a person reads; null where the message has no words. */
  readonly text: string | null
  /**
   * `reply`: a tapped choice of ours (id without its wire prefix, title) · `content`: the parsed message of any
   * other type but text, by its `type` · `context`, `referral`: what it answers, whether it was forwarded, the
   * ad it came from · `raw`: the message as it came, for all but text.
   */
  readonly payload: JsonInput | null
  /** Whether the bot owes it an answer. */
  readonly startsTurn: boolean
  readonly quotedWamid: string | null
  readonly media: InboundMedia | null
  /** A tapped button that the product itself signed. */
  readonly action: Action | null
}

export interface ContentOptions {
  /** What the product's own action ids are signed with. */
  readonly actionSecret: string
  /** How long a turn waits for a picture or a PDF. */
  readonly mediaWaitMs: number
  /** How long a turn waits for the words of a voice note; null: nobody writes them down. */
  readonly transcriptWaitMs: number | null
}

/**
 * Reads a message for storing. Words, taps, files and everything else that a customer sends on purpose start a
 * turn; what only tells about another message, or about the account, does not. A tapped id counts as a choice
 * of the model's only with the prefix that such ids are sent with.
 */
export function messageContent(message: InboundMessage, options: ContentOptions): StoredContent {
  const { content, type } = message
  const common = {
    type,
    startsTurn: true,
    media: null,
    action: null,
    quotedWamid: message.context?.wamid ?? null,
  }
  switch (content.type) {
    case 'text':
      return { ...common, text: content.body, payload: payloadOf(message, {}) }
    case 'button_reply':
    case 'list_reply':
      return { ...common, ...tapped(message, content.id, content.title, options.actionSecret) }
    case 'template_button':
      return { ...common, ...tapped(message, content.payload ?? '', content.text, options.actionSecret) }
    case 'image':
    case 'document':
    case 'audio':
    case 'video':
    case 'sticker': {
      const media = mediaOf(content, options)
      return { ...common, text: content.caption, media, payload: wholePayload(message, content) }
    }
    case 'flow_reply':
    case 'contacts':
    case 'location':
    case 'order':
    case 'unsupported':
    case 'unknown':
      return { ...common, text: wordsOf(content), payload: wholePayload(message, content) }
    case 'system':
    case 'reaction':
    case 'edit':
    case 'revoke':
      return { ...common, text: wordsOf(content), payload: wholePayload(message, content), startsTurn: false }
  }
}

/** What the thread shows of a message that is neither text nor a file. */
function wordsOf(content: InboundContent): string | null {
  switch (content.type) {
    case 'flow_reply':
      return content.body ?? content.name
    case 'contacts':
      return content.contacts.map((contact) => contact.name ?? contact.phones.join(', ')).join('; ') || null
    case 'location':
      return content.name ?? content.address
    case 'order':
      return content.text
    case 'system':
      return content.body
    default:
      return null
  }
}

type MediaContent = Extract<InboundContent, { mediaId: string }>

function mediaOf(content: MediaContent, options: ContentOptions): InboundMedia {
  const { mediaId, mimeType, sha256, filename } = content
  return {
    kind: content.type,
    providerId: mediaId,
    mimeType,
    sha256,
    filename,
    waitMs: waitOf(content, options),
  }
}

/** A turn waits for what it can read: pictures, PDFs, and voice notes where somebody writes them down. */
function waitOf({ type, mimeType }: MediaContent, options: ContentOptions): number | null {
  if (type === 'audio') return options.transcriptWaitMs
  const isPdf = type === 'document' && (mimeType ?? '').startsWith('application/pdf')
  return type === 'image' || isPdf ? options.mediaWaitMs : null
}

function tapped(message: InboundMessage, wireId: string, title: string, secret: string) {
  const reply = decodeReplyId(wireId, secret)
  switch (reply.kind) {
    case 'choice':
      return { text: title, payload: payloadOf(message, { reply: { id: reply.id, title } }) }
    case 'action':
      return { text: title, payload: wholePayload(message, message.content), action: reply.action }
    case 'foreign':
      return { text: title, payload: wholePayload(message, message.content) }
  }
}

function wholePayload(message: InboundMessage, content: InboundContent): JsonInput | null {
  return payloadOf(message, { content, raw: message.raw })
}

/** With what came around the message; null when there is nothing to keep. */
function payloadOf(message: InboundMessage, own: Readonly<Record<string, unknown>>): JsonInput | null {
  const { context, referral } = message
  const payload = {
    ...own,
    ...(context === null ? {} : { context }),
    ...(referral === null ? {} : { referral }),
  }
  return Object.keys(payload).length === 0 ? null : jsonInput(payload)
}
