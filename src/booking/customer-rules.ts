import type { Reader } from '../db/index.ts'
import type { Interval } from '../scheduling/types.ts'
import { customerBusy, limitReached } from './errors.ts'
import type { Setting } from './setting.ts'

export interface CustomerQuestion {
  readonly customerId: string
  readonly forName: string | null
  /** The time itself, without buffers. */
  readonly time: Interval
  /** The appointment that is to move, when it is one. */
  readonly exceptAppointmentId?: string | undefined
}

/**
 * A customer holds no two appointments at one time, unless they are for different people; somebody named
 * differs from nobody named. Call it under the customer's lock.
 * @throws DomainError `customer_busy`
 */
export async function assertCustomerFree(
  reader: Reader,
  setting: Setting,
  { customerId, forName, time, exceptAppointmentId }: CustomerQuestion,
): Promise<void> {
  const rows = await reader.appointment.findMany({
    where: {
      customerId,
      status: { not: 'cancelled' },
      startsAt: { lt: new Date(time.end) },
      endsAt: { gt: new Date(time.start) },
      ...(exceptAppointmentId === undefined ? {} : { id: { not: exceptAppointmentId } }),
    },
    select: { code: true, startsAt: true, endsAt: true, forName: true },
    orderBy: { startsAt: 'asc' },
  })
  const conflict = rows.find((row) => samePerson(row.forName, forName))
  if (conflict !== undefined) throw customerBusy(setting, conflict)
}

/** @throws DomainError `limit_reached`. Call it under the customer's lock. */
export async function assertBelowLimit(reader: Reader, setting: Setting, customerId: string): Promise<void> {
  const active = await reader.appointment.findMany({
    where: { customerId, status: { in: ['booked', 'confirmed'] }, startsAt: { gt: new Date(setting.now) } },
    select: { code: true },
    orderBy: { startsAt: 'asc' },
  })
  if (active.length >= setting.profile.policy.maxActivePerCustomer) {
    throw limitReached(
      setting,
      active.map(({ code }) => code),
    )
  }
}

/** The name as it is kept: spaces trimmed and single; empty is nobody. */
export function cleanForName(forName: string | null | undefined): string | null {
  const clean = (forName ?? '').trim().replace(/\s+/g, ' ')
  return clean === '' ? null : clean
}

function samePerson(one: string | null, other: string | null): boolean {
  return one?.toLowerCase() === other?.toLowerCase()
}
