import { type Booking, createBooking } from '../../src/booking/create-booking.ts'
import type { Actor } from '../../src/booking/types.ts'
import { DomainError } from '../../src/shared/app-error.ts'
import { newId } from '../../src/shared/ids.ts'
import type { TestDatabase } from './database.ts'
import {
  createCustomer,
  createTestClock,
  createTwoTenants,
  type DocumentInput,
  type TestClock,
  type TestTenant,
} from './factories.ts'

/** The staff of the tests; the audit keeps the id without asking who it is. */
export const STAFF = { kind: 'staff', staffId: newId() } as const

export interface BookingBench {
  readonly booking: Booking
  readonly clock: TestClock
  readonly tenant: TestTenant
  readonly other: TestTenant
  /** A customer of `tenant`, new at each call. */
  customer(tenant?: TestTenant): Promise<Extract<Actor, { kind: 'customer' }>>
}

/** Two tenants of the same shape, a clock that stands, and the use cases over them. */
export async function bookingBench(
  database: TestDatabase,
  overrides: DocumentInput = {},
): Promise<BookingBench> {
  const clock = createTestClock()
  const [tenant, other] = await createTwoTenants(database.store, overrides)
  return {
    booking: createBooking({ store: database.store, clock }),
    clock,
    tenant,
    other,
    async customer(of = tenant) {
      return { kind: 'customer', customerId: await createCustomer(database.store, of.id) }
    },
  }
}

/** The refusal of a promise that must be refused by a rule. */
export async function refusalOf(attempt: Promise<unknown>): Promise<DomainError> {
  try {
    await attempt
  } catch (error) {
    if (error instanceof DomainError) return error
    throw error
  }
  throw new Error('it was not refused')
}

/** Of promises that were let run at once: the values, and the codes of the refusals. */
export async function settleAll<T>(attempts: readonly Promise<T>[]): Promise<{ done: T[]; codes: string[] }> {
  const settled = await Promise.allSettled(attempts)
  const done: T[] = []
  const codes: string[] = []
  for (const outcome of settled) {
    if (outcome.status === 'fulfilled') done.push(outcome.value)
    else if (outcome.reason instanceof DomainError) codes.push(outcome.reason.code)
    else throw outcome.reason
  }
  return { done, codes }
}
