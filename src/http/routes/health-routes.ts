import fp from 'fastify-plugin'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { isBearer } from '../bearer.ts'
import type { HttpDeps } from '../deps.ts'
import { problemResponses, sendProblem } from '../problems.ts'

/** How long readiness waits for the database: less than an orchestrator's own limit. */
const PING_TIMEOUT_MS = 3_000

/** `/healthz`, `/readyz` and `/metrics`: what operators and orchestrators look at, without a session. */
export const healthRoutes = fp<{ deps: HttpDeps }>(
  (instance, { deps }, done) => {
    const app = instance.withTypeProvider<ZodTypeProvider>()
    const readiness = z.object({
      status: z.enum(['ready', 'not_ready']),
      database: z.boolean(),
      worker: z.boolean().nullable(),
    })
    app.get(
      '/healthz',
      {
        schema: {
          tags: ['operations'],
          summary: 'The process is alive',
          response: { 200: z.object({ status: z.literal('ok') }) },
        },
      },
      () => ({ status: 'ok' as const }),
    )
    app.get(
      '/readyz',
      {
        schema: {
          tags: ['operations'],
          summary: 'The database is reachable and, where this role has one, the worker loop runs',
          response: { 200: readiness, 503: readiness },
        },
      },
      async (_request, reply) => {
        const database = await answersInTime(deps.pingDatabase())
        const worker = deps.isWorkerRunning()
        const ready = database && worker !== false
        return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not_ready', database, worker })
      },
    )
    app.get(
      '/metrics',
      {
        schema: {
          tags: ['operations'],
          summary: 'Prometheus metrics',
          security: [{ metrics: [] }, {}],
          response: {
            200: { description: 'The text format', content: { 'text/plain': { schema: z.string() } } },
            ...problemResponses({ 401: 'unauthorized' }),
          },
        },
      },
      async (request, reply) => {
        const expected = deps.config.metricsToken
        if (expected !== null && !isBearer(request.headers.authorization, expected)) {
          return sendProblem(reply, 401, 'unauthorized', 'The metrics need their bearer token.')
        }
        await answersInTime(deps.refreshQueueDepth())
        return reply.type(deps.metrics.registry.contentType).send(await deps.metrics.registry.metrics())
      },
    )
    done()
  },
  { name: 'health-routes' },
)

async function answersInTime(work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, PING_TIMEOUT_MS, false)
  })
  const answered = work.then(
    (answer) => answer !== false,
    () => false,
  )
  try {
    return await Promise.race([answered, timeout])
  } finally {
    clearTimeout(timer)
  }
}
