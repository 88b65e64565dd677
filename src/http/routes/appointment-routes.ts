import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { appointmentDtoSchema, appointmentStatusSchema, pageSchema } from '../../contracts/staff-api.ts'
import { AppError } from '../../shared/app-error.ts'
import { bookingCustomer, isPhone } from '../booking-customer.ts'
import type { HttpDeps, ZodApp } from '../deps.ts'
import { sessionOf } from '../plugins/session.ts'
import { problemResponses } from '../problems.ts'
import {
  cursorQuery,
  dateQuery,
  limitQuery,
  optionalText,
  requiredText,
  startInstant,
} from '../request-schemas.ts'

const tags = ['appointments']
const REFUSALS = 'a domain code: outside_hours, closed_that_day, in_the_past, unknown_service …'

const listQuery = z.object({
  from: dateQuery,
  to: dateQuery,
  professional: requiredText(40).optional(),
  status: appointmentStatusSchema.optional(),
  limit: limitQuery,
  cursor: cursorQuery,
})

const customerBody = z.union([
  z.strictObject({ id: z.string() }),
  z.strictObject({
    name: requiredText(120),
    phone: z
      .string()
      .max(40)
      .refine(isPhone, 'must be a phone number with its country code')
      .describe('With its country code; punctuation does not matter'),
  }),
])

const bookBody = z
  .strictObject({
    service: requiredText(40).describe('Key of the service'),
    professional: requiredText(40).optional().describe('Key; anybody who is free when left out'),
    startsAt: startInstant,
    customer: customerBody,
    forName: optionalText(120).describe('Who comes, when that is not the customer'),
    force: z.boolean().optional().describe('Outside the hours, on closed days and in the past too'),
  })
  .meta({
    examples: [
      {
        service: 'corte',
        professional: 'ana',
        startsAt: '2026-12-07T09:00:00-03:00',
        customer: { name: 'Carla', phone: '+55 11 98888-7777' },
      },
    ],
  })

const bookHeaders = z.object({
  'idempotency-key': requiredText(200).optional().describe('The same key and body give the same answer'),
})

/** The calendar: listing and booking. */
export const appointmentRoutes: FastifyPluginCallbackZod<{ deps: HttpDeps }> = (app, { deps }, done) => {
  listRoute(app, deps)
  bookRoute(app, deps)
  done()
}

function listRoute(app: ZodApp, { booking }: HttpDeps): void {
  app.get(
    '/v1/appointments',
    {
      schema: {
        tags,
        summary: 'Appointments that start on the local dates, by start',
        querystring: listQuery,
        response: {
          200: pageSchema(appointmentDtoSchema),
          ...problemResponses({
            400: 'invalid_request, invalid_cursor',
            401: 'unauthorized',
            422: 'unknown_professional',
          }),
        },
      },
    },
    async (request) => {
      const { from, to, ...filter } = request.query
      if (from !== undefined && to !== undefined && to < from) {
        throw new AppError('invalid_request', 'to: is before "from"')
      }
      return booking.listForStaff(sessionOf(request).tenantId, { ...filter, fromDate: from, toDate: to })
    },
  )
}

function bookRoute(app: ZodApp, { booking }: HttpDeps): void {
  app.post(
    '/v1/appointments',
    {
      schema: {
        tags,
        summary: 'Book',
        headers: bookHeaders,
        body: bookBody,
        response: {
          201: appointmentDtoSchema,
          ...problemResponses({
            400: 'invalid_request',
            401: 'unauthorized',
            404: 'not_found: the customer',
            409: 'time_taken, customer_busy',
            422: `idempotency_mismatch, or ${REFUSALS}`,
          }),
        },
      },
    },
    async (request, reply) => {
      const { tenantId, staff } = sessionOf(request)
      const { customer, startsAt, ...wish } = request.body
      const appointment = await booking.book(
        tenantId,
        { kind: 'staff', staffId: staff.id },
        {
          ...wish,
          start: { instant: Date.parse(startsAt) },
          customer: bookingCustomer(customer),
          idempotencyKey: request.headers['idempotency-key'],
        },
      )
      return reply.code(201).send(appointment)
    },
  )
}
