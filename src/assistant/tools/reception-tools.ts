import type { Tool } from '../../agent/types.ts'
import type { Booking } from '../../booking/create-booking.ts'
import { createBookingTools } from './booking-tools.ts'
import { offerChoices, transferToHuman } from './end-turn-tools.ts'
import type { ReceptionContext } from './reception-context.ts'

/** The eight tools of the receptionist. Their names and inputs are public: recorded conversations hold them. */
export function createReceptionTools(booking: Booking): readonly Tool<ReceptionContext>[] {
  return [...createBookingTools(booking), offerChoices, transferToHuman]
}
