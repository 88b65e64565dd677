import type { AppointmentDto } from '../contracts/staff-api.ts'
import { type SqlTx, sql } from '../db/index.ts'
import { blockedInterval, MINUTE_MS } from '../scheduling/intervals.ts'
import type { CatalogProfessional, CatalogService } from '../tenancy/catalog.ts'
import { toAppointmentDto } from './appointment-dto.ts'
import type { StoredAppointment } from './appointment-rows.ts'
import { auditRow } from './audit-row.ts'
import { chooseFree, rotationOf } from './choose-free.ts'
import { assertCustomerFree } from './customer-rules.ts'
import { unknownService } from './errors.ts'
import type { Wish } from './explain-refusal.ts'
import { assertChangeable, holdAppointment } from './find-appointment.ts'
import { fromMilliseconds } from './instants.ts'
import { lockPeople } from './locks.ts'
import { candidatesFor, instantOf, professionalsDoing } from './resolve.ts'
import { loadSetting, type Setting } from './setting.ts'
import { readSituation } from './situation.ts'
import { type Actor, bookingLimits, type WantedStart } from './types.ts'
import { type WriteDependencies, writeAppointment } from './write-appointment.ts'

export interface RescheduleInput {
  readonly code: string
  /** Left out: the time stays. */
  readonly start?: WantedStart | undefined
  /** Key. Left out: the professional stays; anybody, when that one no longer does the service. */
  readonly professional?: string | undefined
  readonly force?: boolean | undefined
  readonly idempotencyKey?: string | undefined
}

/**
 * Moves an appointment: the code stays, and it does not stand in its own way. The service's present
 * length counts, and the price stays as it was agreed.
 * @throws DomainError as booking, and `not_found`, `already_cancelled`, `wrong_state`, `change_too_late`
 */
export async function rescheduleAppointment(
  dependencies: WriteDependencies,
  tenantId: string,
  actor: Actor,
  input: RescheduleInput,
): Promise<AppointmentDto> {
  const { code, start = null, professional = null, idempotencyKey } = input
  const force = actor.kind === 'staff' && input.force === true
  const owner = actor.kind === 'customer' ? actor.customerId : null
  const request = { by: actor.kind, owner, code, start, professional, force }
  const idempotency =
    idempotencyKey === undefined
      ? null
      : { operation: 'reschedule_appointment' as const, key: idempotencyKey, request }
  return writeAppointment(dependencies, tenantId, idempotency, async (tx, progress) => {
    const setting = await loadSetting(tx, dependencies.clock)
    const current = await holdAppointment(tx, tenantId, actor, code, setting.profile.locale)
    assertChangeable(setting, actor, current)
    const wish = makeWish(setting, actor, input, current)
    progress.wish = wish
    if (isUnchanged(wish, current)) return toAppointmentDto(current, setting.profile.timeZone)
    await lockPeople(tx, tenantId, {
      professionalIds: wish.candidates.map(({ id }) => id),
      customerId: current.customerId,
    })
    const limits = force ? [bookingLimits(actor, false), bookingLimits(actor, true)] : [actor.kind]
    const situation = await readSituation(tx, wish, current.customerId)
    const chosen = await chooseFree(tx, wish, situation, limits, rotationOf(current.customerId, wish.start))
    const time = { start: wish.start, end: wish.start + wish.service.durationMinutes * MINUTE_MS }
    assertCustomerFree(setting, situation.held, { forName: current.forName, time })
    return moveAppointment(tx, tenantId, actor, { wish, current, chosen })
  })
}

function makeWish(setting: Setting, actor: Actor, input: RescheduleInput, seen: StoredAppointment): Wish {
  const service = setting.catalog.services.find(({ id }) => id === seen.serviceId)
  if (service === undefined) throw unknownService(setting)
  return {
    setting,
    service,
    candidates: candidatesOf(setting, service, input.professional, seen),
    start: input.start === undefined ? seen.startsAt.getTime() : instantOf(setting, input.start),
    limits: actor.kind,
    appointmentId: seen.id,
  }
}

function candidatesOf(
  setting: Setting,
  service: CatalogService,
  named: string | undefined,
  seen: StoredAppointment,
): readonly CatalogProfessional[] {
  if (named !== undefined) return candidatesFor(setting, service, named)
  const stays = professionalsDoing(setting, service).filter(({ id }) => id === seen.professionalId)
  return stays.length > 0 ? stays : candidatesFor(setting, service, undefined)
}

function isUnchanged(wish: Wish, current: StoredAppointment): boolean {
  return (
    wish.start === current.startsAt.getTime() &&
    wish.candidates.length === 1 &&
    wish.candidates[0]?.id === current.professionalId
  )
}

interface Move {
  readonly wish: Wish
  readonly current: StoredAppointment
  readonly chosen: CatalogProfessional
}

async function moveAppointment(
  tx: SqlTx,
  tenantId: string,
  actor: Actor,
  { wish, current, chosen }: Move,
): Promise<AppointmentDto> {
  const { setting, service, start } = wish
  const startsAt = new Date(start)
  const endsAt = new Date(start + service.durationMinutes * MINUTE_MS)
  const blocked = blockedInterval(start, service)
  const audit = auditRow(tenantId, {
    appointmentId: current.id,
    actor,
    action: 'rescheduled',
    change: {
      startsAt: { from: current.startsAt, to: startsAt },
      professional: { from: current.professional.key, to: chosen.key },
    },
    at: setting.now,
  })
  await tx.$executeRaw(sql`with moved as (
      update appointments set starts_at = ${fromMilliseconds(start)}, ends_at = ${fromMilliseconds(endsAt.getTime())},
        professional_id = ${chosen.id}::uuid, updated_at = ${fromMilliseconds(setting.now)}
      where tenant_id = ${tenantId}::uuid and id = ${current.id}::uuid),
    reserved as (
      update reservations set resource_id = ${chosen.id}::uuid,
        blocked_from = ${fromMilliseconds(blocked.start)}, blocked_to = ${fromMilliseconds(blocked.end)}
      where tenant_id = ${tenantId}::uuid and appointment_id = ${current.id}::uuid)
    ${audit}`)
  return toAppointmentDto({ ...current, startsAt, endsAt, professional: chosen }, setting.profile.timeZone)
}
