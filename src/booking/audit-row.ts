import { type Sql, sql } from '../db/index.ts'
import { newId } from '../shared/ids.ts'
import { fromMilliseconds } from './instants.ts'
import type { Actor } from './types.ts'

export type AuditAction = 'booked' | 'rescheduled' | 'confirmed' | 'completed' | 'no_show' | 'cancelled'

export interface AuditEntry {
  readonly appointmentId: string
  readonly actor: Actor
  readonly action: AuditAction
  /** What changed, `{ from, to }` by field; instants in RFC 3339, UTC. */
  readonly change: Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>
  /** Epoch milliseconds. */
  readonly at: number
}

/** The statement's last part: every change of an appointment is one statement that ends with it. */
export function auditRow(tenantId: string, entry: AuditEntry): Sql {
  const { actor } = entry
  const actorId = actor.kind === 'customer' ? actor.customerId : actor.staffId
  return sql`insert into appointment_audit (tenant_id, id, appointment_id, actor_kind, actor_id, action, change, at)
    values (${tenantId}::uuid, ${newId()}::uuid, ${entry.appointmentId}::uuid, ${actor.kind}, ${actorId}::uuid,
      ${entry.action}, ${JSON.stringify(entry.change)}::jsonb, ${fromMilliseconds(entry.at)})`
}
