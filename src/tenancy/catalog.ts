import { z } from 'zod'
import { type SqlReader, sql } from '../db/index.ts'
import type { HoursException, ServiceTiming, WeeklyHours } from '../scheduling/types.ts'
import { wallRangesColumn, weeklyHoursColumn } from './columns.ts'

/** What can be booked and with whom, in the order of the tenant document. Inactive entries are in it too. */
export interface Catalog {
  readonly services: readonly CatalogService[]
  readonly professionals: readonly CatalogProfessional[]
}

export interface CatalogService extends ServiceTiming {
  readonly id: string
  readonly key: string
  readonly name: string
  readonly description: string
  readonly priceCents: number | null
  readonly active: boolean
  readonly position: number
}

export interface CatalogProfessional {
  readonly id: string
  readonly key: string
  readonly name: string
  readonly active: boolean
  readonly position: number
  /** Ids of the services that this person does. */
  readonly serviceIds: ReadonlySet<string>
  readonly hours: readonly WeeklyHours[]
  /** Everyone's and this person's own, in document order. */
  readonly exceptions: readonly HoursException[]
}

const catalogRow = z.object({
  services: z.array(
    z.object({
      id: z.string(),
      key: z.string(),
      name: z.string(),
      description: z.string(),
      durationMinutes: z.int(),
      bufferBeforeMinutes: z.int(),
      bufferAfterMinutes: z.int(),
      priceCents: z.int().nullable(),
      active: z.boolean(),
      position: z.int(),
    }),
  ),
  professionals: z.array(
    z.object({
      id: z.string(),
      key: z.string(),
      name: z.string(),
      active: z.boolean(),
      position: z.int(),
      serviceIds: z.array(z.string()),
      hours: weeklyHoursColumn,
    }),
  ),
  exceptions: z.array(
    z.object({
      professionalId: z.string().nullable(),
      fromDate: z.string(),
      toDate: z.string(),
      hours: wallRangesColumn,
    }),
  ),
})

/** One query: every booking loads this, and six round trips cost more than all the rest of a booking. */
export async function loadCatalog(reader: SqlReader): Promise<Catalog> {
  const { tenantId } = reader
  const rows = await reader.$queryRaw(sql`select
    (select coalesce(json_agg(json_build_object('id', s.id, 'key', s.key, 'name', s.name,
        'description', s.description, 'durationMinutes', s.duration_minutes,
        'bufferBeforeMinutes', s.buffer_before_minutes, 'bufferAfterMinutes', s.buffer_after_minutes,
        'priceCents', s.price_cents, 'active', s.active, 'position', s.position)
        order by s.position, s.key), '[]')
      from services s where s.tenant_id = ${tenantId}::uuid) as services,
    (select coalesce(json_agg(json_build_object('id', p.id, 'key', p.key, 'name', p.name,
        'active', p.active, 'position', p.position,
        'serviceIds', (select coalesce(json_agg(l.service_id), '[]') from professional_services l
          where l.tenant_id = p.tenant_id and l.professional_id = p.id),
        'hours', (select coalesce(json_agg(json_build_object('weekdays', h.weekdays, 'from', h.from_minute,
            'to', h.to_minute) order by h.position), '[]')
          from shifts h where h.tenant_id = p.tenant_id and h.professional_id = p.id))
        order by p.position, p.key), '[]')
      from professionals p where p.tenant_id = ${tenantId}::uuid) as professionals,
    (select coalesce(json_agg(json_build_object('professionalId', e.professional_id,
        'fromDate', e.from_date, 'toDate', e.to_date, 'hours', e.hours) order by e.position), '[]')
      from schedule_exceptions e where e.tenant_id = ${tenantId}::uuid) as exceptions`)
  const { services, professionals, exceptions } = z.tuple([catalogRow]).parse(rows)[0]
  return {
    services,
    professionals: professionals.map((professional) => ({
      ...professional,
      serviceIds: new Set(professional.serviceIds),
      exceptions: exceptions
        .filter(({ professionalId }) => professionalId === null || professionalId === professional.id)
        .map(({ professionalId, ...exception }) => ({ own: professionalId !== null, ...exception })),
    })),
  }
}
