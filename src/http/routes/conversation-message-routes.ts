import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { conversationDtoSchema, messageDtoSchema } from '../../contracts/staff-api.ts'
import { templateLanguageSchema, templateNameSchema } from '../../contracts/tenant-document.ts'
import { getConversation, toConversationDto } from '../../conversations/conversation-view.ts'
import { conversationNotFound } from '../../conversations/errors.ts'
import { toMessageDto, viewMessage } from '../../conversations/message-view.ts'
import { sendOnce } from '../../handoff/send-once.ts'
import { addNote, markRead, reply as replyAsStaff } from '../../handoff/write-as-staff.ts'
import type { HttpDeps, ZodApp } from '../deps.ts'
import { given } from '../given.ts'
import { sessionOf } from '../plugins/session.ts'
import { problemResponses } from '../problems.ts'
import { idempotencyHeaders, idParams, requiredText } from '../request-schemas.ts'

/** https://developers.facebook.com/docs/whatsapp/cloud-api/messages/text-messages */
const MAX_TEXT = 4_096

const textBody = z.strictObject({ text: requiredText(MAX_TEXT) })
const templateBody = z.strictObject({
  template: z.strictObject({
    name: templateNameSchema,
    language: templateLanguageSchema,
    components: z
      .array(z.looseObject({ type: z.string() }))
      .max(20)
      .optional(),
  }),
})
const messageBody = z.union([textBody, templateBody]).meta({
  examples: [
    { text: 'Bom dia! Posso ajudar?' },
    { template: { name: 'retomar_conversa', language: 'pt_BR' } },
  ],
})
const noteBody = z
  .strictObject({ text: requiredText(MAX_TEXT) })
  .meta({ examples: [{ text: 'Prefere ser atendida pela Ana.' }] })

const tags = ['conversations']
const notFound = { 401: 'unauthorized', 404: 'not_found' }

/** Writing in a conversation: to the customer, for the colleagues, and that it was read. */
export const conversationMessageRoutes: FastifyPluginCallbackZod<{ deps: HttpDeps }> = (
  app,
  { deps },
  done,
) => {
  messageRoute(app, deps)
  noteRoute(app, deps)
  markReadRoute(app, deps)
  done()
}

function messageRoute(app: ZodApp, { store, clock }: HttpDeps): void {
  app.post(
    '/v1/conversations/:id/messages',
    {
      schema: {
        tags,
        summary: 'Write to the customer',
        description:
          'Free text within 24 hours of their last message; an approved template later too, unless the customer' +
          ' asked for none or WhatsApp stopped them for the number.',
        params: idParams,
        headers: idempotencyHeaders,
        body: messageBody,
        response: {
          202: messageDtoSchema,
          ...problemResponses({
            400: 'invalid_request',
            ...notFound,
            409: 'not_assigned, window_closed, customer_opted_out, proactive_stopped',
            422: 'idempotency_mismatch',
          }),
        },
      },
    },
    async (request, reply) => {
      const { tenantId, staff, profile } = sessionOf(request)
      const content = contentOf(request.body)
      const input = { conversationId: request.params.id, staffId: staff.id, content, clock }
      const key = request.headers['idempotency-key']
      const message = await store.transact(tenantId, (tx) => {
        const send = async () =>
          toMessageDto(await viewMessage(tx, await replyAsStaff(tx, input)), profile.timeZone)
        if (key === undefined) return send()
        const once = { key, staffId: staff.id, request: [request.params.id, content] }
        return sendOnce(tx, once, clock.now(), send)
      })
      return reply.code(202).send(message)
    },
  )
}

function noteRoute(app: ZodApp, { store, clock }: HttpDeps): void {
  app.post(
    '/v1/conversations/:id/notes',
    {
      schema: {
        tags,
        summary: 'Add a private note',
        description: 'Never sent, and never shown to the model.',
        params: idParams,
        headers: idempotencyHeaders,
        body: noteBody,
        response: {
          201: messageDtoSchema,
          ...problemResponses({ 400: 'invalid_request', ...notFound, 422: 'idempotency_mismatch' }),
        },
      },
    },
    async (request, reply) => {
      const { tenantId, staff, profile } = sessionOf(request)
      const input = { conversationId: request.params.id, staffId: staff.id, text: request.body.text, clock }
      const key = request.headers['idempotency-key']
      const note = await store.transact(tenantId, (tx) => {
        const add = async () =>
          toMessageDto(await viewMessage(tx, await addNote(tx, input)), profile.timeZone)
        if (key === undefined) return add()
        const once = { key, staffId: staff.id, request: ['note', input.conversationId, input.text] }
        return sendOnce(tx, once, clock.now(), add)
      })
      return reply.code(201).send(note)
    },
  )
}

function markReadRoute(app: ZodApp, { store, clock }: HttpDeps): void {
  app.post(
    '/v1/conversations/:id/read',
    {
      schema: {
        tags,
        summary: 'Nothing in it is unread any more',
        params: idParams,
        response: { 200: conversationDtoSchema, ...problemResponses(notFound) },
      },
    },
    async (request) => {
      const { tenantId, profile } = sessionOf(request)
      const conversationId = request.params.id
      const conversation = await store.transact(tenantId, async (tx) => {
        await markRead(tx, { conversationId, clock })
        return getConversation(tx, conversationId)
      })
      if (conversation === null) throw conversationNotFound()
      return toConversationDto(conversation, profile.timeZone, clock.now())
    },
  )
}

function contentOf(body: z.output<typeof messageBody>) {
  if ('text' in body) return body
  const { name, language, components } = body.template
  return { template: { name, language, ...given({ components }) } }
}
