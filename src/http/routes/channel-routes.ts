import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { channelDtoSchema } from '../../contracts/staff-api.ts'
import { listDeliveryCounts } from '../../conversations/delivery-counts.ts'
import { formatOffsetInstant } from '../../scheduling/time-zone.ts'
import { AppError } from '../../shared/app-error.ts'
import { loadChannelOverview } from '../../tenancy/channel-events.ts'
import type { HttpDeps } from '../deps.ts'
import { sessionOf } from '../plugins/session.ts'
import { problemResponses } from '../problems.ts'

const COUNTED_DAYS = 31

/** The state of the tenant's number at WhatsApp. */
export const channelRoutes: FastifyPluginCallbackZod<{ deps: HttpDeps }> = (app, { deps }, done) => {
  app.get(
    '/v1/channel',
    {
      schema: {
        tags: ['channel'],
        summary: 'The WhatsApp number: quality, templates, alerts, and what was delivered at which price',
        response: {
          200: channelDtoSchema,
          ...problemResponses({ 401: 'unauthorized', 404: 'not_found' }),
        },
      },
    },
    async (request) => {
      const { tenantId, profile } = sessionOf(request)
      const { timeZone } = profile
      const instant = (at: number) => formatOffsetInstant(timeZone, at)
      const { overview, deliveries } = await deps.store.read(tenantId, async (reader) => ({
        overview: await loadChannelOverview(reader),
        deliveries: await listDeliveryCounts(reader, { timeZone, now: deps.clock.now(), days: COUNTED_DAYS }),
      }))
      if (overview === null) throw new AppError('not_found', 'there is no channel')
      const { quality, templates, alerts } = overview
      return {
        phoneNumberId: overview.phoneNumberId,
        displayPhoneNumber: overview.displayPhoneNumber,
        quality: quality === null ? null : { ...quality, at: instant(quality.at) },
        templates: templates.map((template) => ({ ...template, at: instant(template.at) })),
        alerts: alerts.map((alert) => ({ ...alert, at: instant(alert.at) })),
        deliveries,
      }
    },
  )
  done()
}
