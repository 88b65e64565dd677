import { z } from 'zod'
import { type Sql, type SqlTx, sql } from '../db/index.ts'
import { MINUTE_MS } from '../scheduling/intervals.ts'
import { localDate } from '../scheduling/time-zone.ts'
import { blockedColumn, selectBlocked } from './blocked-time.ts'
import { dayCountsColumn, selectDayCounts } from './day-counts.ts'
import { NEAR_MS, type Wish } from './explain-refusal.ts'
import { asMilliseconds, fromMilliseconds } from './instants.ts'

const customerColumn = z.object({ id: z.string(), name: z.string().nullable(), phone: z.string().nullable() })
const heldColumn = z.object({
  code: z.string(),
  isActive: z.boolean(),
  start: z.number(),
  end: z.number(),
  forName: z.string().nullable(),
})
const situationColumns = z.object({
  version: z.int(),
  blocked: blockedColumn,
  counts: dayCountsColumn,
  customer: customerColumn.nullable(),
  held: z.array(heldColumn),
})
const situationRows = z.tuple([situationColumns])

/**
 * All that decides about a wish beside the tenant's setting: what other bookings change. `blocked` holds what
 * can matter to starts within {@link NEAR_MS} of the wanted one.
 */
export type Situation = z.infer<typeof situationColumns>

/**
 * A customer's appointment that overlaps the wanted time, or is active: `booked` or `confirmed`, and still
 * to come. `start` and `end` without buffers, epoch milliseconds.
 */
export type HeldAppointment = z.infer<typeof heldColumn>

/** The setting that a write was decided on is not the tenant's any more. */
export class SettingChanged extends Error {
  constructor() {
    super('the tenant document changed under a booking')
  }
}

/**
 * Reads the situation in one query. Call it under the locks of `lockPeople`, as a statement after theirs: a
 * statement sees what was committed before it began, not before its own lock was granted.
 * @throws SettingChanged
 */
export async function readSituation(tx: SqlTx, wish: Wish, customerId: string | null): Promise<Situation> {
  const { setting, candidates, start, appointmentId } = wish
  const { id: tenantId, timeZone, version } = setting.profile
  const professionalIds = candidates.map(({ id }) => id)
  const blocked = selectBlocked(tenantId, {
    professionalIds,
    firstStart: start - NEAR_MS,
    lastStart: start + NEAR_MS,
    exceptAppointmentId: appointmentId,
  })
  const date = localDate(timeZone, start)
  const counts =
    candidates.length > 1 ? selectDayCounts(tenantId, { timeZone, date, professionalIds }) : sql`json '{}'`
  const rows = await tx.$queryRaw(sql`select t.version, ${blocked} as blocked, ${counts} as counts,
      (select json_build_object('id', c.id, 'name', c.name, 'phone', c.phone) from customers c
        where c.tenant_id = t.id and c.id = ${customerId}::uuid) as customer,
      ${selectHeld(wish, customerId)} as held
    from tenants t where t.id = ${tenantId}::uuid`)
  const situation = situationRows.parse(rows)[0]
  if (situation.version !== version) throw new SettingChanged()
  return situation
}

function selectHeld({ setting, service, start, appointmentId }: Wish, customerId: string | null): Sql {
  const end = start + service.durationMinutes * MINUTE_MS
  const isActive = sql`(a.status in ('booked', 'confirmed') and a.starts_at > ${fromMilliseconds(setting.now)})`
  return sql`(select coalesce(json_agg(json_build_object('code', a.code, 'isActive', ${isActive},
        'start', ${asMilliseconds('a.starts_at')}, 'end', ${asMilliseconds('a.ends_at')},
        'forName', a.for_name) order by a.starts_at), '[]')
      from appointments a
      where a.tenant_id = t.id and a.customer_id = ${customerId}::uuid and a.status <> 'cancelled'
        and a.id is distinct from ${appointmentId ?? null}::uuid
        and (${isActive} or (a.starts_at < ${fromMilliseconds(end)} and a.ends_at > ${fromMilliseconds(start)})))`
}
