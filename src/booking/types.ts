import type { BookingLimits } from '../scheduling/types.ts'

/** Who asks. What binds a customer (notice, horizon, grid, limits, change notice) does not bind the staff. */
export type Actor =
  | { readonly kind: 'customer'; readonly customerId: string }
  | { readonly kind: 'staff'; readonly staffId: string }

/**
 * A wanted start: a wall time of the tenant (`YYYY-MM-DDTHH:MM`, as the model writes it) or an instant in
 * epoch milliseconds. A wall time that clocks skip moves forward by the gap; one that occurs twice means
 * the first.
 */
export type WantedStart = { readonly wall: string } | { readonly instant: number }

/** `morning` before 12:00, `afternoon` from 12:00 before 18:00, `evening` from 18:00, by the wall clock. */
export const PERIODS = ['morning', 'afternoon', 'evening'] as const
export type Period = (typeof PERIODS)[number]

export function bookingLimits(actor: Actor, force: boolean): BookingLimits {
  return actor.kind === 'staff' && force ? 'staff_force' : actor.kind
}
