import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { metricsOverviewSchema } from '../../contracts/dashboard-api.ts'
import { handoffReasonSchema, localDateSchema } from '../../contracts/staff-api.ts'
import { handoffMetrics } from '../../handoff/handoff-metrics.ts'
import { overviewMetrics } from '../../handoff/overview-metrics.ts'
import type { HttpDeps } from '../deps.ts'
import { sessionOf } from '../plugins/session.ts'
import { problemResponses } from '../problems.ts'
import { dateQuery, dateRange } from '../request-schemas.ts'

/** Up to today, when nothing else is asked for. */
const DEFAULT_DAYS = -30

const percentiles = z.object({ p50: z.int().nullable(), p90: z.int().nullable() })
const metricsResponse = z.object({
  items: z.array(z.object({ date: localDateSchema, reason: handoffReasonSchema, count: z.int() })),
  firstReplySeconds: percentiles.describe('Working time from the request to the first reply'),
  resolutionSeconds: percentiles.describe('From the request to the end'),
  botOnlyShare: z.number().nullable().describe('Share, 0 to 1, of conversations that needed nobody'),
})

/** How the handoffs of a span of days went. */
export const metricsRoutes: FastifyPluginCallbackZod<{ deps: HttpDeps }> = (app, { deps }, done) => {
  app.get(
    '/v1/metrics/handoffs',
    {
      schema: {
        tags: ['metrics'],
        summary: 'Handoffs by day and reason, and how fast they were answered',
        querystring: z.object({ from: dateQuery, to: dateQuery }),
        response: {
          200: metricsResponse,
          ...problemResponses({ 400: 'invalid_request', 401: 'unauthorized' }),
        },
      },
    },
    async (request) => {
      const { tenantId, profile } = sessionOf(request)
      const { timeZone } = profile
      const range = dateRange(request.query, { timeZone, now: deps.clock.now(), days: DEFAULT_DAYS })
      const metrics = await deps.store.read(tenantId, (reader) =>
        handoffMetrics(reader, { profile, ...range }),
      )
      return { ...metrics, items: [...metrics.items] }
    },
  )

  app.get(
    '/v1/metrics/overview',
    {
      schema: {
        tags: ['metrics'],
        summary: 'What the charts show: each day, all of them, and the queue now',
        querystring: z.object({ from: dateQuery, to: dateQuery }),
        response: {
          200: metricsOverviewSchema,
          ...problemResponses({ 400: 'invalid_request', 401: 'unauthorized' }),
        },
      },
    },
    async (request) => {
      const { tenantId, profile } = sessionOf(request)
      const now = deps.clock.now()
      const range = dateRange(request.query, { timeZone: profile.timeZone, now, days: DEFAULT_DAYS })
      return deps.store.read(tenantId, (reader) => overviewMetrics(reader, { profile, now, ...range }))
    },
  )
  done()
}
