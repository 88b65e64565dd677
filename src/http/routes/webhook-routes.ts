import type { FastifyInstance } from 'fastify'
import { describeError } from '../../observability/logger.ts'
import { verifySignature } from '../../whatsapp/signature.ts'
import { equalsSecret } from '../bearer.ts'
import type { HttpDeps } from '../deps.ts'
import { sendProblem } from '../problems.ts'

const MAX_BODY_BYTES = 4 * 1024 * 1024

/**
 * The webhook of the WhatsApp Cloud API. The signature covers the raw bytes, so the body is taken as bytes
 * whatever its content type says, and 200 is given only after they are stored, with the job that reads them.
 */
export function webhookRoutes(app: FastifyInstance, { deps }: { deps: HttpDeps }, done: () => void): void {
  const { appSecret, verifyToken } = deps.config.whatsapp
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES },
    (_request, body, parsed) => {
      parsed(null, body)
    },
  )

  // A type that is no media type would be refused before anybody looks at the signature.
  app.addHook('onRequest', async ({ raw }) => {
    raw.headers['content-type'] = 'application/octet-stream'
  })

  app.get('/webhooks/whatsapp', { schema: { hide: true } }, (request, reply) => {
    const query = new URLSearchParams(request.url.split('?')[1] ?? '')
    const known =
      query.get('hub.mode') === 'subscribe' && equalsSecret(query.get('hub.verify_token') ?? '', verifyToken)
    if (!known)
      return sendProblem(reply, 403, 'forbidden', 'The verify token is not the one configured here.')
    return reply.type('text/plain').send(query.get('hub.challenge') ?? '')
  })

  app.post(
    '/webhooks/whatsapp',
    { bodyLimit: MAX_BODY_BYTES, schema: { hide: true } },
    async (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const header = request.headers['x-hub-signature-256']
      if (!verifySignature(body, typeof header === 'string' ? header : undefined, appSecret)) {
        return sendProblem(
          reply,
          401,
          'invalid_signature',
          'X-Hub-Signature-256 is missing or does not fit the body.',
        )
      }
      if (!isJsonObject(body)) {
        return sendProblem(reply, 400, 'invalid_request', 'The body is not a JSON object.')
      }
      try {
        await deps.webhookStore.store(body)
      } catch (error) {
        request.log.error(
          { err: describeError(error) },
          'a webhook body could not be stored; asked for a retry',
        )
        return sendProblem(reply, 503, 'database_unavailable', 'Not stored. Send it again.')
      }
      return reply.code(200).send()
    },
  )
  done()
}

function isJsonObject(body: Buffer): boolean {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'))
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
  } catch {
    return false
  }
}
