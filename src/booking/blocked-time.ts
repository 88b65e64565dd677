import type { Reader } from '../db/index.ts'
import type { Interval } from '../scheduling/types.ts'

const DAY_MS = 86_400_000

/** Longer than any shift before a start, and any service after it: what lies outside cannot matter to it. */
const REACH_MS = 5 * DAY_MS

export type BlockedTimes = ReadonlyMap<string, readonly Interval[]>

export interface BlockedQuestion {
  readonly professionalIds: readonly string[]
  /** The starts in question lie between these instants (epoch milliseconds, both included). */
  readonly firstStart: number
  readonly lastStart: number
  /** An appointment that does not stand in its own way. */
  readonly exceptAppointmentId?: string | undefined
}

/** What is taken, buffers included, by professional id: all that can decide about the starts in question. */
export async function loadBlocked(reader: Reader, question: BlockedQuestion): Promise<BlockedTimes> {
  const { professionalIds, firstStart, lastStart, exceptAppointmentId } = question
  const rows = await reader.reservation.findMany({
    where: {
      resourceId: { in: [...professionalIds] },
      blockedTo: { gt: new Date(firstStart - REACH_MS) },
      blockedFrom: { lt: new Date(lastStart + REACH_MS) },
      ...(exceptAppointmentId === undefined ? {} : { appointmentId: { not: exceptAppointmentId } }),
    },
    select: { resourceId: true, blockedFrom: true, blockedTo: true },
  })
  const blocked = new Map<string, Interval[]>(professionalIds.map((id) => [id, []]))
  for (const row of rows) {
    blocked.get(row.resourceId)?.push({ start: row.blockedFrom.getTime(), end: row.blockedTo.getTime() })
  }
  return blocked
}
