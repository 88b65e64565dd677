import { PassThrough } from 'node:stream'
import type { FastifyPluginCallback } from 'fastify'
import { z } from 'zod'
import { openEventStream } from '../../live/event-stream.ts'
import { findPosition } from '../../live/live-events.ts'
import { describeError } from '../../observability/logger.ts'
import { authenticate } from '../../tenancy/staff-sessions.ts'
import type { HttpDeps } from '../deps.ts'
import { sessionOf } from '../plugins/session.ts'
import { problemResponses } from '../problems.ts'

const eventHeaders = z.object({
  'last-event-id': z.string().max(100).optional().describe('Replays what came after it'),
})

const EXAMPLE = 'id: 41\nevent: message.created\ndata: {"conversationId":"…","message":{…}}\n\n'

/** What happens, as it happens: Server-Sent Events of one tenant. */
export const eventRoutes: FastifyPluginCallback<{ deps: HttpDeps }> = (app, { deps }, done) => {
  const { store, clock, config, log, live } = deps
  const open = new Set<PassThrough>()
  app.addHook('preClose', async () => {
    for (const output of open) output.end()
  })

  app.get(
    '/v1/events',
    {
      exposeHeadRoute: false,
      schema: {
        tags: ['conversations'],
        summary: 'Live events',
        description:
          'Server-Sent Events, ids are growing integers. `conversation.updated` `{ conversationId, conversation ' +
          '}`, `message.created` and `message.updated` `{ conversationId, message }`, `appointment.updated` `{ ' +
          'appointment }`. With `Last-Event-ID` what was missed in the last hour is told first; when that is ' +
          'not kept any more, one event `reload` says to read everything anew. Open the stream before reading ' +
          'lists, and nothing falls in between.',
        headers: eventHeaders,
        response: {
          200: {
            description: 'The stream; it ends with the session',
            content: { 'text/event-stream': { schema: z.string().meta({ examples: [EXAMPLE] }) } },
          },
          ...problemResponses({ 401: 'unauthorized', 503: 'database_unavailable' }),
        },
      },
    },
    async (request, reply) => {
      const { tenantId, token } = sessionOf(request)
      const lastEventId = eventHeaders.parse(request.headers)['last-event-id'] ?? null
      const output = new PassThrough()
      const onError = (error: unknown) =>
        request.log.warn({ err: describeError(error) }, 'a live stream could not read on')
      const isAllowed = async () =>
        (await authenticate(store, token, { clock, sessionSecret: config.sessionSecret })) !== null
      await openEventStream({ store, hub: live, clock, onError }, { tenantId, output, isAllowed }, () =>
        store.read(tenantId, (reader) => findPosition(reader, lastEventId)),
      )
      open.add(output)
      output.on('close', () => open.delete(output))
      log.debug({ tenantId, streams: open.size }, 'a live stream was opened')
      return reply
        .headers({
          'content-type': 'text/event-stream; charset=utf-8',
          'cache-control': 'no-cache, no-transform',
          // Proxies that collect answers would hold the events back.
          'x-accel-buffering': 'no',
        })
        .send(output)
    },
  )
  done()
}
