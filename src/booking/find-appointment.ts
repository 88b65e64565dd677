import { type SqlReader, type SqlTx, sql } from '../db/index.ts'
import type { Locale } from '../shared/locale.ts'
import { readAppointments, type StoredAppointment } from './appointment-rows.ts'
import { alreadyCancelled, appointmentNotFound, changeTooLate, wrongState } from './errors.ts'
import type { Moment } from './setting.ts'
import type { Actor } from './types.ts'

/**
 * The appointment behind a code, as far as the actor may see it.
 * @throws DomainError `not_found`: for a customer also when it is another customer's
 */
export async function findAppointment(
  reader: SqlReader,
  tenantId: string,
  actor: Actor,
  code: string,
  locale: Locale,
): Promise<StoredAppointment> {
  const [row] = await readAppointments(reader, tenantId, sql`a.code = ${cleanCode(code)}`, 1)
  if (row === undefined || !maySee(actor, row.customerId)) throw appointmentNotFound(locale)
  return row
}

/**
 * As {@link findAppointment}, and nobody else changes it until the transaction ends. Taken before
 * `lockPeople`: who holds a person's lock never waits for an appointment.
 */
export async function holdAppointment(
  tx: SqlTx,
  tenantId: string,
  actor: Actor,
  code: string,
  locale: Locale,
): Promise<StoredAppointment> {
  await tx.$queryRaw(
    sql`select id from appointments where tenant_id = ${tenantId}::uuid and code = ${cleanCode(code)} for update`,
  )
  return findAppointment(tx, tenantId, actor, code, locale)
}

/**
 * Whether it may still be moved or cancelled.
 * @throws DomainError `already_cancelled`, `wrong_state` (it is over), `change_too_late` (customers only)
 */
export function assertChangeable(setting: Moment, actor: Actor, appointment: StoredAppointment): void {
  const { locale, policy } = setting.profile
  if (appointment.status === 'cancelled') throw alreadyCancelled(locale)
  if (appointment.status === 'completed' || appointment.status === 'no_show') {
    throw wrongState(locale, appointment.status)
  }
  if (actor.kind === 'staff') return
  const leftMs = appointment.startsAt.getTime() - setting.now
  if (leftMs <= 0 || leftMs < policy.changeNoticeMinutes * 60_000) throw changeTooLate(setting)
}

function maySee(actor: Actor, customerId: string | null): boolean {
  return actor.kind === 'staff' || actor.customerId === customerId
}

/** A code as people type it. PostgreSQL takes no NUL character. */
function cleanCode(code: string): string {
  return code.replaceAll('\0', '').trim().toUpperCase()
}
