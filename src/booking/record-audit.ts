import { jsonInput, type Tx } from '../db/index.ts'
import { newId } from '../shared/ids.ts'
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

/** Every change of an appointment passes here, in the transaction that makes it. */
export async function recordAudit(tx: Tx, tenantId: string, entry: AuditEntry): Promise<void> {
  const { actor } = entry
  await tx.appointmentAudit.create({
    data: {
      tenantId,
      id: newId(),
      appointmentId: entry.appointmentId,
      actorKind: actor.kind,
      actorId: actor.kind === 'customer' ? actor.customerId : actor.staffId,
      action: entry.action,
      change: jsonInput(entry.change),
      at: new Date(entry.at),
    },
  })
}
