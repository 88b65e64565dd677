/**
 * A turn that cannot be taken, for a fault of ours: the customer must not wait for ever, so a person gets the
 * conversation. Two ways lead here. The turn's job gives up in its last attempt, or earlier when the customer
 * has waited for long (each message of theirs gives the job all its attempts anew). And the sweep finds what
 * has no job any more, because a process died in its last attempt or giving up failed too.
 *
 * What the model and the run would say is not asked for: that may be what is broken.
 */
import { lockConversation } from '../conversations/conversation-row.ts'
import { writeOutbound } from '../conversations/outbox.ts'
import { type Reader, type Sql, sql, type Tx } from '../db/index.ts'
import { turnJobKey } from '../queue/job-definition.ts'
import { liveJob } from '../queue/queue-facts.ts'
import type { Clock } from '../shared/clock.ts'
import { cutText } from '../shared/cut-text.ts'
import type { HandoffReason } from '../shared/handoff-reason.ts'
import type { Locale } from '../shared/locale.ts'
import type { ConversationClock } from './conversation-clocks.ts'
import type { HandoffProfile } from './first-reply-clock.ts'
import { noticeText } from './notice-text.ts'
import { requestHandoff } from './request-handoff.ts'

/** How long a customer waits for turns that fail before a person gets the conversation. */
export const TURN_PATIENCE_MS = 5 * 60_000

export const GIVE_UP_REASON = 'model_error' satisfies HandoffReason

const SUMMARY: Readonly<Record<Locale, (said: string) => string>> = {
  'pt-BR': (said) =>
    `O assistente não conseguiu responder, por uma falha do sistema. O cliente escreveu: ${said}`,
  es: (said) => `El asistente no pudo responder por un fallo del sistema. El cliente escribió: ${said}`,
  en: (said) =>
    `The assistant could not answer, because of a fault of the system. The customer wrote: ${said}`,
}
const MOST_MESSAGES = 3
const MOST_CHARACTERS = 600

/**
 * Hands off (`model_error`) what has awaited a turn for long enough, with the one notice to the customer, and
 * ends an unfinished run as failed, which shuts out whoever holds it. Nothing happens, and the answer is false,
 * when nothing awaits a turn any more: it was answered, or people have it. So it may be called again.
 * @throws AppError `not_found`.
 */
export async function giveUpTurn(
  tx: Tx,
  input: {
    readonly conversationId: string
    readonly profile: HandoffProfile
    readonly clock: Clock
    /** What has waited for less is left alone; null: nothing is. */
    readonly patienceMs: number | null
  },
): Promise<boolean> {
  const { tenantId } = tx
  const { conversationId, profile, clock, patienceMs } = input
  const now = clock.now()
  const conversation = await lockConversation(tx, conversationId)
  if (conversation.status !== 'bot') return false
  const awaiting = await tx.message.findMany({
    where: { tenantId, conversationId, awaitsTurn: true },
    orderBy: { seq: 'asc' },
    select: { text: true, type: true, createdAt: true },
  })
  const first = awaiting[0]
  if (first === undefined) return false
  if (patienceMs !== null && now - first.createdAt.getTime() < patienceMs) return false
  const running = { tenantId, conversationId, status: 'running' }
  const run = await tx.run.findFirst({ where: running, select: { id: true } })
  await tx.run.updateMany({
    where: running,
    data: { status: 'failed', stopReason: 'given_up', finishedAt: new Date(now) },
  })
  const said = awaiting.slice(-MOST_MESSAGES).map(({ text, type }) => text ?? `[${type}]`)
  const queued = await requestHandoff(tx, {
    conversation,
    reason: GIVE_UP_REASON,
    summary: SUMMARY[profile.locale](cutText(said.join(' / '), MOST_CHARACTERS)),
    runId: run?.id ?? null,
    profile,
    clock,
  })
  await writeOutbound(tx, {
    conversation: queued.conversation,
    author: 'bot',
    content: { kind: 'text', text: noticeText(profile, now) },
    ownerEpoch: queued.conversation.ownerEpoch,
    clock,
  })
  return true
}

/** A conversation of the bot that awaits a turn for {@link TURN_PATIENCE_MS} and has no job that will take it. */
export const abandonedTurn: ConversationClock = {
  find: (reader, { now }, { after, limit }) =>
    abandoned(reader, now, sql`c.id > ${after}::uuid order by c.id limit ${limit}`),
  move: async (tx, conversationId, { profile, now }) => {
    await lockConversation(tx, conversationId)
    // A message may have come meanwhile, and its job with it.
    const still = await abandoned(tx, now, sql`c.id = ${conversationId}::uuid`)
    if (still.length === 0) return false
    const clock = { now: () => now }
    return giveUpTurn(tx, { conversationId, profile, clock, patienceMs: TURN_PATIENCE_MS })
  },
}

async function abandoned(reader: Reader, now: number, which: Sql): Promise<string[]> {
  const before = new Date(now - TURN_PATIENCE_MS).toISOString()
  const rows = await reader.$queryRaw<{ id: string }[]>(sql`
    select c.id from conversations c
    where c.tenant_id = ${reader.tenantId}::uuid and c.status = 'bot'
      and exists (
        select 1 from messages m
        where m.tenant_id = c.tenant_id and m.conversation_id = c.id and m.awaits_turn
          and m.created_at <= ${before}::timestamptz)
      and not ${liveJob(sql`${turnJobKey('')} || c.id::text`)}
      and ${which}`)
  return rows.map(({ id }) => id)
}
