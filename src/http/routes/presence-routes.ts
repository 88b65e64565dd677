import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { presenceDtoSchema } from '../../contracts/dashboard-api.ts'
import { keepViewing, listViewers, stopViewing } from '../../conversations/viewers.ts'
import type { HttpDeps } from '../deps.ts'
import { sessionOf } from '../plugins/session.ts'
import { problemResponses } from '../problems.ts'
import { idParams } from '../request-schemas.ts'

const tags = ['conversations']
const notFound = problemResponses({ 401: 'unauthorized', 404: 'not_found' })

/** Who has a conversation open, so that two people do not answer the same customer. */
export const presenceRoutes: FastifyPluginCallbackZod<{ deps: HttpDeps }> = (app, { deps }, done) => {
  const { store, clock } = deps
  app.post(
    '/v1/conversations/:id/presence',
    {
      schema: {
        tags,
        summary: 'The caller has it open',
        description:
          'Say so every 15 seconds; it is forgotten after 40. The conversation’s `viewers` tell it, and ' +
          '`conversation.updated` when they change. The answer has the caller in it.',
        params: idParams,
        response: { 200: presenceDtoSchema, ...notFound },
      },
    },
    async (request) => {
      const { tenantId, staff } = sessionOf(request)
      const conversationId = request.params.id
      const now = clock.now()
      return store.transact(tenantId, async (tx) => {
        await keepViewing(tx, { conversationId, staffId: staff.id }, now)
        return { viewers: await listViewers(tx, conversationId, now) }
      })
    },
  )

  app.delete(
    '/v1/conversations/:id/presence',
    {
      schema: {
        tags,
        summary: 'The caller has closed it',
        params: idParams,
        response: { 204: z.null().describe('Forgotten'), ...notFound },
      },
    },
    async (request, reply) => {
      const { tenantId, staff } = sessionOf(request)
      const viewing = { conversationId: request.params.id, staffId: staff.id }
      await store.transact(tenantId, (tx) => stopViewing(tx, viewing))
      return reply.code(204).send(null)
    },
  )
  done()
}
