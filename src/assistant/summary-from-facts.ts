import type { Reader } from '../db/index.ts'
import { cutText } from '../shared/cut-text.ts'
import type { Locale } from '../shared/locale.ts'
import type { Turn } from './begin-turn.ts'
import { loadFacts } from './load-turn.ts'

const MOST_WORDS = 600

const WORDS: Record<Locale, { wrote: string; did: string; failed: string; open: string; nothing: string }> = {
  'pt-BR': {
    wrote: 'O cliente escreveu',
    did: 'Feito neste atendimento',
    failed: 'Tentado sem sucesso',
    open: 'Horários marcados',
    nothing: 'nenhum',
  },
  es: {
    wrote: 'El cliente escribió',
    did: 'Hecho en esta atención',
    failed: 'Intentado sin éxito',
    open: 'Citas reservadas',
    nothing: 'ninguna',
  },
  en: {
    wrote: 'The customer wrote',
    did: 'Done in this conversation',
    failed: 'Tried without success',
    open: 'Open appointments',
    nothing: 'none',
  },
}

/**
 * The summary for the person who takes over when the model wrote none: the customer's last words, what the run
 * did and what it failed at, and the appointments that stand. From the database, never a second model call.
 */
export async function summaryFromFacts(reader: Reader, turn: Turn): Promise<string> {
  const { tenantId } = reader
  const words = WORDS[turn.profile.locale]
  const messages = await reader.message.findMany({
    where: {
      tenantId,
      conversationId: turn.conversation.id,
      direction: 'in',
      seq: { lte: turn.run.uptoSeq },
    },
    orderBy: { seq: 'desc' },
    take: 3,
    select: { text: true, type: true },
  })
  const said = messages
    .toReversed()
    .map((message) => message.text ?? `[${message.type}]`)
    .join(' / ')
  const calls = await reader.toolCall.findMany({
    where: { tenantId, runId: turn.run.id, effect: { in: ['read', 'write'] } },
    orderBy: { startedAt: 'asc' },
    select: { name: true, outcome: true },
  })
  const names = (wanted: (outcome: string | null) => boolean) =>
    [...new Set(calls.filter((call) => wanted(call.outcome)).map((call) => call.name))].join(', ')
  const facts = await loadFacts(reader, { ...turn, now: turn.run.startedAt.getTime() })
  const lines = [
    `${words.wrote}: ${cutText(said, MOST_WORDS)}`,
    [words.did, names((outcome) => outcome === 'ok')],
    [words.failed, names((outcome) => outcome !== 'ok')],
    `${words.open}: ${facts.openAppointments.join('; ') || words.nothing}`,
  ]
  return lines
    .flatMap((line) => (typeof line === 'string' ? [line] : line[1] === '' ? [] : [line.join(': ')]))
    .join('\n')
}
