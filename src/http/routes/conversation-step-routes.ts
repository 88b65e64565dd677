import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { conversationDtoSchema, instantSchema } from '../../contracts/staff-api.ts'
import { type ConversationView, toConversationDto } from '../../conversations/conversation-view.ts'
import type { Tx } from '../../db/index.ts'
import {
  claim,
  release,
  resolve,
  returnToBot,
  type StaffStep,
  type TakenOver,
  takeOver,
} from '../../handoff/ownership.ts'
import type { TenantProfile } from '../../tenancy/tenant-profile.ts'
import type { HttpDeps, ZodApp } from '../deps.ts'
import { sessionOf } from '../plugins/session.ts'
import { problemResponses } from '../problems.ts'
import { idParams } from '../request-schemas.ts'

interface Step {
  readonly path: string
  readonly summary: string
  readonly refusal: string
  readonly run: (
    tx: Tx,
    step: StaffStep & { readonly profile: TenantProfile },
  ) => Promise<ConversationView & Partial<Pick<TakenOver, 'opened'>>>
}

const STEPS: readonly Step[] = [
  {
    path: 'claim',
    summary: 'Take it from the queue, or from the phone',
    refusal: 'already_claimed, with the `assignee`; wrong_state',
    run: claim,
  },
  {
    path: 'take-over',
    summary: 'Straight to the caller, from any state',
    refusal: 'wrong_state',
    run: takeOver,
  },
  { path: 'release', summary: 'Back into the queue', refusal: 'wrong_state', run: release },
  { path: 'return-to-bot', summary: 'Back to the assistant', refusal: 'wrong_state', run: returnToBot },
]

/** The steps of the staff that change who owns a conversation; each answers with it as it is afterwards. */
export const conversationStepRoutes: FastifyPluginCallbackZod<{ deps: HttpDeps }> = (app, { deps }, done) => {
  const { store, clock, events } = deps
  resolveRoute(app, deps)
  for (const { path, summary, refusal, run } of STEPS) {
    app.post(
      `/v1/conversations/:id/${path}`,
      {
        schema: {
          tags: ['handoff'],
          summary,
          params: idParams,
          response: {
            200: conversationDtoSchema,
            ...problemResponses({ 401: 'unauthorized', 404: 'not_found', 409: refusal }),
          },
        },
      },
      async (request) => {
        const { tenantId, staff, profile } = sessionOf(request)
        const conversationId = request.params.id
        const step = { conversationId, actor: staff, clock, profile }
        const { opened, ...conversation } = await store.transact(tenantId, (tx) => run(tx, step))
        if (opened) events.handoffOpened({ tenantId, conversationId, reason: opened })
        return toConversationDto(conversation, profile.timeZone, clock.now())
      },
    )
  }
  done()
}

const resolveBody = z
  .strictObject({
    seenUntil: instantSchema
      .optional()
      .describe('`lastMessageAt` as the person saw it: a newer message refuses'),
  })
  .nullish()
  .meta({ examples: [{ seenUntil: '2026-12-01T10:00:00.000-03:00' }] })

function resolveRoute(app: ZodApp, { store, clock }: HttpDeps): void {
  app.post(
    '/v1/conversations/:id/resolve',
    {
      schema: {
        tags: ['handoff'],
        summary: 'The matter is settled',
        params: idParams,
        body: resolveBody,
        response: {
          200: conversationDtoSchema,
          ...problemResponses({
            400: 'invalid_request',
            401: 'unauthorized',
            404: 'not_found',
            409: 'wrong_state, new_message',
          }),
        },
      },
    },
    async (request) => {
      const { tenantId, staff, profile } = sessionOf(request)
      const seen = request.body?.seenUntil
      const seenUntil = seen === undefined ? undefined : Date.parse(seen)
      const step = { conversationId: request.params.id, actor: staff, clock, seenUntil }
      const conversation = await store.transact(tenantId, (tx) => resolve(tx, step))
      return toConversationDto(conversation, profile.timeZone, clock.now())
    },
  )
}
