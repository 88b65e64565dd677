import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type StaffMemberDto, staffMemberDtoSchema } from '../../contracts/dashboard-api.ts'
import { pageSchema, staffDtoSchema } from '../../contracts/staff-api.ts'
import { tenantDocumentSchema } from '../../contracts/tenant-document.ts'
import { formatOffsetInstant } from '../../scheduling/time-zone.ts'
import { AppError } from '../../shared/app-error.ts'
import {
  changeStaff,
  createStaff,
  endSessions,
  listStaff,
  type StaffMember,
} from '../../tenancy/manage-staff.ts'
import type { HttpDeps, ZodApp } from '../deps.ts'
import { given } from '../given.ts'
import { requireOwner } from '../plugins/require-owner.ts'
import { sessionOf } from '../plugins/session.ts'
import { problemResponses } from '../problems.ts'
import { idParams } from '../request-schemas.ts'

/** The same rules as in the tenant document. */
const { email, name, role, password } = tenantDocumentSchema.shape.staff.unwrap().element.shape
const requiredPassword = password.unwrap()
const createBody = z.strictObject({ email, name, role, password: requiredPassword }).meta({
  examples: [
    { email: 'rita@example.com', name: 'Rita', role: 'attendant', password: 'at least 10 characters' },
  ],
})
const changeBody = z
  .strictObject({
    name: name.optional(),
    role: role.optional(),
    password,
    active: z.boolean().optional(),
  })
  .meta({ examples: [{ active: false }] })

const tags = ['settings']
const common = { 401: 'unauthorized', 403: 'forbidden' }

/** The people of the business, for its owners. */
export const staffRoutes: FastifyPluginCallbackZod<{ deps: HttpDeps }> = (app, { deps }, done) => {
  listRoute(app, deps)
  addRoute(app, deps)
  changeRoute(app, deps)
  logoutRoute(app, deps)
  done()
}

function listRoute(app: ZodApp, { store, clock }: HttpDeps): void {
  app.get(
    '/v1/staff',
    {
      onRequest: requireOwner,
      schema: {
        tags,
        summary: 'The people of the business',
        response: { 200: pageSchema(staffMemberDtoSchema), ...problemResponses(common) },
      },
    },
    async (request) => {
      const { tenantId, profile } = sessionOf(request)
      const staff = await store.read(tenantId, (reader) => listStaff(reader, clock.now()))
      return { items: staff.map((member) => toDto(member, profile.timeZone)), nextCursor: null }
    },
  )
}

function addRoute(app: ZodApp, { store, clock }: HttpDeps): void {
  app.post(
    '/v1/staff',
    {
      onRequest: requireOwner,
      schema: {
        tags,
        summary: 'Add somebody',
        body: createBody,
        response: {
          201: staffMemberDtoSchema,
          ...problemResponses({ 400: 'invalid_request', ...common, 409: 'email_taken', 503: 'busy' }),
        },
      },
    },
    async (request, reply) => {
      const { tenantId, profile } = sessionOf(request)
      const member = await createStaff(store, tenantId, request.body, clock.now())
      return reply.code(201).send(toDto(member, profile.timeZone))
    },
  )
}

function changeRoute(app: ZodApp, { store, clock }: HttpDeps): void {
  app.patch(
    '/v1/staff/:id',
    {
      onRequest: requireOwner,
      schema: {
        tags,
        summary: 'Change somebody; a new password and `active: false` end their sessions',
        params: idParams,
        body: changeBody,
        response: {
          200: staffMemberDtoSchema,
          ...problemResponses({
            400: 'invalid_request',
            ...common,
            404: 'not_found',
            409: 'last_owner',
            503: 'busy',
          }),
        },
      },
    },
    async (request) => {
      const { tenantId, profile } = sessionOf(request)
      const change = given(request.body)
      const member = await changeStaff(store, tenantId, request.params.id, change, clock.now())
      return toDto(member, profile.timeZone)
    },
  )
}

function logoutRoute(app: ZodApp, { store }: HttpDeps): void {
  app.post(
    '/v1/staff/:id/logout',
    {
      schema: {
        tags,
        summary: 'End all sessions of somebody; everyone may end their own',
        params: idParams,
        response: { 204: z.null().describe('Ended'), ...problemResponses({ ...common, 404: 'not_found' }) },
      },
    },
    async (request, reply) => {
      const { tenantId, staff } = sessionOf(request)
      const { id } = request.params
      if (staff.role !== 'owner' && staff.id !== id) {
        throw new AppError('forbidden', 'only owners end the sessions of others')
      }
      await endSessions(store, tenantId, id)
      return reply.code(204).send(null)
    },
  )
}

function toDto(member: StaffMember, timeZone: string): StaffMemberDto {
  return {
    id: member.id,
    email: member.email,
    name: member.name,
    role: staffDtoSchema.shape.role.parse(member.role),
    active: member.deactivatedAt === null,
    sessions: member.sessions,
    createdAt: formatOffsetInstant(timeZone, member.createdAt.getTime()),
  }
}
