import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { conversationCountsSchema, runDetailDtoSchema } from '../../contracts/dashboard-api.ts'
import {
  conversationDtoSchema,
  conversationStatusSchema,
  messageDtoSchema,
  pageSchema,
  runDtoSchema,
} from '../../contracts/staff-api.ts'
import { getConversation, toConversationDto } from '../../conversations/conversation-view.ts'
import { countConversations } from '../../conversations/count-conversations.ts'
import { conversationNotFound } from '../../conversations/errors.ts'
import { listConversations } from '../../conversations/list-conversations.ts'
import { listMessages, listRuns } from '../../conversations/list-messages.ts'
import { toMessageDto } from '../../conversations/message-view.ts'
import { getRun, toRunDetailDto, toRunDto } from '../../conversations/run-view.ts'
import { AppError } from '../../shared/app-error.ts'
import type { HttpDeps, ZodApp } from '../deps.ts'
import { given } from '../given.ts'
import { sessionOf } from '../plugins/session.ts'
import { problemResponses } from '../problems.ts'
import { cursorQuery, idParams, limitQuery, optionalText } from '../request-schemas.ts'

const tags = ['conversations']
const notFound = problemResponses({ 401: 'unauthorized', 404: 'not_found' })

const listQuery = z.object({
  status: conversationStatusSchema.optional().describe('All when left out. `queued`: longest wait first'),
  assignee: z.literal('me').optional(),
  q: optionalText(200).describe('Searches customer name and phone, and texts'),
  cursor: cursorQuery,
  limit: limitQuery,
})

/** Reading conversations: the lists, one, its messages and its runs. */
export const conversationRoutes: FastifyPluginCallbackZod<{ deps: HttpDeps }> = (app, { deps }, done) => {
  listRoute(app, deps)
  readRoute(app, deps)
  messagesRoute(app, deps)
  runsRoute(app, deps)
  runRoute(app, deps)
  done()
}

function listRoute(app: ZodApp, { store, clock }: HttpDeps): void {
  app.get(
    '/v1/conversations',
    {
      schema: {
        tags,
        summary: 'List conversations',
        querystring: listQuery,
        response: {
          200: pageSchema(conversationDtoSchema),
          ...problemResponses({ 400: 'invalid_request, invalid_cursor', 401: 'unauthorized' }),
        },
      },
    },
    async (request) => {
      const { tenantId, staff, profile } = sessionOf(request)
      const { assignee, limit, ...filter } = request.query
      const mine = assignee === undefined ? {} : { assigneeId: staff.id }
      const page = await store.read(tenantId, (reader) =>
        listConversations(reader, { ...given(filter), ...mine, limit }),
      )
      return {
        items: page.items.map((conversation) =>
          toConversationDto(conversation, profile.timeZone, clock.now()),
        ),
        nextCursor: page.nextCursor,
      }
    },
  )
}

function readRoute(app: ZodApp, { store, clock }: HttpDeps): void {
  app.get(
    '/v1/conversations/counts',
    {
      schema: {
        tags,
        summary: 'How many conversations stand where, and what is unread in them',
        response: { 200: conversationCountsSchema, ...problemResponses({ 401: 'unauthorized' }) },
      },
    },
    async (request) => {
      const { tenantId, staff } = sessionOf(request)
      return store.read(tenantId, (reader) => countConversations(reader, staff.id))
    },
  )

  app.get(
    '/v1/conversations/:id',
    {
      schema: {
        tags,
        summary: 'One conversation',
        params: idParams,
        response: { 200: conversationDtoSchema, ...notFound },
      },
    },
    async (request) => {
      const { tenantId, profile } = sessionOf(request)
      const conversation = await store.read(tenantId, (reader) => getConversation(reader, request.params.id))
      if (conversation === null) throw conversationNotFound()
      return toConversationDto(conversation, profile.timeZone, clock.now())
    },
  )
}

function messagesRoute(app: ZodApp, { store }: HttpDeps): void {
  app.get(
    '/v1/conversations/:id/messages',
    {
      schema: {
        tags,
        summary: "A conversation's messages and notes, newest first",
        params: idParams,
        querystring: z.object({
          before: z.string().max(100).optional().describe('A message id'),
          limit: limitQuery,
        }),
        response: { 200: pageSchema(messageDtoSchema), ...notFound },
      },
    },
    async (request) => {
      const { tenantId, profile } = sessionOf(request)
      const { before, limit } = request.query
      const input = { conversationId: request.params.id, ...given({ before }), limit }
      const page = await store.read(tenantId, (reader) => listMessages(reader, input))
      return {
        items: page.items.map((message) => toMessageDto(message, profile.timeZone)),
        nextCursor: page.nextCursor,
      }
    },
  )
}

function runsRoute(app: ZodApp, { store }: HttpDeps): void {
  app.get(
    '/v1/conversations/:id/runs',
    {
      schema: {
        tags,
        summary: "The assistant's runs in a conversation, newest first",
        params: idParams,
        querystring: z.object({ cursor: cursorQuery, limit: limitQuery }),
        response: { 200: pageSchema(runDtoSchema), ...notFound },
      },
    },
    async (request) => {
      const { tenantId, profile } = sessionOf(request)
      const { cursor, limit } = request.query
      const input = { conversationId: request.params.id, ...given({ cursor }), limit }
      const page = await store.read(tenantId, (reader) => listRuns(reader, input))
      return { items: page.items.map((run) => toRunDto(run, profile.timeZone)), nextCursor: page.nextCursor }
    },
  )
}

function runRoute(app: ZodApp, { store }: HttpDeps): void {
  app.get(
    '/v1/conversations/:id/runs/:runId',
    {
      schema: {
        tags,
        summary: 'One run: the tools it called, what they answered, what it cost',
        params: idParams.extend({ runId: z.string() }),
        response: { 200: runDetailDtoSchema, ...notFound },
      },
    },
    async (request) => {
      const { tenantId, profile } = sessionOf(request)
      const { id: conversationId, runId } = request.params
      const run = await store.read(tenantId, (reader) => getRun(reader, { conversationId, runId }))
      if (run === null) throw new AppError('not_found', 'there is no such run')
      return toRunDetailDto(run, profile.timeZone)
    },
  )
}
