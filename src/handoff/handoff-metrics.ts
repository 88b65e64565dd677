import { handoffReasonSchema } from '../contracts/staff-api.ts'
import { type HandoffModel, type Reader, sql } from '../db/index.ts'
import { endOfDay, localDate, startOfDay } from '../scheduling/time-zone.ts'
import type { HandoffReason } from '../shared/handoff-reason.ts'
import { type HandoffProfile, workingSeconds } from './first-reply-clock.ts'
import { type Percentiles, percentiles, TAKE_OVERS } from './percentiles.ts'

export interface HandoffMetrics {
  /** By local date of the request, then reason; combinations without a handoff are left out. */
  readonly items: readonly { readonly date: string; readonly reason: HandoffReason; readonly count: number }[]
  /** Working time from the request to the first reply; without take-overs, where nobody waited. */
  readonly firstReplySeconds: Percentiles
  /** From the request to the end, by the clock on the wall. */
  readonly resolutionSeconds: Percentiles
  /** Share, 0 to 1, of the conversations that somebody answered in, in which no person had to; null without any. */
  readonly botOnlyShare: number | null
}

/** How the handoffs requested on the local dates `from` to `to` went, both included (`YYYY-MM-DD`). */
export async function handoffMetrics(
  reader: Reader,
  input: { readonly profile: HandoffProfile; readonly from: string; readonly to: string },
): Promise<HandoffMetrics> {
  const { profile, from, to } = input
  const start = new Date(startOfDay(profile.timeZone, from))
  const end = new Date(endOfDay(profile.timeZone, to))
  const handoffs = await reader.handoff.findMany({
    where: { tenantId: reader.tenantId, requestedAt: { gte: start, lt: end } },
    orderBy: { requestedAt: 'asc' },
  })
  return {
    items: countByDay(handoffs, profile.timeZone),
    firstReplySeconds: percentiles(
      handoffs.flatMap(({ reason, requestedAt, firstReplyAt }) =>
        firstReplyAt === null || TAKE_OVERS.has(reason)
          ? []
          : [workingSeconds(profile, requestedAt.getTime(), firstReplyAt.getTime())],
      ),
    ),
    resolutionSeconds: percentiles(
      handoffs.flatMap(({ requestedAt, endedAt }) =>
        endedAt === null ? [] : [(endedAt.getTime() - requestedAt.getTime()) / 1_000],
      ),
    ),
    botOnlyShare: await botOnlyShare(reader, start, end),
  }
}

function countByDay(handoffs: readonly HandoffModel[], timeZone: string): HandoffMetrics['items'] {
  const counts = new Map<string, { date: string; reason: HandoffReason; count: number }>()
  for (const handoff of handoffs) {
    const date = localDate(timeZone, handoff.requestedAt.getTime())
    const reason = handoffReasonSchema.parse(handoff.reason)
    const key = `${date} ${reason}`
    const counted = counts.get(key) ?? { date, reason, count: 0 }
    counted.count += 1
    counts.set(key, counted)
  }
  return [...counts.entries()]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, counted]) => counted)
}

async function botOnlyShare(reader: Reader, start: Date, end: Date): Promise<number | null> {
  const [counted] = await reader.$queryRaw<{ answered: bigint; alone: bigint }[]>(sql`
    with answered as (
      select conversation_id from runs
      where tenant_id = ${reader.tenantId}::uuid and started_at >= ${start} and started_at < ${end}
      union
      select conversation_id from handoffs
      where tenant_id = ${reader.tenantId}::uuid and requested_at >= ${start} and requested_at < ${end}
    )
    select count(*) as answered, count(*) filter (where not exists (
      select 1 from handoffs h
      where h.tenant_id = ${reader.tenantId}::uuid and h.conversation_id = a.conversation_id
        and h.requested_at >= ${start} and h.requested_at < ${end}
    )) as alone
    from answered a`)
  if (counted === undefined || counted.answered === 0n) return null
  return Number(counted.alone) / Number(counted.answered)
}
