import type { FastifyPluginAsync } from 'fastify'
import type { ChatStore } from './chat-store.ts'
import type { ChatMessage } from './simulator-types.ts'

/**
 * The phones of several customers, against the product's real webhook: what a customer writes is posted as a
 * signed webhook, what the product sends (seen at the loopback Graph API) appears on the customer's phone, and
 * the phone answers with `sent`, `delivered` and, once the chat is looked at, `read`.
 */
export interface Simulator {
  /** Serves the page and its JSON API under `/simulator`. */
  readonly plugin: FastifyPluginAsync
  readonly businessName: string
  readonly store: ChatStore
  /** Resolves when the webhook answered; the message's status says how. New numbers get a phone. */
  sendText(phone: string, text: string, name?: string): Promise<ChatMessage>
  /** Taps a button or row. @throws AppError `unknown_option` */
  choose(phone: string, messageId: string, optionId: string): Promise<ChatMessage>
  /** Posts a failed message once more, with its own id. @throws AppError `unknown_message` */
  retry(phone: string, messageId: string): Promise<ChatMessage>
  /** The customer looks at the chat. */
  markRead(phone: string): Promise<void>
  /** Stops listening and waits for the statuses under way. */
  close(): Promise<void>
}
