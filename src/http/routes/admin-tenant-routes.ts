import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { storedTenantDocumentSchema, tenantDocumentSchema } from '../../contracts/tenant-document.ts'
import { AppError } from '../../shared/app-error.ts'
import { applyTenantDocument, getTenantDocument } from '../../tenancy/apply-tenant-document.ts'
import { parseTenantDocument } from '../../tenancy/parse-tenant-document.ts'
import { isBearer } from '../bearer.ts'
import type { HttpDeps, ZodApp } from '../deps.ts'
import { problemResponses } from '../problems.ts'

const MAX_DOCUMENT_BYTES = 4 * 1024 * 1024
const SLUG = /^[a-z0-9-]{1,40}$/
const slugParams = z.object({ slug: z.string() })
const tags = ['operator']
const security = [{ operator: [] }]

/** The operator's routes: 404 as long as no ADMIN_TOKEN is set, whatever is asked. */
export const adminTenantRoutes: FastifyPluginCallbackZod<{ deps: HttpDeps }> = (app, { deps }, done) => {
  const { adminToken } = deps.config
  app.addHook('onRequest', async (request) => {
    if (adminToken === null) throw new AppError('not_found', 'There is nothing at this address.')
    if (!isBearer(request.headers.authorization, adminToken)) {
      throw new AppError('unauthorized', "the operator's bearer token is missing or wrong")
    }
  })

  readRoute(app, deps)
  applyRoute(app, deps)
  done()
}

function readRoute(app: ZodApp, { store }: HttpDeps): void {
  app.get(
    '/v1/admin/tenants/:slug',
    {
      schema: {
        tags,
        security,
        summary: 'The stored tenant document, without secrets',
        params: slugParams,
        response: {
          200: storedTenantDocumentSchema,
          ...problemResponses({ 401: 'unauthorized', 404: 'not_found' }),
        },
      },
    },
    async ({ params: { slug } }) => {
      const document = SLUG.test(slug) ? await getTenantDocument(store, slug) : null
      if (document === null) throw new AppError('not_found', 'there is no such tenant')
      return document
    },
  )
}

function applyRoute(app: ZodApp, { store, clock, config }: HttpDeps): void {
  app.put(
    '/v1/admin/tenants/:slug',
    {
      bodyLimit: MAX_DOCUMENT_BYTES,
      // The use case judges the document, and names every path in a 422.
      validatorCompiler: () => (value: unknown) => ({ value }),
      schema: {
        tags,
        security,
        summary: 'Make the tenant what the document says',
        description:
          'Idempotent. What is left out of the document is deactivated or goes back to its default.',
        params: slugParams,
        body: tenantDocumentSchema,
        response: {
          200: storedTenantDocumentSchema,
          ...problemResponses({
            401: 'unauthorized',
            409: 'phone_number_taken',
            422: 'invalid_document, with every path in `issues`; encryption_key_missing',
            503: 'busy',
          }),
        },
      },
    },
    async (request) => {
      const document = parseTenantDocument(request.body, request.params.slug)
      return applyTenantDocument(store, document, { encryptionKey: config.encryptionKey, clock })
    },
  )
}
