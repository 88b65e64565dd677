import fp from 'fastify-plugin'
import type { Metrics } from '../../observability/metrics.ts'

/** Asked for every few seconds by machines: in the log only when somebody wants to see everything. */
const QUIET_ROUTES: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

/**
 * One line and one measurement for every request. The log holds the route's pattern, never the address: that
 * may carry a search text, a phone number or a code. The request's id is on every line of the request, and in
 * the answer as `x-request-id`.
 */
export const requestLogPlugin = fp<{ metrics: Metrics }>(
  (app, { metrics }, done) => {
    app.addHook('onRequest', async (request, reply) => {
      reply.header('x-request-id', request.id)
    })
    app.addHook('onResponse', async (request, reply) => {
      const { method, session } = request
      const route = request.routeOptions.url ?? 'unmatched'
      const status = reply.statusCode
      metrics.httpDuration.observe({ method, route, status }, reply.elapsedTime / 1_000)
      const line = {
        method,
        route,
        status,
        durationMs: Math.round(reply.elapsedTime),
        ...(session === null ? {} : { tenantId: session.tenantId, staffId: session.staff.id }),
      }
      if (QUIET_ROUTES.has(route)) request.log.debug(line, 'request')
      else request.log.info(line, 'request')
    })
    done()
  },
  { name: 'request-log', decorators: { request: ['session'] } },
)
