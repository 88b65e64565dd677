import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { settingsDocumentSchema } from '../../contracts/dashboard-api.ts'
import { AppError } from '../../shared/app-error.ts'
import { changeSettings, readSettings, type Settings } from '../../tenancy/settings.ts'
import type { HttpDeps } from '../deps.ts'
import { requireOwner } from '../plugins/require-owner.ts'
import { sessionOf } from '../plugins/session.ts'
import { problemResponses } from '../problems.ts'

const MAX_DOCUMENT_BYTES = 4 * 1024 * 1024
const tags = ['settings']
const common = { 401: 'unauthorized', 403: 'forbidden' }
const headers = z.object({
  'if-match': z.string().max(200).optional().describe('The `ETag` that the change was made from'),
})
const etagHeader = { description: 'The settings; `ETag` names their version' }

/** The business as its owners configure it: the tenant document without channel and staff. */
export const settingsRoutes: FastifyPluginCallbackZod<{ deps: HttpDeps }> = (app, { deps }, done) => {
  const { store, clock, config } = deps
  app.addHook('onRequest', requireOwner)

  app.get(
    '/v1/settings',
    {
      schema: {
        tags,
        summary: 'The tenant document without channel and staff, with its ETag',
        response: {
          200: settingsDocumentSchema.describe(etagHeader.description),
          ...problemResponses(common),
        },
      },
    },
    async (request, reply) => {
      const settings = await store.read(sessionOf(request).tenantId, readSettings)
      reply.header('etag', etagOf(settings)).header('cache-control', 'no-store')
      return settings.document
    },
  )

  app.put(
    '/v1/settings',
    {
      bodyLimit: MAX_DOCUMENT_BYTES,
      // The use case judges the document, and names every path in a 422.
      validatorCompiler: () => (value: unknown) => ({ value }),
      schema: {
        tags,
        summary: 'Make the business what the document says',
        description:
          'The whole document: what is left out is deactivated or goes back to its default. `If-Match` is required.',
        headers,
        body: settingsDocumentSchema,
        response: {
          200: settingsDocumentSchema.describe(etagHeader.description),
          ...problemResponses({
            ...common,
            412: 'precondition_failed: somebody changed the settings in between',
            422: 'invalid_document, with every path in `issues`',
            428: 'precondition_required',
          }),
        },
      },
    },
    async (request, reply) => {
      const { tenantId } = sessionOf(request)
      const expected = versionOf(request.headers['if-match'])
      const settings = await changeSettings(store, tenantId, request.body, expected, {
        encryptionKey: config.encryptionKey,
        clock,
      })
      reply.header('etag', etagOf(settings)).header('cache-control', 'no-store')
      return settings.document
    },
  )
  done()
}

function etagOf({ version }: Settings): string {
  return `"${version}"`
}

/** An entity tag that we never gave out names a version that is not the stored one. */
function versionOf(ifMatch: string | undefined): number {
  if (ifMatch === undefined) {
    throw new AppError('precondition_required', 'If-Match must name the ETag that the change was made from')
  }
  const version = /^(?:W\/)?"(\d{1,9})"$/.exec(ifMatch.trim())?.[1]
  return version === undefined ? -1 : Number(version)
}
