import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import {
  CANNED_PLACEHOLDERS,
  type CannedReplyDto,
  cannedReplyDtoSchema,
  filledReplyDtoSchema,
} from '../../contracts/dashboard-api.ts'
import { pageSchema } from '../../contracts/staff-api.ts'
import {
  asShortcutTaken,
  changeCannedReply,
  createCannedReply,
  deleteCannedReply,
  getCannedReply,
  listCannedReplies,
} from '../../conversations/canned-replies.ts'
import type { CannedReplyModel } from '../../db/index.ts'
import { fillCannedReplies } from '../../handoff/fill-canned-replies.ts'
import type { HttpDeps, ZodApp } from '../deps.ts'
import { given } from '../given.ts'
import { sessionOf } from '../plugins/session.ts'
import { problemResponses } from '../problems.ts'
import { idParams, requiredText } from '../request-schemas.ts'

/** https://developers.facebook.com/docs/whatsapp/cloud-api/messages/text-messages */
const MAX_TEXT = 4_096
const shortcut = z.string().regex(/^[a-z0-9_-]{1,40}$/, 'must be 1 to 40 of a-z, 0-9, _ and -')
const text = requiredText(MAX_TEXT).describe(
  `May hold ${CANNED_PLACEHOLDERS.map((word) => `{{${word}}}`).join(', ')}`,
)
const example = { shortcut: 'oi', text: 'Olá, {{customer_first_name}}! Aqui é {{staff_name}}.' }
const createBody = z.strictObject({ shortcut, text }).meta({ examples: [example] })
const changeBody = z
  .strictObject({ shortcut: shortcut.optional(), text: text.optional() })
  .meta({ examples: [{ text: example.text }] })

const tags = ['conversations']
const notFound = { 401: 'unauthorized', 404: 'not_found' }
const writing = { 400: 'invalid_request', 409: 'shortcut_taken', 422: 'unknown_placeholder' }

/** Texts that people of the staff write often. */
export const cannedReplyRoutes: FastifyPluginCallbackZod<{ deps: HttpDeps }> = (app, { deps }, done) => {
  listRoute(app, deps)
  addRoute(app, deps)
  readRoute(app, deps)
  changeRoutes(app, deps)
  removeRoute(app, deps)
  fillRoute(app, deps)
  done()
}

function listRoute(app: ZodApp, { store }: HttpDeps): void {
  app.get(
    '/v1/canned-replies',
    {
      schema: {
        tags,
        summary: 'Canned replies, by shortcut',
        response: { 200: pageSchema(cannedReplyDtoSchema), ...problemResponses({ 401: 'unauthorized' }) },
      },
    },
    async (request) => {
      const replies = await store.read(sessionOf(request).tenantId, listCannedReplies)
      return { items: replies.map(toDto), nextCursor: null }
    },
  )
}

function addRoute(app: ZodApp, { store, clock }: HttpDeps): void {
  app.post(
    '/v1/canned-replies',
    {
      schema: {
        tags,
        summary: 'Add a canned reply',
        body: createBody,
        response: { 201: cannedReplyDtoSchema, ...problemResponses({ 401: 'unauthorized', ...writing }) },
      },
    },
    async (request, reply) => {
      const { tenantId } = sessionOf(request)
      const created = await store
        .transact(tenantId, (tx) => createCannedReply(tx, request.body, clock.now()))
        .catch(refuseTaken)
      return reply.code(201).send(toDto(created))
    },
  )
}

function readRoute(app: ZodApp, { store }: HttpDeps): void {
  app.get(
    '/v1/canned-replies/:id',
    {
      schema: {
        tags,
        summary: 'One canned reply',
        params: idParams,
        response: { 200: cannedReplyDtoSchema, ...problemResponses(notFound) },
      },
    },
    async (request) =>
      toDto(
        await store.read(sessionOf(request).tenantId, (reader) => getCannedReply(reader, request.params.id)),
      ),
  )
}

function changeRoutes(app: ZodApp, { store, clock }: HttpDeps): void {
  for (const method of ['PUT', 'PATCH'] as const) {
    app.route({
      method,
      url: '/v1/canned-replies/:id',
      schema: {
        tags,
        summary: 'Change a canned reply; what is left out stays',
        params: idParams,
        body: changeBody,
        response: { 200: cannedReplyDtoSchema, ...problemResponses({ ...notFound, ...writing }) },
      },
      handler: async (request) => {
        const { id } = request.params
        const changed = await store
          .transact(sessionOf(request).tenantId, (tx) =>
            changeCannedReply(tx, id, given(request.body), clock.now()),
          )
          .catch(refuseTaken)
        return toDto(changed)
      },
    })
  }
}

function removeRoute(app: ZodApp, { store }: HttpDeps): void {
  app.delete(
    '/v1/canned-replies/:id',
    {
      schema: {
        tags,
        summary: 'Delete a canned reply',
        params: idParams,
        response: { 204: z.null().describe('Deleted'), ...problemResponses(notFound) },
      },
    },
    async (request, reply) => {
      await store.transact(sessionOf(request).tenantId, (tx) => deleteCannedReply(tx, request.params.id))
      return reply.code(204).send(null)
    },
  )
}

function fillRoute(app: ZodApp, { store, clock }: HttpDeps): void {
  app.get(
    '/v1/conversations/:id/canned-replies',
    {
      schema: {
        tags,
        summary: 'Canned replies as they read in this conversation',
        params: idParams,
        response: { 200: pageSchema(filledReplyDtoSchema), ...problemResponses(notFound) },
      },
    },
    async (request) => {
      const { tenantId, staff, profile } = sessionOf(request)
      const input = { conversationId: request.params.id, staffName: staff.name, profile, clock }
      const items = await store.read(tenantId, (reader) => fillCannedReplies(reader, input))
      return { items, nextCursor: null }
    },
  )
}

function refuseTaken(error: unknown): never {
  throw asShortcutTaken(error)
}

function toDto({ id, shortcut, text }: CannedReplyModel): CannedReplyDto {
  return { id, shortcut, text }
}
