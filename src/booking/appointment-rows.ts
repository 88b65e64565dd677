import { z } from 'zod'
import { type Sql, type SqlReader, sql } from '../db/index.ts'
import type { AppointmentRow } from './appointment-dto.ts'

/** An appointment with what it points at. */
export interface StoredAppointment extends AppointmentRow {
  readonly id: string
  readonly customerId: string | null
  readonly professionalId: string
  readonly serviceId: string
}

const keyed = z.object({ key: z.string(), name: z.string() })
const storedAppointment = z.object({
  id: z.string(),
  customerId: z.string().nullable(),
  professionalId: z.string(),
  serviceId: z.string(),
  code: z.string(),
  status: z.string(),
  startsAt: z.date(),
  endsAt: z.date(),
  forName: z.string().nullable(),
  priceCents: z.int().nullable(),
  source: z.string(),
  createdAt: z.date(),
  service: keyed,
  professional: keyed,
  customer: z
    .object({ id: z.string(), name: z.string().nullable(), phone: z.string().nullable() })
    .nullable(),
})

/**
 * The tenant's appointments that meet `condition` (about `appointments a`), by start, in one query.
 */
export async function readAppointments(
  reader: SqlReader,
  tenantId: string,
  condition: Sql,
  limit: number,
): Promise<StoredAppointment[]> {
  const rows = await reader.$queryRaw(sql`select a.id, a.customer_id as "customerId",
      a.professional_id as "professionalId", a.service_id as "serviceId", a.code, a.status,
      a.starts_at as "startsAt", a.ends_at as "endsAt", a.for_name as "forName",
      a.price_cents as "priceCents", a.source, a.created_at as "createdAt",
      json_build_object('key', s.key, 'name', s.name) as service,
      json_build_object('key', p.key, 'name', p.name) as professional,
      case when c.id is not null then json_build_object('id', c.id, 'name', c.name, 'phone', c.phone) end
        as customer
    from appointments a
    join services s on s.tenant_id = a.tenant_id and s.id = a.service_id
    join professionals p on p.tenant_id = a.tenant_id and p.id = a.professional_id
    left join customers c on c.tenant_id = a.tenant_id and c.id = a.customer_id
    where a.tenant_id = ${tenantId}::uuid and ${condition}
    order by a.starts_at, a.id
    limit ${limit}`)
  return z.array(storedAppointment).parse(rows)
}
