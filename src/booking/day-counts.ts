import { z } from 'zod'
import { type Reader, type Sql, sql } from '../db/index.ts'
import { endOfDay, startOfDay } from '../scheduling/time-zone.ts'
import { fromMilliseconds } from './instants.ts'

/** How many appointments each has on a local date, by professional id; who has none is not in it. */
export type DayCounts = ReadonlyMap<string, number>

export interface DayCountQuestion {
  readonly timeZone: string
  /** Local date `YYYY-MM-DD`. */
  readonly date: string
  readonly professionalIds: readonly string[]
}

/** What {@link selectDayCounts} gives. */
export const dayCountsColumn = z
  .record(z.string(), z.int())
  .transform((counts): DayCounts => new Map(Object.entries(counts)))

const dayCountsRow = z.tuple([z.object({ counts: dayCountsColumn })])

export async function loadDayCounts(reader: Reader, question: DayCountQuestion): Promise<DayCounts> {
  const rows = await reader.$queryRaw(sql`select ${selectDayCounts(reader.tenantId, question)} as counts`)
  return dayCountsRow.parse(rows)[0].counts
}

/** As {@link loadDayCounts}, as a piece of a larger query: one value, read by {@link dayCountsColumn}. */
export function selectDayCounts(
  tenantId: string,
  { timeZone, date, professionalIds }: DayCountQuestion,
): Sql {
  return sql`(select coalesce(json_object_agg(counted.professional_id, counted.count), '{}')
    from (select a.professional_id, count(*) from appointments a
      where a.tenant_id = ${tenantId}::uuid and a.professional_id = any(${[...professionalIds]}::uuid[])
        and a.status <> 'cancelled' and a.starts_at >= ${fromMilliseconds(startOfDay(timeZone, date))}
        and a.starts_at < ${fromMilliseconds(endOfDay(timeZone, date))}
      group by a.professional_id) as counted)`
}
