import { z } from 'zod'
import { defineTool } from '../../agent/tool.ts'
import type { Tool, ToolContext } from '../../agent/types.ts'
import { wallTimeOf } from '../../booking/appointment-dto.ts'
import type { Booking } from '../../booking/create-booking.ts'
import { PERIODS } from '../../booking/types.ts'
import type { AppointmentDto } from '../../contracts/staff-api.ts'
import { formatPrice } from './format-price.ts'
import type { ReceptionContext } from './reception-context.ts'

const key = z.string().min(1).max(40)
const service = key.describe('Key of the service, as in the catalogue')
const professional = key.describe('Key of the professional; leave out for anybody').optional()
const code = z.string().trim().toUpperCase().min(4).max(12).describe('Code of the appointment')
const startsAt = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d$/, 'must be YYYY-MM-DDTHH:MM')
  .describe('Wall time of the business, YYYY-MM-DDTHH:MM')

type Ctx = ToolContext<ReceptionContext>

/** Dates, times and refusals are the booking's; here is only what the model may say and what it reads. */
export function createBookingTools(booking: Booking): Tool<ReceptionContext>[] {
  return [
    listServices(booking),
    listAvailableTimes(booking),
    bookAppointment(booking),
    listMyAppointments(booking),
    rescheduleAppointment(booking),
    cancelAppointment(booking),
  ]
}

function listServices(booking: Booking) {
  return defineTool<ReceptionContext, Record<string, never>>({
    name: 'list_services',
    description: 'The services that can be booked: key, name, minutes, price and who does them.',
    effect: 'read',
    input: z.strictObject({}),
    run: async (_input, { context, locale }) => ({
      services: (await booking.listServices(context.tenantId)).map((item) => ({
        key: item.key,
        name: item.name,
        ...(item.description === '' ? {} : { description: item.description }),
        minutes: item.durationMinutes,
        price: formatPrice(item.priceCents, item.currency, locale),
        professionals: item.professionals,
      })),
    }),
  })
}

function listAvailableTimes(booking: Booking) {
  const input = z.strictObject({
    service,
    date: z.iso.date('must be a date YYYY-MM-DD').describe('Day of the business, YYYY-MM-DD'),
    professional,
    period: z
      .enum(PERIODS)
      .describe('morning: before 12:00, afternoon: before 18:00, evening: from 18:00')
      .optional(),
  })
  return defineTool<ReceptionContext, z.infer<typeof input>>({
    name: 'list_available_times',
    description:
      'Free start times of a service on one day, at most 24. When there is none, says why and the next day that has one.',
    effect: 'read',
    input,
    run: async (wanted, ctx) => {
      const { times } = await booking.findTimes(ctx.context.tenantId, customerOf(ctx), wanted)
      return { times: times.map((time) => ({ starts_at: time.startsAt, professional: time.professional })) }
    },
  })
}

function bookAppointment(booking: Booking) {
  const input = z.strictObject({
    service,
    professional,
    starts_at: startsAt,
    for_name: z.string().trim().min(1).max(120).describe('Who comes, when it is not the customer').optional(),
  })
  return defineTool<ReceptionContext, z.infer<typeof input>>({
    name: 'book_appointment',
    description:
      'Books an appointment for the customer and returns its code. Only with a time the customer agreed to.',
    effect: 'write',
    input,
    run: async (wanted, ctx) =>
      readable(
        await booking.book(ctx.context.tenantId, customerOf(ctx), {
          service: wanted.service,
          professional: wanted.professional,
          start: { wall: wanted.starts_at },
          forName: wanted.for_name,
          idempotencyKey: ctx.idempotencyKey,
        }),
        ctx,
      ),
    lookup: (_wanted, ctx) => lookUp(booking, 'book_appointment', ctx),
  })
}

function listMyAppointments(booking: Booking) {
  return defineTool<ReceptionContext, Record<string, never>>({
    name: 'list_my_appointments',
    description: "The customer's own upcoming appointments with their codes.",
    effect: 'read',
    input: z.strictObject({}),
    run: async (_input, ctx) => {
      const { tenantId, customerId } = ctx.context
      const items = await booking.listForCustomer(tenantId, customerId)
      return { appointments: items.map((item) => readable(item, ctx)) }
    },
  })
}

function rescheduleAppointment(booking: Booking) {
  const input = z.strictObject({ code, starts_at: startsAt, professional })
  return defineTool<ReceptionContext, z.infer<typeof input>>({
    name: 'reschedule_appointment',
    description: "Moves one of the customer's appointments to another time; its code stays.",
    effect: 'write',
    input,
    run: async (wanted, ctx) =>
      readable(
        await booking.reschedule(ctx.context.tenantId, customerOf(ctx), {
          code: wanted.code,
          start: { wall: wanted.starts_at },
          professional: wanted.professional,
          idempotencyKey: ctx.idempotencyKey,
        }),
        ctx,
      ),
    lookup: (_wanted, ctx) => lookUp(booking, 'reschedule_appointment', ctx),
  })
}

function cancelAppointment(booking: Booking) {
  const input = z.strictObject({ code, reason: z.string().trim().max(500).optional() })
  return defineTool<ReceptionContext, z.infer<typeof input>>({
    name: 'cancel_appointment',
    description: "Cancels one of the customer's appointments, after the customer confirmed it.",
    effect: 'write',
    input,
    run: async (wanted, ctx) =>
      readable(
        await booking.cancel(ctx.context.tenantId, customerOf(ctx), {
          code: wanted.code,
          reason: wanted.reason,
          idempotencyKey: ctx.idempotencyKey,
        }),
        ctx,
      ),
    lookup: (_wanted, ctx) => lookUp(booking, 'cancel_appointment', ctx),
  })
}

function customerOf(ctx: Ctx) {
  return { kind: 'customer' as const, customerId: ctx.context.customerId }
}

async function lookUp(
  booking: Booking,
  operation: Parameters<Booking['lookupByIdempotencyKey']>[1],
  ctx: Ctx,
): Promise<{ output: unknown } | null> {
  const done = await booking.lookupByIdempotencyKey(ctx.context.tenantId, operation, ctx.idempotencyKey)
  return done === null ? null : { output: readable(done, ctx) }
}

/** An appointment as the model reads it: codes and wall times that the tools take back, names for people. */
function readable(appointment: AppointmentDto, ctx: Ctx) {
  return {
    code: appointment.code,
    status: appointment.status,
    starts_at: wallTimeOf(appointment.startsAt),
    ends_at: wallTimeOf(appointment.endsAt),
    service: appointment.service,
    professional: appointment.professional,
    ...(appointment.forName === null ? {} : { for_name: appointment.forName }),
    price: formatPrice(appointment.priceCents, ctx.context.currency, ctx.locale),
  }
}
