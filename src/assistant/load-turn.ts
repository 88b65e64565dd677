import { z } from 'zod'
import type { ContentBlockParam, HistoryMessage } from '../agent/types.ts'
import { type ConversationModel, type CustomerModel, type Reader, sql } from '../db/index.ts'
import { instantToWall, localDate, startOfDay } from '../scheduling/time-zone.ts'
import type { TenantProfile } from '../tenancy/tenant-profile.ts'
import { historyWindow, type PastTurn } from './history-window.ts'
import type { ContextFacts } from './message-format.ts'
import type { SaidMessage } from './opening.ts'

/** Turns looked at for the history; a window of {@link historyWindow} never holds as many. */
const MOST_TURNS = 200
const MOST_NEW_MESSAGES = 100

export interface Past {
  readonly history: HistoryMessage[]
  /** Everything up to this message is in the history or was left out on purpose. */
  readonly reachedSeq: bigint
  readonly lastRunAt: Date | null
}

/**
 * What earlier runs left: their openings and what they added, byte for byte. A run that was overtaken before
 * it wrote anything left nothing, and what it should have answered comes again with the next opening.
 */
export async function loadPast(reader: Reader, conversationId: string): Promise<Past> {
  const rows = await reader.run.findMany({
    where: {
      tenantId: reader.tenantId,
      conversationId,
      status: { not: 'running' },
      finishedAt: { not: null },
    },
    orderBy: [{ startedAt: 'desc' }, { id: 'desc' }],
    take: MOST_TURNS,
    select: { opening: true, appended: true, uptoSeq: true, startedAt: true },
  })
  const kept = rows.filter((row) => row.appended !== null).toReversed()
  const turns = kept.map(
    (row): PastTurn => ({
      opening: { role: 'user', content: storedBlocks.parse(row.opening) },
      appended: storedMessages.parse(row.appended),
    }),
  )
  return {
    history: historyWindow(turns),
    reachedSeq: kept.at(-1)?.uptoSeq ?? 0n,
    lastRunAt: kept.at(-1)?.startedAt ?? null,
  }
}

/** What the customer and the staff said after `afterSeq`, up to and with `uptoSeq`, oldest first. */
export async function loadNewMessages(
  reader: Reader,
  conversationId: string,
  afterSeq: bigint,
  uptoSeq: bigint,
): Promise<SaidMessage[]> {
  const rows = await reader.message.findMany({
    where: {
      tenantId: reader.tenantId,
      conversationId,
      seq: { gt: afterSeq, lte: uptoSeq },
      OR: [{ direction: 'in' }, { direction: 'out', author: 'staff', status: { not: 'canceled' } }],
    },
    orderBy: { seq: 'desc' },
    take: MOST_NEW_MESSAGES,
    include: { media: true, quoted: { select: { direction: true, text: true } } },
  })
  return rows.toReversed()
}

/** Whether people had the conversation after the last run and gave it back. */
export async function wasReturned(
  reader: Reader,
  conversationId: string,
  since: Date | null,
): Promise<boolean> {
  const ended = await reader.handoff.count({
    where: {
      tenantId: reader.tenantId,
      conversationId,
      endedAt: since === null ? { not: null } : { gt: since },
    },
  })
  return ended > 0
}

/** The volatile facts of this moment. */
export async function loadFacts(
  reader: Reader,
  input: { profile: TenantProfile; conversation: ConversationModel; customer: CustomerModel; now: number },
): Promise<ContextFacts> {
  const { profile, customer, now } = input
  const appointments = await reader.appointment.findMany({
    where: {
      tenantId: reader.tenantId,
      customerId: customer.id,
      status: { in: ['booked', 'confirmed'] },
      startsAt: { gt: new Date(now) },
    },
    orderBy: { startsAt: 'asc' },
    take: 10,
    include: { service: { select: { name: true } }, professional: { select: { name: true } } },
  })
  return {
    now: instantToWall(profile.timeZone, now),
    timeZone: profile.timeZone,
    locale: profile.locale,
    customerName: customer.name,
    openAppointments: appointments.map(
      (row) =>
        `${row.code} ${row.service.name}, ${row.professional.name}, ${instantToWall(profile.timeZone, row.startsAt.getTime())}`,
    ),
  }
}

/** Micro-dollars that the tenant's runs, but for `exceptRunId`, cost since its local midnight. */
export async function costOfDay(
  reader: Reader,
  timeZone: string,
  now: number,
  exceptRunId: string,
): Promise<number> {
  const rows = await reader.$queryRaw<{ cost: bigint }[]>(sql`
    select coalesce(sum(cost_micro_usd), 0)::bigint as cost from runs
    where tenant_id = ${reader.tenantId}::uuid and started_at >= ${midnightOf(timeZone, now)} and id <> ${exceptRunId}::uuid`)
  return Number(rows[0]?.cost ?? 0n)
}

/** The beginning of the tenant's local day. */
export function midnightOf(timeZone: string, now: number): Date {
  return new Date(startOfDay(timeZone, localDate(timeZone, now)))
}

const storedBlocks = z.array(
  z.custom<ContentBlockParam>((value) => z.looseObject({ type: z.string() }).safeParse(value).success),
)
const storedMessages = z.array(z.object({ role: z.enum(['user', 'assistant']), content: storedBlocks }))

export { storedBlocks }
