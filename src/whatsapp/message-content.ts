import { type JsonInput, jsonInput } from '../db/index.ts'
import { decodeReplyId } from './action-id.ts'
import type { InboundMessage } from './webhook-types.ts'

/** One inbound message as the conversation keeps it. */
export interface StoredContent {
  /** Meta's type word. */
  readonly type: string
  /** What a person reads; null where the message has no words. */
  readonly text: string | null
  /** `reply` for a tapped choice of ours (id without its wire prefix, title); `raw` for everything but text. */
  readonly payload: JsonInput | null
  /** Whether the bot owes it an answer. */
  readonly startsTurn: boolean
}

/**
 * Reads a message for storing. Words and taps start a turn; every other type is kept for people, whole.
 * A tapped id counts as a choice of the model's only with the prefix that such ids are sent with.
 * @param actionSecret what the product's own action ids are signed with.
 */
export function messageContent(message: InboundMessage, actionSecret: string): StoredContent {
  const { content, type } = message
  const raw = jsonInput({ raw: message.raw })
  switch (content.type) {
    case 'text':
      return { type, text: content.body, payload: null, startsTurn: true }
    case 'button_reply':
    case 'list_reply':
      return tapped(message, content.id, content.title, actionSecret)
    case 'template_button':
      return tapped(message, content.payload ?? '', content.text, actionSecret)
    case 'flow_reply':
      return { type, text: content.body ?? content.name, payload: raw, startsTurn: true }
    case 'image':
    case 'document':
    case 'audio':
    case 'video':
    case 'sticker':
      return { type, text: content.caption ?? content.filename, payload: raw, startsTurn: false }
    case 'contacts':
      return {
        type,
        text: content.contacts.map((contact) => contact.name ?? contact.phones.join(', ')).join('; ') || null,
        payload: raw,
        startsTurn: false,
      }
    case 'location':
      return { type, text: content.name ?? content.address, payload: raw, startsTurn: false }
    case 'order':
      return { type, text: content.text, payload: raw, startsTurn: false }
    case 'system':
      return { type, text: content.body, payload: raw, startsTurn: false }
    case 'reaction':
    case 'edit':
    case 'revoke':
    case 'unsupported':
    case 'unknown':
      return { type, text: null, payload: raw, startsTurn: false }
  }
}

function tapped(message: InboundMessage, wireId: string, title: string, secret: string): StoredContent {
  const reply = decodeReplyId(wireId, secret)
  const payload = reply.kind === 'choice' ? { reply: { id: reply.id, title } } : { raw: message.raw }
  return { type: message.type, text: title, payload: jsonInput(payload), startsTurn: true }
}
