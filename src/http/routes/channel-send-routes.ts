import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { type ChannelSendsDto, channelSendsDtoSchema } from '../../contracts/dashboard-api.ts'
import { formatOffsetInstant } from '../../scheduling/time-zone.ts'
import { AppError } from '../../shared/app-error.ts'
import { loadSendState, resumeSends, type SendState } from '../../tenancy/channel-sends.ts'
import type { HttpDeps } from '../deps.ts'
import { sessionOf } from '../plugins/session.ts'
import { problemResponses, sendProblem } from '../problems.ts'

/** Whether the number's messages leave, and the owner's word that what stopped them is mended. */
export const channelSendRoutes: FastifyPluginCallbackZod<{ deps: HttpDeps }> = (app, { deps }, done) => {
  const { store, clock } = deps
  app.get(
    '/v1/channel/sends',
    {
      schema: {
        tags: ['channel'],
        summary: 'Whether messages leave, and what keeps them',
        response: {
          200: channelSendsDtoSchema,
          ...problemResponses({ 401: 'unauthorized', 404: 'not_found' }),
        },
      },
    },
    async (request) => {
      const { tenantId, profile } = sessionOf(request)
      return toResponse(await store.read(tenantId, loadSendState), profile.timeZone)
    },
  )
  app.post(
    '/v1/channel/resume',
    {
      schema: {
        tags: ['channel'],
        summary: 'Send again: the token or the account is mended. Owners only',
        response: {
          200: channelSendsDtoSchema,
          ...problemResponses({ 401: 'unauthorized', 403: 'forbidden', 404: 'not_found' }),
        },
      },
    },
    async (request, reply) => {
      const { tenantId, staff, profile } = sessionOf(request)
      if (staff.role !== 'owner') return sendProblem(reply, 403, 'forbidden', 'Only an owner may resume.')
      const state = await store.transact(tenantId, async (tx) => {
        await resumeSends(tx, clock.now())
        return loadSendState(tx)
      })
      return toResponse(state, profile.timeZone)
    },
  )
  done()
}

function toResponse(state: SendState | null, timeZone: string): ChannelSendsDto {
  if (state === null) throw new AppError('not_found', 'there is no channel')
  const instant = (date: Date) => formatOffsetInstant(timeZone, date.getTime())
  const { paused, proactiveStoppedSince, disabledTemplates, waiting } = state
  return {
    paused: paused === null ? null : { ...paused, since: instant(paused.since) },
    proactiveStoppedSince: proactiveStoppedSince === null ? null : instant(proactiveStoppedSince),
    disabledTemplates: [...disabledTemplates],
    waiting,
  }
}
