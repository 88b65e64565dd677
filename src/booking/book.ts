import type { AppointmentDto } from '../contracts/staff-api.ts'
import type { Tx } from '../db/index.ts'
import { blockedInterval, MINUTE_MS } from '../scheduling/intervals.ts'
import { newCode, newId } from '../shared/ids.ts'
import type { CatalogProfessional } from '../tenancy/catalog.ts'
import { type AppointmentRow, toAppointmentDto } from './appointment-dto.ts'
import { chooseFree, rotationOf } from './choose-free.ts'
import { assertBelowLimit, assertCustomerFree, cleanForName } from './customer-rules.ts'
import { customerNotFound } from './errors.ts'
import type { Wish } from './explain-refusal.ts'
import { lockPeople } from './locks.ts'
import { recordAudit } from './record-audit.ts'
import { activeService, candidatesFor, instantOf } from './resolve.ts'
import { loadSetting } from './setting.ts'
import { type Actor, bookingLimits, type WantedStart } from './types.ts'
import { type BookingDependencies, type WriteProgress, writeAppointment } from './write-appointment.ts'

export interface BookInput {
  /** Key of the service. */
  readonly service: string
  /** Key of the professional; anybody who is free when left out. */
  readonly professional?: string | undefined
  readonly start: WantedStart
  /** For whom the staff books; a customer always books for themselves. */
  readonly customerId?: string | null | undefined
  /** The person who comes, when that is not the customer. */
  readonly forName?: string | null | undefined
  /** The staff may book outside the hours, on closed days and in the past. */
  readonly force?: boolean | undefined
  readonly idempotencyKey?: string | undefined
}

type Customer = AppointmentRow['customer']

/**
 * Books one appointment.
 * @throws DomainError any of scheduling's refusals, `unknown_service`, `unknown_professional`,
 *   `professional_does_not_do_service`, `limit_reached`, `customer_busy`, `not_found` (the customer),
 *   `idempotency_mismatch`
 */
export async function bookAppointment(
  dependencies: BookingDependencies,
  tenantId: string,
  actor: Actor,
  input: BookInput,
): Promise<AppointmentDto> {
  const customerId = actor.kind === 'customer' ? actor.customerId : (input.customerId ?? null)
  const forName = cleanForName(input.forName)
  const force = actor.kind === 'staff' && input.force === true
  const { service, professional = null, start, idempotencyKey } = input
  const request = { by: actor.kind, service, professional, start, customerId, forName, force }
  const idempotency =
    idempotencyKey === undefined
      ? null
      : { operation: 'book_appointment' as const, key: idempotencyKey, request }
  return writeAppointment(dependencies, tenantId, idempotency, async (tx, progress) => {
    const wish = await makeWish(tx, dependencies, actor, input, progress)
    await lockPeople(tx, tenantId, {
      professionalIds: wish.candidates.map(({ id }) => id),
      customerId,
    })
    const limits = force ? [bookingLimits(actor, false), bookingLimits(actor, true)] : [actor.kind]
    const chosen = await chooseFree(tx, wish, limits, rotationOf(customerId, wish.start))
    const customer = await checkCustomer(tx, wish, actor, customerId, forName)
    return insertAppointment(tx, tenantId, { wish, actor, chosen, customer, forName })
  })
}

async function makeWish(
  tx: Tx,
  { clock }: BookingDependencies,
  actor: Actor,
  input: BookInput,
  progress: WriteProgress,
): Promise<Wish> {
  const setting = await loadSetting(tx, clock)
  const service = activeService(setting, input.service)
  const candidates = candidatesFor(setting, service, input.professional)
  const start = instantOf(setting, input.start)
  const wish = { setting, service, candidates, start, limits: actor.kind }
  progress.wish = wish
  return wish
}

async function checkCustomer(
  tx: Tx,
  { setting, service, start }: Wish,
  actor: Actor,
  customerId: string | null,
  forName: string | null,
): Promise<Customer> {
  if (customerId === null) return null
  const customer = await tx.customer.findUnique({
    where: { tenantId_id: { tenantId: setting.profile.id, id: customerId } },
    select: { id: true, name: true, phone: true },
  })
  if (customer === null) throw customerNotFound(setting)
  if (actor.kind === 'customer') await assertBelowLimit(tx, setting, customerId)
  const time = { start, end: start + service.durationMinutes * MINUTE_MS }
  await assertCustomerFree(tx, setting, { customerId, forName, time })
  return customer
}

interface Decided {
  readonly wish: Wish
  readonly actor: Actor
  readonly chosen: CatalogProfessional
  readonly customer: Customer
  readonly forName: string | null
}

async function insertAppointment(
  tx: Tx,
  tenantId: string,
  { wish, actor, chosen, customer, forName }: Decided,
): Promise<AppointmentDto> {
  const { setting, service, start } = wish
  const now = new Date(setting.now)
  const row = {
    code: newCode(),
    status: 'booked',
    startsAt: new Date(start),
    endsAt: new Date(start + service.durationMinutes * MINUTE_MS),
    forName,
    priceCents: service.priceCents,
    source: actor.kind,
    createdAt: now,
  }
  const appointmentId = newId()
  await tx.appointment.create({
    data: {
      tenantId,
      id: appointmentId,
      customerId: customer?.id ?? null,
      professionalId: chosen.id,
      serviceId: service.id,
      ...row,
      updatedAt: now,
    },
    select: { id: true },
  })
  const blocked = blockedInterval(start, service)
  await tx.reservation.create({
    data: {
      tenantId,
      id: newId(),
      resourceId: chosen.id,
      appointmentId,
      blockedFrom: new Date(blocked.start),
      blockedTo: new Date(blocked.end),
    },
    select: { id: true },
  })
  await recordAudit(tx, tenantId, {
    appointmentId,
    actor,
    action: 'booked',
    change: { startsAt: { from: null, to: row.startsAt }, professional: { from: null, to: chosen.key } },
    at: setting.now,
  })
  return toAppointmentDto({ ...row, service, professional: chosen, customer }, setting.profile.timeZone)
}
