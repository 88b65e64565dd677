import type { AppointmentDto } from '../contracts/staff-api.ts'
import { type SqlTx, sql, type Tx } from '../db/index.ts'
import { blockedInterval, MINUTE_MS } from '../scheduling/intervals.ts'
import { newCode, newId } from '../shared/ids.ts'
import type { CatalogProfessional } from '../tenancy/catalog.ts'
import { type AppointmentRow, toAppointmentDto } from './appointment-dto.ts'
import { auditRow } from './audit-row.ts'
import { chooseFree, rotationOf } from './choose-free.ts'
import { assertBelowLimit, assertCustomerFree, cleanForName } from './customer-rules.ts'
import { customerNotFound } from './errors.ts'
import type { Wish } from './explain-refusal.ts'
import { fromMilliseconds } from './instants.ts'
import { lockPeople } from './locks.ts'
import { activeService, candidatesFor, instantOf } from './resolve.ts'
import type { Setting } from './setting.ts'
import { readSituation, type Situation } from './situation.ts'
import { type Actor, bookingLimits, type WantedStart } from './types.ts'
import {
  type WriteDependencies,
  type WriteProgress,
  writeAppointment,
  writeAppointmentBeside,
} from './write-appointment.ts'

/** Somebody who may not be a customer yet, and becomes one only when the booking succeeds. */
export interface NewCustomer {
  /** Who they are said to be; a part of what a replay is compared with. */
  readonly claim: Readonly<Record<string, string>>
  /** Finds or makes them in the booking's transaction; gives the customer's id. */
  readonly resolve: (tx: Tx) => Promise<string>
}

export interface BookInput {
  /** Key of the service. */
  readonly service: string
  /** Key of the professional; anybody who is free when left out. */
  readonly professional?: string | undefined
  readonly start: WantedStart
  /** For whom the staff books: the id, or somebody new. A customer always books for themselves. */
  readonly customer?: string | NewCustomer | null | undefined
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
  dependencies: WriteDependencies,
  tenantId: string,
  actor: Actor,
  input: BookInput,
): Promise<AppointmentDto> {
  const wanted = actor.kind === 'customer' ? actor.customerId : (input.customer ?? null)
  const forName = cleanForName(input.forName)
  const force = actor.kind === 'staff' && input.force === true
  const { service, professional = null, start, idempotencyKey } = input
  const who = typeof wanted === 'object' ? (wanted?.claim ?? null) : wanted
  const request = { by: actor.kind, service, professional, start, customer: who, forName, force }
  const idempotency =
    idempotencyKey === undefined
      ? null
      : { operation: 'book_appointment' as const, key: idempotencyKey, request }
  const bookFor = async (tx: SqlTx, progress: WriteProgress, findCustomer: () => Promise<string | null>) => {
    const wish = await dependencies.settings.resolve(tx, (setting) => makeWish(setting, actor, input))
    progress.wish = wish
    const customerId = await findCustomer()
    await lockPeople(tx, tenantId, {
      professionalIds: wish.candidates.map(({ id }) => id),
      customerId,
    })
    const situation = await readSituation(tx, wish, customerId)
    const limits = force ? [bookingLimits(actor, false), bookingLimits(actor, true)] : [actor.kind]
    const chosen = await chooseFree(tx, wish, situation, limits, rotationOf(customerId, wish.start))
    if (customerId !== null) assertMayBook(wish, situation, actor, forName)
    return insertAppointment(tx, tenantId, { wish, actor, chosen, customer: situation.customer, forName })
  }
  if (typeof wanted === 'object' && wanted !== null) {
    return writeAppointmentBeside(dependencies, tenantId, idempotency, (tx, progress) =>
      bookFor(tx, progress, () => wanted.resolve(tx)),
    )
  }
  return writeAppointment(dependencies, tenantId, idempotency, (tx, progress) =>
    bookFor(tx, progress, async () => wanted),
  )
}

function makeWish(setting: Setting, actor: Actor, input: BookInput): Wish {
  const service = activeService(setting, input.service)
  const candidates = candidatesFor(setting, service, input.professional)
  return { setting, service, candidates, start: instantOf(setting, input.start), limits: actor.kind }
}

function assertMayBook(
  { setting, service, start }: Wish,
  { customer, held }: Situation,
  actor: Actor,
  forName: string | null,
): void {
  if (customer === null) throw customerNotFound(setting)
  if (actor.kind === 'customer') assertBelowLimit(setting, held)
  const time = { start, end: start + service.durationMinutes * MINUTE_MS }
  assertCustomerFree(setting, held, { forName, time })
}

interface Decided {
  readonly wish: Wish
  readonly actor: Actor
  readonly chosen: CatalogProfessional
  readonly customer: Customer
  readonly forName: string | null
}

/** The appointment, its time and the audit of it, in one statement. */
async function insertAppointment(
  tx: SqlTx,
  tenantId: string,
  { wish, actor, chosen, customer, forName }: Decided,
): Promise<AppointmentDto> {
  const { setting, service, start } = wish
  const appointmentId = newId()
  const code = newCode()
  const endsAt = start + service.durationMinutes * MINUTE_MS
  const blocked = blockedInterval(start, service)
  const now = fromMilliseconds(setting.now)
  const audit = auditRow(tenantId, {
    appointmentId,
    actor,
    action: 'booked',
    change: {
      startsAt: { from: null, to: new Date(start) },
      professional: { from: null, to: chosen.key },
    },
    at: setting.now,
  })
  await tx.$executeRaw(sql`with appointment as (
      insert into appointments (tenant_id, id, code, customer_id, professional_id, service_id, status,
        starts_at, ends_at, for_name, price_cents, source, created_at, updated_at)
      values (${tenantId}::uuid, ${appointmentId}::uuid, ${code}, ${customer?.id ?? null}::uuid,
        ${chosen.id}::uuid, ${service.id}::uuid, 'booked', ${fromMilliseconds(start)},
        ${fromMilliseconds(endsAt)}, ${forName}, ${service.priceCents}::int, ${actor.kind}, ${now}, ${now})),
    reservation as (
      insert into reservations (tenant_id, id, resource_id, appointment_id, blocked_from, blocked_to)
      values (${tenantId}::uuid, ${newId()}::uuid, ${chosen.id}::uuid, ${appointmentId}::uuid,
        ${fromMilliseconds(blocked.start)}, ${fromMilliseconds(blocked.end)}))
    ${audit}`)
  const row: AppointmentRow = {
    code,
    status: 'booked',
    startsAt: new Date(start),
    endsAt: new Date(endsAt),
    forName,
    priceCents: service.priceCents,
    source: actor.kind,
    createdAt: new Date(setting.now),
    service,
    professional: chosen,
    customer,
  }
  return toAppointmentDto(row, setting.profile.timeZone)
}
