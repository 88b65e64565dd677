/**
 * What nobody here can read: a voice note without a transcript, a kind of message that WhatsApp does not pass
 * on, one that this version does not know. When nothing else waits for an answer there is nothing for a model
 * to do: the customer is asked to write, once until they do. A further voice note goes to a person, since
 * somebody who talks again will not write; a further one of the other kinds waits in the thread.
 */
import { writeOutbound } from '../conversations/outbox.ts'
import { markAnswered } from '../conversations/unread.ts'
import type { ConversationModel, MessageModel, Tx } from '../db/index.ts'
import { noticeText } from '../handoff/notice-text.ts'
import { requestHandoff } from '../handoff/request-handoff.ts'
import type { Clock } from '../shared/clock.ts'
import type { Locale } from '../shared/locale.ts'
import { loadTenantProfile } from '../tenancy/tenant-profile.ts'
import { isUnreadable } from './opening.ts'

const ASK: Readonly<Record<Locale, { voice: string; other: string; summary: string }>> = {
  'pt-BR': {
    voice: 'Ainda não consigo ouvir áudios por aqui. Você pode escrever, por favor?',
    other: 'Não consegui abrir essa mensagem por aqui. Você pode escrever, por favor?',
    summary: 'O cliente enviou áudio de novo depois de receber o pedido para escrever.',
  },
  es: {
    voice: 'Todavía no puedo escuchar audios por aquí. ¿Puede escribirlo, por favor?',
    other: 'No pude abrir ese mensaje por aquí. ¿Puede escribirlo, por favor?',
    summary: 'El cliente envió otro audio después de que se le pidiera escribir.',
  },
  en: {
    voice: 'I cannot listen to voice messages here yet. Could you write it, please?',
    other: 'I could not open that message here. Could you write it, please?',
    summary: 'The customer sent another voice message after being asked to write.',
  },
}

/** What was done about messages that nobody here can read. */
export type Settled = 'asked' | 'waiting' | 'handed_off'

/**
 * Under the conversation's lock, while the bot has it and no run of it is unfinished.
 * @param input.awaiting the messages that await a turn, oldest first; at least one.
 * @returns null when a turn is to be taken as ever, since some of them can be read.
 */
export async function settleUnreadable(
  tx: Tx,
  input: {
    readonly conversation: ConversationModel
    readonly awaiting: readonly MessageModel[]
    readonly clock: Clock
  },
): Promise<Settled | null> {
  const { tenantId } = tx
  const { conversation, awaiting, clock } = input
  const newest = awaiting.at(-1)
  if (newest === undefined || !awaiting.every(isUnreadable)) return null
  const talks = awaiting.some(({ type }) => type === 'audio' || type === 'voice')
  if (conversation.textAskedAt === null) {
    await ask(tx, conversation, newest, { talks, clock })
    return 'asked'
  }
  if (talks) {
    await handOff(tx, conversation, clock)
    return 'handed_off'
  }
  await tx.message.updateMany({
    where: { tenantId, conversationId: conversation.id, awaitsTurn: true },
    data: { awaitsTurn: false },
  })
  return 'waiting'
}

async function ask(
  tx: Tx,
  conversation: ConversationModel,
  newest: MessageModel,
  { talks, clock }: { talks: boolean; clock: Clock },
): Promise<void> {
  const { locale } = await loadTenantProfile(tx)
  const now = clock.now()
  const text = talks ? ASK[locale].voice : ASK[locale].other
  await writeOutbound(tx, {
    conversation,
    author: 'bot',
    content: { kind: 'text', text },
    ownerEpoch: conversation.ownerEpoch,
    clock,
  })
  await tx.conversation.update({
    where: { tenantId_id: { tenantId: tx.tenantId, id: conversation.id } },
    data: { textAskedAt: new Date(now) },
  })
  await markAnswered(tx, { conversationId: conversation.id, uptoSeq: newest.seq, now })
}

async function handOff(tx: Tx, conversation: ConversationModel, clock: Clock): Promise<void> {
  const profile = await loadTenantProfile(tx)
  const queued = await requestHandoff(tx, {
    conversation,
    reason: 'unsupported_message',
    summary: ASK[profile.locale].summary,
    runId: null,
    profile,
    clock,
  })
  await writeOutbound(tx, {
    conversation: queued.conversation,
    author: 'bot',
    content: { kind: 'text', text: noticeText(profile, clock.now()) },
    ownerEpoch: queued.conversation.ownerEpoch,
    clock,
  })
}
