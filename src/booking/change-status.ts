/**
 * The states of an appointment: `booked → confirmed`; `booked | confirmed → completed | no_show | cancelled`.
 * All but `cancelled` block their time, and a cancelled one is never revived. Asking for the state that an
 * appointment has already changes nothing, but for `cancelled`, where the caller should know.
 */
import type { AppointmentDto, AppointmentStatus } from '../contracts/staff-api.ts'
import { type SqlTx, sql } from '../db/index.ts'
import { cutText } from '../shared/cut-text.ts'
import { storable } from '../shared/storable.ts'
import { toAppointmentDto } from './appointment-dto.ts'
import type { StoredAppointment } from './appointment-rows.ts'
import { auditRow } from './audit-row.ts'
import { alreadyCancelled, wrongState } from './errors.ts'
import { assertChangeable, holdAppointment } from './find-appointment.ts'
import { fromMilliseconds } from './instants.ts'
import { loadMoment, type Moment } from './setting.ts'
import type { Actor } from './types.ts'
import { type WriteDependencies, writeAppointment } from './write-appointment.ts'

export type StaffActor = Extract<Actor, { kind: 'staff' }>

export interface CancelInput {
  readonly code: string
  readonly reason?: string | null | undefined
  readonly idempotencyKey?: string | undefined
}

const MAX_REASON_LENGTH = 500

/**
 * Cancels an appointment and frees its time at once.
 * @throws DomainError `not_found`, `already_cancelled`, `wrong_state`, `change_too_late`, `idempotency_mismatch`
 */
export async function cancelAppointment(
  dependencies: WriteDependencies,
  tenantId: string,
  actor: Actor,
  { code, reason, idempotencyKey }: CancelInput,
): Promise<AppointmentDto> {
  const owner = actor.kind === 'customer' ? actor.customerId : null
  const cancelReason = cutText(storable(reason ?? '').trim(), MAX_REASON_LENGTH) || null
  const request = { by: actor.kind, owner, code, reason: cancelReason }
  const idempotency =
    idempotencyKey === undefined
      ? null
      : { operation: 'cancel_appointment' as const, key: idempotencyKey, request }
  return writeAppointment(dependencies, tenantId, idempotency, async (tx) => {
    const setting = await loadMoment(tx, dependencies.clock)
    const current = await holdAppointment(tx, tenantId, actor, code, setting.profile.locale)
    assertChangeable(setting, actor, current)
    return setStatus(tx, setting, actor, current, 'cancelled', cancelReason)
  })
}

/** @throws DomainError `not_found`, `already_cancelled`, `wrong_state` */
export function confirmAppointment(
  dependencies: WriteDependencies,
  tenantId: string,
  actor: Actor,
  code: string,
): Promise<AppointmentDto> {
  return moveTo(dependencies, tenantId, actor, code, 'confirmed')
}

/** The customer came. @throws DomainError `not_found`, `already_cancelled`, `wrong_state` */
export function completeAppointment(
  dependencies: WriteDependencies,
  tenantId: string,
  actor: StaffActor,
  code: string,
): Promise<AppointmentDto> {
  return moveTo(dependencies, tenantId, actor, code, 'completed')
}

/** The customer did not come. @throws DomainError `not_found`, `already_cancelled`, `wrong_state` */
export function markNoShow(
  dependencies: WriteDependencies,
  tenantId: string,
  actor: StaffActor,
  code: string,
): Promise<AppointmentDto> {
  return moveTo(dependencies, tenantId, actor, code, 'no_show')
}

async function moveTo(
  dependencies: WriteDependencies,
  tenantId: string,
  actor: Actor,
  code: string,
  status: 'confirmed' | 'completed' | 'no_show',
): Promise<AppointmentDto> {
  return writeAppointment(dependencies, tenantId, null, async (tx) => {
    const setting = await loadMoment(tx, dependencies.clock)
    const { locale, timeZone } = setting.profile
    const current = await holdAppointment(tx, tenantId, actor, code, locale)
    if (current.status === status) return toAppointmentDto(current, timeZone)
    if (current.status === 'cancelled') throw alreadyCancelled(locale)
    const isOpen = current.status === 'booked' || current.status === 'confirmed'
    if (!isOpen) throw wrongState(locale, current.status)
    return setStatus(tx, setting, actor, current, status, null)
  })
}

async function setStatus(
  tx: SqlTx,
  setting: Moment,
  actor: Actor,
  current: StoredAppointment,
  status: Exclude<AppointmentStatus, 'booked'>,
  reason: string | null,
): Promise<AppointmentDto> {
  const tenantId = setting.profile.id
  const isCancelled = status === 'cancelled'
  const audit = auditRow(tenantId, {
    appointmentId: current.id,
    actor,
    action: status,
    change: {
      status: { from: current.status, to: status },
      ...(reason === null ? {} : { reason: { from: null, to: reason } }),
    },
    at: setting.now,
  })
  await tx.$executeRaw(sql`with changed as (
      update appointments set status = ${status}, cancel_reason = ${reason},
        updated_at = ${fromMilliseconds(setting.now)}
      where tenant_id = ${tenantId}::uuid and id = ${current.id}::uuid),
    freed as (
      delete from reservations
      where ${isCancelled} and tenant_id = ${tenantId}::uuid and appointment_id = ${current.id}::uuid)
    ${audit}`)
  return toAppointmentDto({ ...current, status }, setting.profile.timeZone)
}
