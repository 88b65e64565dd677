import type { AppointmentDto, AvailabilityItem } from '../contracts/staff-api.ts'
import { type BookInput, bookAppointment } from './book.ts'
import {
  type CancelInput,
  cancelAppointment,
  completeAppointment,
  confirmAppointment,
  markNoShow,
  type StaffActor,
} from './change-status.ts'
import { type AvailabilityInput, findAvailability } from './find-availability.ts'
import { type FindTimesInput, findTimes, type Times } from './find-times.ts'
import { lookUp, type Operation } from './idempotency.ts'
import {
  type AppointmentPage,
  getByCode,
  type ListInput,
  listForCustomer,
  listForStaff,
} from './list-appointments.ts'
import { listServices, type ServiceListing } from './list-services.ts'
import { type RescheduleInput, rescheduleAppointment } from './reschedule.ts'
import { createSettingCache } from './setting-cache.ts'
import type { Actor } from './types.ts'
import { type BookingDependencies, readTenant } from './write-appointment.ts'

/**
 * Everything that can be done with appointments. Each call is one tenant's; a refusal is a `DomainError`
 * (`BOOKING_ERROR_CODES`), a database that is away an `InfrastructureError`.
 */
export interface Booking {
  listServices(tenantId: string): Promise<ServiceListing[]>
  /** The free starts of one day, for a conversation. */
  findTimes(tenantId: string, actor: Actor, input: FindTimesInput): Promise<Times>
  /** The free starts of a range of days, one a start and professional. */
  findAvailability(tenantId: string, input: AvailabilityInput): Promise<AvailabilityItem[]>
  book(tenantId: string, actor: Actor, input: BookInput): Promise<AppointmentDto>
  reschedule(tenantId: string, actor: Actor, input: RescheduleInput): Promise<AppointmentDto>
  cancel(tenantId: string, actor: Actor, input: CancelInput): Promise<AppointmentDto>
  confirm(tenantId: string, actor: Actor, code: string): Promise<AppointmentDto>
  complete(tenantId: string, actor: StaffActor, code: string): Promise<AppointmentDto>
  noShow(tenantId: string, actor: StaffActor, code: string): Promise<AppointmentDto>
  /** A customer's upcoming appointments. */
  listForCustomer(tenantId: string, customerId: string): Promise<AppointmentDto[]>
  listForStaff(tenantId: string, input: ListInput): Promise<AppointmentPage>
  getByCode(tenantId: string, actor: Actor, code: string): Promise<AppointmentDto>
  /** What the write under an idempotency key did; null when it did nothing. Waits for one at work. */
  lookupByIdempotencyKey(tenantId: string, operation: Operation, key: string): Promise<AppointmentDto | null>
}

export function createBooking({ store, clock }: BookingDependencies): Booking {
  const dependencies = { store, clock, settings: createSettingCache(clock) }
  return {
    listServices: (tenantId) => readTenant(store, tenantId, (reader) => listServices(reader, clock)),
    findTimes: (tenantId, actor, input) =>
      readTenant(store, tenantId, (reader) => findTimes(reader, clock, actor, input)),
    findAvailability: (tenantId, input) =>
      readTenant(store, tenantId, (reader) => findAvailability(reader, clock, input)),
    book: (tenantId, actor, input) => bookAppointment(dependencies, tenantId, actor, input),
    reschedule: (tenantId, actor, input) => rescheduleAppointment(dependencies, tenantId, actor, input),
    cancel: (tenantId, actor, input) => cancelAppointment(dependencies, tenantId, actor, input),
    confirm: (tenantId, actor, code) => confirmAppointment(dependencies, tenantId, actor, code),
    complete: (tenantId, actor, code) => completeAppointment(dependencies, tenantId, actor, code),
    noShow: (tenantId, actor, code) => markNoShow(dependencies, tenantId, actor, code),
    listForCustomer: (tenantId, customerId) =>
      readTenant(store, tenantId, (reader) => listForCustomer(reader, clock, customerId)),
    listForStaff: (tenantId, input) =>
      readTenant(store, tenantId, (reader) => listForStaff(reader, clock, input)),
    getByCode: (tenantId, actor, code) =>
      readTenant(store, tenantId, (reader) => getByCode(reader, actor, code)),
    lookupByIdempotencyKey: (tenantId, operation, key) =>
      readTenant(store, tenantId, (reader) => lookUp(reader, tenantId, operation, key)),
  }
}
