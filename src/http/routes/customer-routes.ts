import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { catalogDtoSchema, customerProfileDtoSchema } from '../../contracts/dashboard-api.ts'
import { customerDtoSchema, pageSchema } from '../../contracts/staff-api.ts'
import { getCustomerProfile, searchCustomers } from '../../handoff/customer-profile.ts'
import { AppError } from '../../shared/app-error.ts'
import { readSettings } from '../../tenancy/settings.ts'
import type { HttpDeps, ZodApp } from '../deps.ts'
import { sessionOf } from '../plugins/session.ts'
import { problemResponses } from '../problems.ts'
import { idParams, limitQuery, optionalText } from '../request-schemas.ts'

const tags = ['appointments']

/** Whom one writes to and books for, and what there is to book. */
export const customerRoutes: FastifyPluginCallbackZod<{ deps: HttpDeps }> = (app, { deps }, done) => {
  findRoute(app, deps)
  profileRoute(app, deps)
  catalogRoute(app, deps)
  done()
}

function findRoute(app: ZodApp, { store }: HttpDeps): void {
  app.get(
    '/v1/customers',
    {
      schema: {
        tags,
        summary: 'Find customers by name or phone',
        querystring: z.object({ q: optionalText(200), limit: limitQuery }),
        response: {
          200: pageSchema(customerDtoSchema),
          ...problemResponses({ 400: 'invalid_request', 401: 'unauthorized' }),
        },
      },
    },
    async (request) => {
      const { q = '', limit } = request.query
      const { tenantId } = sessionOf(request)
      const items = await store.read(tenantId, (reader) => searchCustomers(reader, { q: q.trim(), limit }))
      return { items, nextCursor: null }
    },
  )
}

function profileRoute(app: ZodApp, { store, clock }: HttpDeps): void {
  app.get(
    '/v1/customers/:id',
    {
      schema: {
        tags,
        summary: 'A customer with what they have booked and what they had',
        params: idParams,
        response: {
          200: customerProfileDtoSchema,
          ...problemResponses({ 401: 'unauthorized', 404: 'not_found' }),
        },
      },
    },
    async (request) => {
      const { tenantId, profile } = sessionOf(request)
      const input = { customerId: request.params.id, timeZone: profile.timeZone, clock }
      const customer = await store.read(tenantId, (reader) => getCustomerProfile(reader, input))
      if (customer === null) throw new AppError('not_found', 'there is no such customer')
      return customer
    },
  )
}

function catalogRoute(app: ZodApp, { store }: HttpDeps): void {
  app.get(
    '/v1/catalog',
    {
      schema: {
        tags,
        summary: 'Services, professionals and their hours',
        response: { 200: catalogDtoSchema, ...problemResponses({ 401: 'unauthorized' }) },
      },
    },
    async (request) => {
      const { document } = await store.read(sessionOf(request).tenantId, readSettings)
      const { services, professionals, exceptions } = document
      return {
        services: services.map(({ key, name, durationMinutes, priceCents }) => ({
          key,
          name,
          durationMinutes,
          priceCents,
        })),
        professionals,
        exceptions,
      }
    },
  )
}
