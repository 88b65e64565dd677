import type { Interval } from '../scheduling/types.ts'
import { customerBusy, limitReached } from './errors.ts'
import type { Setting } from './setting.ts'
import type { HeldAppointment } from './situation.ts'

/**
 * A customer holds no two appointments at one time, unless they are for different people; somebody named
 * differs from nobody named. `time` is the time itself, without buffers.
 * @throws DomainError `customer_busy`
 */
export function assertCustomerFree(
  setting: Setting,
  held: readonly HeldAppointment[],
  { forName, time }: { readonly forName: string | null; readonly time: Interval },
): void {
  const conflict = held.find(
    (one) => one.start < time.end && one.end > time.start && samePerson(one.forName, forName),
  )
  if (conflict !== undefined) throw customerBusy(setting, conflict)
}

/** @throws DomainError `limit_reached` */
export function assertBelowLimit(setting: Setting, held: readonly HeldAppointment[]): void {
  const codes = held.filter(({ isActive }) => isActive).map(({ code }) => code)
  if (codes.length >= setting.profile.policy.maxActivePerCustomer) throw limitReached(setting, codes)
}

/** The name as it is kept: spaces trimmed and single; empty is nobody. PostgreSQL takes no NUL character. */
export function cleanForName(forName: string | null | undefined): string | null {
  const clean = (forName ?? '').replaceAll('\0', ' ').trim().replace(/\s+/g, ' ')
  return clean === '' ? null : clean
}

function samePerson(one: string | null, other: string | null): boolean {
  return one?.toLowerCase() === other?.toLowerCase()
}
