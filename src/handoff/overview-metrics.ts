import type { MetricsOverview } from '../contracts/dashboard-api.ts'
import { type HandoffModel, type Reader, sql } from '../db/index.ts'
import { addDays } from '../scheduling/civil-date.ts'
import { endOfDay, localDate, startOfDay } from '../scheduling/time-zone.ts'
import { type HandoffProfile, workingSeconds } from './first-reply-clock.ts'
import { percentiles, TAKE_OVERS } from './percentiles.ts'

type Figures = MetricsOverview['totals']

const DAY_MS = 24 * 60 * 60_000

/**
 * The figures of the local dates `from` to `to` (`YYYY-MM-DD`, both included), day by day and in all, and the
 * queue as it is at `now` (epoch ms). A conversation counts once a day, and once in all.
 */
export async function overviewMetrics(
  reader: Reader,
  input: {
    readonly profile: HandoffProfile
    readonly from: string
    readonly to: string
    readonly now: number
  },
): Promise<MetricsOverview> {
  const { profile, from, to, now } = input
  const { timeZone } = profile
  const span = { start: new Date(startOfDay(timeZone, from)), end: new Date(endOfDay(timeZone, to)) }
  const handoffs = await readHandoffs(reader, span, timeZone)
  const rows = await reader.run.findMany({
    where: { tenantId: reader.tenantId, startedAt: { gte: span.start, lt: span.end } },
    select: { conversationId: true, startedAt: true, costMicroUsd: true },
  })
  const runs = rows.map((row) => ({ ...row, date: localDate(timeZone, row.startedAt.getTime()) }))
  const counts = await readCounts(reader, span, timeZone)
  const facts = { profile, handoffs, runs, counts }
  const dates: string[] = []
  for (let date = from; date <= to; date = addDays(date, 1)) dates.push(date)
  return {
    days: dates.map((date) => ({ date, ...figuresOf(facts, (day) => day === date) })),
    totals: figuresOf(facts, () => true),
    queue: await queueNow(reader, now),
  }
}

interface Span {
  readonly start: Date
  readonly end: Date
}

interface Facts {
  readonly profile: HandoffProfile
  readonly handoffs: readonly HandoffWithReturn[]
  readonly runs: readonly { date: string; conversationId: string; costMicroUsd: bigint }[]
  readonly counts: readonly DayCounts[]
}

interface HandoffWithReturn extends HandoffModel {
  /** Local date of the request. */
  readonly date: string
  /** When the conversation came back from people the time before. */
  readonly returnedBefore: Date | null
}

interface DayCounts {
  readonly date: string
  readonly messagesIn: number
  readonly messagesOut: number
  readonly appointmentsBooked: number
}

function figuresOf({ profile, handoffs, runs, counts }: Facts, covers: (date: string) => boolean): Figures {
  const mine = handoffs.filter(({ date }) => covers(date))
  const myRuns = runs.filter(({ date }) => covers(date))
  const withPeople = new Set(mine.map(({ conversationId }) => conversationId))
  const answered = new Set(myRuns.map(({ conversationId }) => conversationId))
  const conversations = new Set([...answered, ...withPeople]).size
  const solvedByBot = [...answered].filter((id) => !withPeople.has(id)).length
  const sum = (figure: 'messagesIn' | 'messagesOut' | 'appointmentsBooked') =>
    counts.filter(({ date }) => covers(date)).reduce((total, day) => total + day[figure], 0)
  return {
    conversations,
    solvedByBot,
    botOnlyShare: conversations === 0 ? null : solvedByBot / conversations,
    handoffs: mine.length,
    rehandoffs: mine.filter(isRehandoff).length,
    firstReplySeconds: percentiles(mine.flatMap((handoff) => firstReplySeconds(handoff, profile) ?? [])),
    resolutionSeconds: percentiles(
      mine.flatMap(({ requestedAt, endedAt }) =>
        endedAt === null ? [] : [(endedAt.getTime() - requestedAt.getTime()) / 1_000],
      ),
    ),
    runs: myRuns.length,
    costUsd: Number(myRuns.reduce((total, { costMicroUsd }) => total + costMicroUsd, 0n)) / 1_000_000,
    messagesIn: sum('messagesIn'),
    messagesOut: sum('messagesOut'),
    appointmentsBooked: sum('appointmentsBooked'),
  }
}

function isRehandoff({ returnedBefore, requestedAt }: HandoffWithReturn): boolean {
  return returnedBefore !== null && requestedAt.getTime() - returnedBefore.getTime() < DAY_MS
}

function firstReplySeconds(handoff: HandoffModel, profile: HandoffProfile): number | null {
  const { reason, requestedAt, firstReplyAt } = handoff
  if (firstReplyAt === null || TAKE_OVERS.has(reason)) return null
  return workingSeconds(profile, requestedAt.getTime(), firstReplyAt.getTime())
}

async function readHandoffs(
  reader: Reader,
  { start, end }: Span,
  timeZone: string,
): Promise<HandoffWithReturn[]> {
  const { tenantId } = reader
  const handoffs = await reader.handoff.findMany({
    where: { tenantId, requestedAt: { gte: start, lt: end } },
    orderBy: { requestedAt: 'asc' },
  })
  const returned = await reader.handoff.findMany({
    where: { tenantId, endedAt: { gte: new Date(start.getTime() - DAY_MS), lt: end } },
    select: { id: true, conversationId: true, endedAt: true },
    orderBy: { endedAt: 'desc' },
  })
  const ends = new Map<string, { id: string; endedAt: Date }[]>()
  for (const { id, conversationId, endedAt } of returned) {
    if (endedAt !== null) ends.set(conversationId, [...(ends.get(conversationId) ?? []), { id, endedAt }])
  }
  return handoffs.map((handoff) => ({
    ...handoff,
    date: localDate(timeZone, handoff.requestedAt.getTime()),
    returnedBefore:
      ends
        .get(handoff.conversationId)
        ?.find(({ id, endedAt }) => id !== handoff.id && endedAt <= handoff.requestedAt)?.endedAt ?? null,
  }))
}

async function readCounts(reader: Reader, { start, end }: Span, timeZone: string): Promise<DayCounts[]> {
  const { tenantId } = reader
  const rows = await reader.$queryRaw<{ date: string; kind: keyof DayCounts; count: bigint }[]>(sql`
    select to_char(created_at at time zone ${timeZone}, 'YYYY-MM-DD') as date,
      case direction when 'in' then 'messagesIn' else 'messagesOut' end as kind, count(*) as count
    from messages
    where tenant_id = ${tenantId}::uuid and created_at >= ${start} and created_at < ${end}
      and direction in ('in', 'out') and status <> 'canceled'
    group by 1, 2
    union all
    select to_char(created_at at time zone ${timeZone}, 'YYYY-MM-DD'), 'appointmentsBooked', count(*)
    from appointments
    where tenant_id = ${tenantId}::uuid and created_at >= ${start} and created_at < ${end}
    group by 1`)
  return rows.map(({ date, kind, count }) => ({
    date,
    messagesIn: 0,
    messagesOut: 0,
    appointmentsBooked: 0,
    [kind]: Number(count),
  }))
}

async function queueNow(reader: Reader, now: number): Promise<MetricsOverview['queue']> {
  const { tenantId } = reader
  const [row] = await reader.$queryRaw<
    { depth: bigint; oldest: Date | null; overdue: bigint; assigned: bigint; unread: bigint }[]
  >(sql`select count(*) filter (where c.status = 'queued') as depth,
      min(c.queued_at) filter (where c.status = 'queued') as oldest,
      count(*) filter (where (c.status = 'queued' or h.first_reply_at is null)
        and h.first_reply_due_at < ${new Date(now)}) as overdue,
      count(*) filter (where c.status = 'assigned') as assigned,
      coalesce(sum(c.unread), 0) as unread
    from conversations c
    left join handoffs h on h.tenant_id = c.tenant_id and h.conversation_id = c.id and h.ended_at is null
    where c.tenant_id = ${tenantId}::uuid`)
  const oldest = row?.oldest ?? null
  return {
    depth: Number(row?.depth ?? 0),
    oldestWaitSeconds: oldest === null ? null : Math.max(0, Math.round((now - oldest.getTime()) / 1_000)),
    overdue: Number(row?.overdue ?? 0),
    assigned: Number(row?.assigned ?? 0),
    unread: Number(row?.unread ?? 0),
  }
}
