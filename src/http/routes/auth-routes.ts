import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { loginDtoSchema, meDtoSchema } from '../../contracts/session-api.ts'
import { login, logout } from '../../tenancy/staff-sessions.ts'
import type { HttpDeps } from '../deps.ts'
import { clearSessionCookie, sessionOf, setSessionCookie } from '../plugins/session.ts'
import { problemResponses } from '../problems.ts'
import { requiredText } from '../request-schemas.ts'

const tags = ['session']

const loginBody = z
  .strictObject({
    tenant: requiredText(40).describe("The tenant's slug"),
    email: requiredText(254),
    password: requiredText(200),
  })
  .meta({ examples: [{ tenant: 'studio-aurora', email: 'dona@example.com', password: 'a-long-password' }] })

/** The one route of the staff that needs no session. */
export const loginRoute: FastifyPluginCallbackZod<{ deps: HttpDeps }> = (app, { deps }, done) => {
  const { store, clock, config } = deps
  app.post(
    '/v1/auth/login',
    {
      schema: {
        tags,
        summary: 'Open a session',
        body: loginBody,
        response: {
          200: loginDtoSchema,
          ...problemResponses({
            401: 'invalid_credentials',
            429: 'too_many_attempts',
            503: 'busy, or database_unavailable',
          }),
        },
      },
    },
    async (request, reply) => {
      const credentials = { ...request.body, address: request.ip }
      const opened = await login(store, credentials, { clock, sessionSecret: config.sessionSecret })
      setSessionCookie(request, reply, opened.token, opened.expiresAt)
      return { token: opened.token, staff: opened.staff }
    },
  )
  done()
}

/** What needs a session: ending it, and whose it is. */
export const sessionRoutes: FastifyPluginCallbackZod<{ deps: HttpDeps }> = (app, { deps }, done) => {
  app.post(
    '/v1/auth/logout',
    { schema: { tags, summary: 'End the session', response: { 204: z.null().describe('Ended') } } },
    async (request, reply) => {
      await logout(deps.store, sessionOf(request).token, { sessionSecret: deps.config.sessionSecret })
      clearSessionCookie(request, reply)
      return reply.code(204).send(null)
    },
  )
  app.get(
    '/v1/me',
    { schema: { tags, summary: 'Who is logged in, and where', response: { 200: meDtoSchema } } },
    async (request) => {
      const { staff, profile } = sessionOf(request)
      const { slug, name, timeZone, locale, currency } = profile
      return { staff, tenant: { slug, name, timeZone, locale, currency } }
    },
  )
  done()
}
