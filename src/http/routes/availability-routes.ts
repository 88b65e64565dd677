import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type AvailabilityItem, availabilityItemSchema, pageSchema } from '../../contracts/staff-api.ts'
import { AppError } from '../../shared/app-error.ts'
import type { HttpDeps } from '../deps.ts'
import { sessionOf } from '../plugins/session.ts'
import { problemResponses } from '../problems.ts'
import { cursorQuery, dateQuery, dateRange, requiredText } from '../request-schemas.ts'

/** From today on, when nothing else is asked for. */
const DEFAULT_DAYS = 7

const availabilityQuery = z.object({
  service: requiredText(40).describe('Key of the service'),
  professional: requiredText(40).optional().describe('Key; everybody who does the service when left out'),
  from: dateQuery,
  to: dateQuery,
  actor: z
    .enum(['customer', 'staff'])
    .default('customer')
    .describe('`staff` lifts notice and horizon; the past is never offered'),
  limit: z.coerce.number().int().min(1).max(1_000).default(1_000),
  cursor: cursorQuery,
})

/** The free times of a range of local dates. */
export const availabilityRoutes: FastifyPluginCallbackZod<{ deps: HttpDeps }> = (app, { deps }, done) => {
  app.get(
    '/v1/availability',
    {
      schema: {
        tags: ['appointments'],
        summary: 'Free times, an item for each start and professional',
        querystring: availabilityQuery,
        response: {
          200: pageSchema(availabilityItemSchema),
          ...problemResponses({
            400: 'invalid_request, invalid_cursor',
            401: 'unauthorized',
            422: 'unknown_service, unknown_professional, professional_does_not_do_service',
          }),
        },
      },
    },
    async (request) => {
      const { tenantId, profile } = sessionOf(request)
      const { service, professional, actor, limit, cursor } = request.query
      const { timeZone } = profile
      const range = dateRange(request.query, { timeZone, now: deps.clock.now(), days: DEFAULT_DAYS })
      const dates = { fromDate: range.from, toDate: range.to }
      const input = { service, professional, ...dates, limits: actor }
      return pageOf(await deps.booking.findAvailability(tenantId, input), limit, cursor)
    },
  )
  done()
}

const cursorContent = z.tuple([z.int(), z.string()])

/** Pages of a list that is computed anew each time: a page begins after the last item of the one before. */
function pageOf(items: readonly AvailabilityItem[], limit: number, cursor: string | undefined) {
  const rest = cursor === undefined ? items : items.slice(indexAfter(items, parseCursor(cursor)))
  const page = rest.slice(0, limit)
  const last = page.at(-1)
  return { items: page, nextCursor: rest.length > limit && last !== undefined ? cursorOf(last) : null }
}

/** An item that was booked in between is gone: then its whole start comes again, rather than being lost. */
function indexAfter(
  items: readonly AvailabilityItem[],
  [at, professional]: readonly [number, string],
): number {
  const exact = items.findIndex(
    (item) => Date.parse(item.startsAt) === at && item.professional.key === professional,
  )
  if (exact >= 0) return exact + 1
  const next = items.findIndex((item) => Date.parse(item.startsAt) >= at)
  return next < 0 ? items.length : next
}

function cursorOf({ startsAt, professional }: AvailabilityItem): string {
  return Buffer.from(JSON.stringify([Date.parse(startsAt), professional.key])).toString('base64url')
}

function parseCursor(cursor: string): readonly [number, string] {
  try {
    return cursorContent.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')))
  } catch (error) {
    throw new AppError('invalid_cursor', 'the cursor is not one of this list', { cause: error })
  }
}
