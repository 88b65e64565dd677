import fastifyCookie from '@fastify/cookie'
import Fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { newId } from '../shared/ids.ts'
import type { HttpDeps } from './deps.ts'
import { dashboardPlugin } from './plugins/dashboard.ts'
import { answerError, errorsPlugin } from './plugins/errors.ts'
import { jsonBodyPlugin } from './plugins/json-body.ts'
import { openapiPlugin } from './plugins/openapi.ts'
import {
  ADDRESS_LIMIT,
  API_LIMIT,
  addressLimitPlugin,
  LOGIN_LIMIT,
  rateLimitPlugin,
} from './plugins/rate-limit.ts'
import { requestLogPlugin } from './plugins/request-log.ts'
import { securityHeadersPlugin } from './plugins/security-headers.ts'
import { sessionDecoratorPlugin, sessionPlugin } from './plugins/session.ts'
import { adminTenantRoutes } from './routes/admin-tenant-routes.ts'
import { appointmentChangeRoutes } from './routes/appointment-change-routes.ts'
import { appointmentRoutes } from './routes/appointment-routes.ts'
import { loginRoute, sessionRoutes } from './routes/auth-routes.ts'
import { availabilityRoutes } from './routes/availability-routes.ts'
import { cannedReplyRoutes } from './routes/canned-reply-routes.ts'
import { channelRoutes } from './routes/channel-routes.ts'
import { channelSendRoutes } from './routes/channel-send-routes.ts'
import { conversationMessageRoutes } from './routes/conversation-message-routes.ts'
import { conversationRoutes } from './routes/conversation-routes.ts'
import { conversationStepRoutes } from './routes/conversation-step-routes.ts'
import { customerRoutes } from './routes/customer-routes.ts'
import { eventRoutes } from './routes/event-routes.ts'
import { healthRoutes } from './routes/health-routes.ts'
import { mediaRoutes } from './routes/media-routes.ts'
import { metricsRoutes } from './routes/metrics-routes.ts'
import { presenceRoutes } from './routes/presence-routes.ts'
import { settingsRoutes } from './routes/settings-routes.ts'
import { staffRoutes } from './routes/staff-routes.ts'
import { webhookRoutes } from './routes/webhook-routes.ts'

export type ExtraPlugin = (app: FastifyInstance) => Promise<void>

/**
 * The whole HTTP surface, ready to listen: webhook, staff API, operator's API, health, metrics and docs. It
 * never listens, exits or reads the environment.
 * @param extraPlugins further pages; the demo's simulator. Production passes none.
 */
export async function buildApp(
  deps: HttpDeps,
  extraPlugins: readonly ExtraPlugin[] = [],
): Promise<FastifyInstance> {
  const app = await createBase(deps)
  await app.register(fastifyCookie)
  await app.register(jsonBodyPlugin)
  await app.register(openapiPlugin)
  await app.register(healthRoutes, { deps })
  await app.register(webhookRoutes, { deps })
  await app.register(adminTenantRoutes, { deps })
  await app.register(async (login) => {
    await login.register(rateLimitPlugin, LOGIN_LIMIT)
    await login.register(loginRoute, { deps })
  })
  await app.register(async (staff) => {
    await staff.register(addressLimitPlugin, ADDRESS_LIMIT)
    await staff.register(sessionPlugin, { deps })
    await staff.register(rateLimitPlugin, API_LIMIT)
    await staff.register(sessionRoutes, { deps })
    await staff.register(conversationRoutes, { deps })
    await staff.register(conversationStepRoutes, { deps })
    await staff.register(conversationMessageRoutes, { deps })
    await staff.register(presenceRoutes, { deps })
    await staff.register(eventRoutes, { deps })
    await staff.register(mediaRoutes, { deps })
    await staff.register(channelRoutes, { deps })
    await staff.register(availabilityRoutes, { deps })
    await staff.register(appointmentRoutes, { deps })
    await staff.register(appointmentChangeRoutes, { deps })
    await staff.register(cannedReplyRoutes, { deps })
    await staff.register(customerRoutes, { deps })
    await staff.register(metricsRoutes, { deps })
    await staff.register(settingsRoutes, { deps })
    await staff.register(staffRoutes, { deps })
    await staff.register(channelSendRoutes, { deps })
  })
  await app.register(dashboardPlugin)
  for (const plugin of extraPlugins) await plugin(app)
  await app.ready()
  return app
}

/** What a process without the API serves: `/healthz`, `/readyz` and `/metrics`. */
export async function buildOperationsApp(deps: HttpDeps): Promise<FastifyInstance> {
  const app = await createBase(deps)
  await app.register(healthRoutes, { deps })
  await app.ready()
  return app
}

/** What holds for every request, whatever is served. */
async function createBase(deps: HttpDeps): Promise<FastifyInstance> {
  const options: FastifyServerOptions = {
    loggerInstance: deps.log,
    // The framework's own lines hold the whole address.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: newId,
    // A client that sends a header and then nothing must not keep a connection, nor a stop, waiting.
    requestTimeout: 30_000,
    frameworkErrors: answerError,
    // Behind a proxy the sender's address is in a header, that only the proxy is believed.
    trustProxy: deps.config.trustedProxies.length === 0 ? false : [...deps.config.trustedProxies],
    routerOptions: { querystringParser: readQuery },
  }
  const app = Fastify(options)
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  await app.register(sessionDecoratorPlugin)
  await app.register(requestLogPlugin, { metrics: deps.metrics })
  await app.register(securityHeadersPlugin)
  await app.register(errorsPlugin)
  return app
}

/** A parameter without a value (`?status=&limit=20`) is one that was left out. */
function readQuery(text: string): Record<string, string> {
  return Object.fromEntries([...new URLSearchParams(text)].filter(([, value]) => value !== ''))
}
