import type { FastifyInstance } from 'fastify'
import { ConfigError } from './config/config.ts'
import type { Context } from './context.ts'
import { buildApp, buildOperationsApp, type ExtraPlugin } from './http/build-app.ts'
import { queueSweep } from './jobs/sweep-conversations-handler.ts'
import { describeError } from './observability/logger.ts'
import { startWorkerPool, type WorkerPool } from './queue/worker-pool.ts'

/** Of the 20 s that a stop may take, what the running jobs get. */
const DRAIN_MS = 12_000
/** What requests under way get before their connections are closed. */
const REQUESTS_MS = 5_000

export interface Service {
  /** Where the server listens, e.g. `http://127.0.0.1:3000`. */
  readonly address: string
  readonly app: FastifyInstance
  /** Stops taking (requests, jobs), drains what runs, closes the database. Safe to call twice. */
  stop(): Promise<void>
}

/** Starts what the role asks for: the HTTP server, the worker, or both. */
export async function startService(
  context: Context,
  options: { extraPlugins?: readonly ExtraPlugin[] } = {},
): Promise<Service> {
  const { config, log } = context
  const running: { worker: WorkerPool | null } = { worker: null }
  const deps = context.httpDeps(() => (config.role === 'web' ? null : (running.worker?.isRunning() ?? false)))
  const app =
    config.role === 'worker'
      ? await buildOperationsApp(deps)
      : await buildApp(deps, options.extraPlugins ?? [])
  let stopping: Promise<void> | null = null
  const stop = () => {
    stopping ??= stopAll(context, app, running.worker)
    return stopping
  }
  try {
    const address = await listen(app, config)
    if (config.role !== 'web') {
      running.worker = startWorker(context)
      await queueSweep(context.store, 0)
    }
    log.info({ listening: address, role: config.role }, 'agendou is up')
    return { address, app, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** @throws ConfigError naming the variable when the address cannot be had. */
async function listen(app: FastifyInstance, { host, port }: Context['config']): Promise<string> {
  try {
    return await app.listen({ host, port })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'EADDRINUSE') throw new ConfigError(`PORT: ${port} is in use`)
    if (code === 'EACCES') throw new ConfigError(`PORT: this user may not listen on ${port}`)
    if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL')
      throw new ConfigError(`HOST: ${host} is no address of this machine`)
    throw error
  }
}

function startWorker(context: Context): WorkerPool {
  return startWorkerPool({
    databaseUrl: context.databaseUrl,
    handlers: [...context.jobHandlers],
    concurrency: context.config.workerConcurrency,
    log: context.log,
    onDeadLetter: context.events.jobGivenUp,
  })
}

async function stopAll(context: Context, app: FastifyInstance, worker: WorkerPool | null): Promise<void> {
  const { log } = context
  log.info('stopping')
  const cutOff = setTimeout(() => app.server.closeAllConnections(), REQUESTS_MS)
  const closed = await Promise.allSettled([app.close(), worker?.stop({ timeoutMs: DRAIN_MS })])
  clearTimeout(cutOff)
  for (const result of closed) {
    if (result.status === 'rejected')
      log.error({ err: describeError(result.reason) }, 'a part did not stop cleanly')
  }
  await context.close()
  log.info('stopped')
}
