import { z } from 'zod'
import { type Sql, type SqlReader, sql } from '../db/index.ts'
import type { Interval } from '../scheduling/types.ts'
import { asMilliseconds, fromMilliseconds } from './instants.ts'

const DAY_MS = 86_400_000

/** Longer than any shift before a start, and any service after it: what lies outside cannot matter to it. */
const REACH_MS = 5 * DAY_MS

/** What is taken, buffers included, by professional id. */
export type BlockedTimes = ReadonlyMap<string, readonly Interval[]>

export interface BlockedQuestion {
  readonly professionalIds: readonly string[]
  /** The starts in question lie between these instants (epoch milliseconds, both included). */
  readonly firstStart: number
  readonly lastStart: number
  /** An appointment that does not stand in its own way. */
  readonly exceptAppointmentId?: string | undefined
}

/** What {@link selectBlocked} gives. */
export const blockedColumn = z
  .array(z.tuple([z.string(), z.number(), z.number()]))
  .transform((rows): BlockedTimes => {
    const blocked = new Map<string, Interval[]>()
    for (const [professionalId, start, end] of rows) {
      const known = blocked.get(professionalId)
      if (known === undefined) blocked.set(professionalId, [{ start, end }])
      else known.push({ start, end })
    }
    return blocked
  })

const blockedRow = z.tuple([z.object({ blocked: blockedColumn })])

/** All reservations that can decide about the starts in question. */
export async function loadBlocked(reader: SqlReader, question: BlockedQuestion): Promise<BlockedTimes> {
  const rows = await reader.$queryRaw(sql`select ${selectBlocked(reader.tenantId, question)} as blocked`)
  return blockedRow.parse(rows)[0].blocked
}

/** As {@link loadBlocked}, as a piece of a larger query: one value, read by {@link blockedColumn}. */
export function selectBlocked(tenantId: string, question: BlockedQuestion): Sql {
  const { professionalIds, firstStart, lastStart, exceptAppointmentId = null } = question
  const reach = sql`tstzrange(${fromMilliseconds(firstStart - REACH_MS)}, ${fromMilliseconds(lastStart + REACH_MS)})`
  return sql`(select coalesce(json_agg(json_build_array(r.resource_id, ${asMilliseconds('r.blocked_from')},
      ${asMilliseconds('r.blocked_to')})), '[]')
    from reservations r
    where r.tenant_id = ${tenantId}::uuid and r.resource_id = any(${[...professionalIds]}::uuid[])
      and r.blocked && ${reach} and r.appointment_id is distinct from ${exceptAppointmentId}::uuid)`
}
