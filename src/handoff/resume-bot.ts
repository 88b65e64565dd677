import { lockConversation } from '../conversations/conversation-row.ts'
import { changeOwner } from '../conversations/owner.ts'
import { awaitTurn } from '../conversations/record-inbound.ts'
import type { Tx } from '../db/index.ts'
import type { Clock } from '../shared/clock.ts'
import type { Locale } from '../shared/locale.ts'
import { endHandoff } from './handoff-row.ts'

/** What a customer who waits for a person sends to go on with the bot; the notice of a handoff names it. */
export const RESUME_WORD: Readonly<Record<Locale, string>> = {
  'pt-BR': 'assistente',
  es: 'asistente',
  en: 'assistant',
}

/** True when a message is the word and nothing else but case, marks and punctuation. */
export function asksForBot(locale: Locale, text: string | null): boolean {
  const word = (text ?? '').normalize('NFD').replace(/[^\p{L}\s]/gu, '')
  return word.trim().toLowerCase() === RESUME_WORD[locale]
}

/**
 * The customer would rather go on with the bot: a conversation that waits in the queue returns to it, and the
 * message that says so gets a turn. One that a person has already stays theirs.
 * @param input.messageId the message, already stored.
 * @returns whether the bot has it again.
 * @throws AppError `not_found`.
 */
export async function resumeBot(
  tx: Tx,
  input: {
    readonly conversationId: string
    readonly messageId: string
    readonly debounceMs: number
    readonly clock: Clock
  },
): Promise<boolean> {
  const { conversationId, messageId, debounceMs, clock } = input
  const now = clock.now()
  const conversation = await lockConversation(tx, conversationId)
  if (conversation.status !== 'queued') return false
  await changeOwner(tx, conversation, { kind: 'return_to_bot' })
  await endHandoff(tx, conversationId, 'returned', now)
  await awaitTurn(tx, { conversationId, messageId, now, debounceMs })
  return true
}
