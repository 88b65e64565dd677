import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Booking } from '../../booking/create-booking.ts'
import { type AppointmentDto, appointmentDtoSchema } from '../../contracts/staff-api.ts'
import type { HttpDeps, ZodApp } from '../deps.ts'
import { type RequestSession, sessionOf } from '../plugins/session.ts'
import { problemResponses } from '../problems.ts'
import { optionalText, requiredText, startInstant } from '../request-schemas.ts'

const tags = ['appointments']
const codeParams = z.object({ code: z.string() })
const notFound = { 401: 'unauthorized', 404: 'not_found' }

const moveBody = z
  .strictObject({
    startsAt: startInstant.optional(),
    professional: requiredText(40).optional(),
    force: z.boolean().optional(),
  })
  .meta({ examples: [{ startsAt: '2026-12-07T10:00:00-03:00' }] })
const cancelBody = z
  .strictObject({ reason: optionalText(500) })
  .nullish()
  .meta({ examples: [{ reason: 'Cliente avisou que viaja' }] })

const STATES: readonly {
  readonly path: string
  readonly summary: string
  readonly run: (booking: Booking, session: RequestSession, code: string) => Promise<AppointmentDto>
}[] = [
  {
    path: 'confirm',
    summary: 'The customer said that they will come',
    run: (booking, session, code) => booking.confirm(session.tenantId, actorOf(session), code),
  },
  {
    path: 'complete',
    summary: 'The customer came',
    run: (booking, session, code) => booking.complete(session.tenantId, actorOf(session), code),
  },
  {
    path: 'no-show',
    summary: 'The customer did not come',
    run: (booking, session, code) => booking.noShow(session.tenantId, actorOf(session), code),
  },
]

/** One appointment, known by its code: reading, moving, cancelling, and what became of it. */
export const appointmentChangeRoutes: FastifyPluginCallbackZod<{ deps: HttpDeps }> = (
  app,
  { deps },
  done,
) => {
  readRoute(app, deps)
  moveRoute(app, deps)
  cancelRoute(app, deps)
  stateRoutes(app, deps)
  done()
}

function readRoute(app: ZodApp, { booking }: HttpDeps): void {
  app.get(
    '/v1/appointments/:code',
    {
      schema: {
        tags,
        summary: 'One appointment',
        params: codeParams,
        response: { 200: appointmentDtoSchema, ...problemResponses(notFound) },
      },
    },
    async (request) => {
      const session = sessionOf(request)
      return booking.getByCode(session.tenantId, actorOf(session), request.params.code)
    },
  )
}

function moveRoute(app: ZodApp, { booking }: HttpDeps): void {
  app.patch(
    '/v1/appointments/:code',
    {
      schema: {
        tags,
        summary: 'Move to another time or professional',
        params: codeParams,
        body: moveBody,
        response: {
          200: appointmentDtoSchema,
          ...problemResponses({
            400: 'invalid_request',
            ...notFound,
            409: 'time_taken, customer_busy, already_cancelled',
            422: 'another domain code',
          }),
        },
      },
    },
    async (request) => {
      const session = sessionOf(request)
      const { startsAt, professional, force } = request.body
      const start = startsAt === undefined ? undefined : { instant: Date.parse(startsAt) }
      const move = { code: request.params.code, start, professional, force }
      return booking.reschedule(session.tenantId, actorOf(session), move)
    },
  )
}

function cancelRoute(app: ZodApp, { booking }: HttpDeps): void {
  app.post(
    '/v1/appointments/:code/cancel',
    {
      schema: {
        tags,
        summary: 'Cancel, and free the time',
        params: codeParams,
        body: cancelBody,
        response: {
          200: appointmentDtoSchema,
          ...problemResponses({
            400: 'invalid_request',
            ...notFound,
            409: 'already_cancelled',
            422: 'wrong_state',
          }),
        },
      },
    },
    async (request) => {
      const session = sessionOf(request)
      const cancel = { code: request.params.code, reason: request.body?.reason }
      return booking.cancel(session.tenantId, actorOf(session), cancel)
    },
  )
}

function stateRoutes(app: ZodApp, { booking }: HttpDeps): void {
  for (const { path, summary, run } of STATES) {
    app.post(
      `/v1/appointments/:code/${path}`,
      {
        schema: {
          tags,
          summary,
          params: codeParams,
          response: {
            200: appointmentDtoSchema,
            ...problemResponses({ ...notFound, 409: 'already_cancelled', 422: 'wrong_state' }),
          },
        },
      },
      async (request) => run(booking, sessionOf(request), request.params.code),
    )
  }
}

function actorOf({ staff }: RequestSession) {
  return { kind: 'staff', staffId: staff.id } as const
}
