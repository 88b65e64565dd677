import { randomBytes } from 'node:crypto'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { z } from 'zod'
import { createBooking } from '../../src/booking/create-booking.ts'
import { type Config, loadConfig } from '../../src/config/config.ts'
import type { TenantStore } from '../../src/db/index.ts'
import { buildApp } from '../../src/http/build-app.ts'
import type { HttpDeps } from '../../src/http/deps.ts'
import type { LiveHub } from '../../src/live/live-hub.ts'
import { createLocalMediaStorage, type MediaStorage } from '../../src/media/media-storage.ts'
import { createBusinessEvents } from '../../src/observability/business-events.ts'
import { createLogger } from '../../src/observability/logger.ts'
import { createMetrics } from '../../src/observability/metrics.ts'
import type { Clock } from '../../src/shared/clock.ts'
import { openWebhookStore, type WebhookStore } from '../../src/whatsapp/webhook-store.ts'
import { TEST_ENCRYPTION_KEY, TEST_PASSWORD } from './factories.ts'

export const APP_SECRET = 'the app secret of the tests'
export const VERIFY_TOKEN = 'the verify token of the tests'
export const ADMIN_TOKEN = 'the admin token of the tests'
export const SESSION_SECRET = randomBytes(32).toString('hex')

export function testConfig(overrides: NodeJS.ProcessEnv = {}): Config {
  return loadConfig({
    SESSION_SECRET,
    WHATSAPP_APP_SECRET: APP_SECRET,
    WHATSAPP_VERIFY_TOKEN: VERIFY_TOKEN,
    ADMIN_TOKEN,
    ENCRYPTION_KEY: TEST_ENCRYPTION_KEY.toString('base64'),
    ...overrides,
  })
}

export interface TestAppOptions {
  readonly clock: Clock
  readonly config?: Config
  /** Where the log's lines go; nowhere when left out. */
  readonly log?: (line: string) => void
  readonly pingDatabase?: () => Promise<boolean>
  /** Where live streams hear of changes; nowhere when left out. */
  readonly live?: LiveHub
  readonly isWorkerRunning?: () => boolean | null
  /** Of the database that webhook bodies are stored in; without it none is. */
  readonly databaseUrl?: string
  readonly mediaStorage?: MediaStorage
}

export function testDeps(
  store: TenantStore,
  options: TestAppOptions,
): HttpDeps & { webhookStore: WebhookStore } {
  const { clock } = options
  const log =
    options.log === undefined ? createLogger('silent') : createLogger('debug', { write: options.log })
  const metrics = createMetrics()
  return {
    config: options.config ?? testConfig(),
    log,
    metrics,
    events: createBusinessEvents(log, metrics),
    store,
    clock,
    booking: createBooking({ store, clock }),
    live: options.live ?? { subscribe: () => () => undefined, close: async () => undefined },
    mediaStorage: options.mediaStorage ?? createLocalMediaStorage('/nonexistent/media'),
    webhookStore: openWebhookStore({
      databaseUrl: options.databaseUrl ?? 'postgresql://nobody:x@127.0.0.1:1/none',
      onConnectionError: () => undefined,
    }),
    pingDatabase: options.pingDatabase ?? (async () => true),
    isWorkerRunning: options.isWorkerRunning ?? (() => null),
    refreshQueueDepth: async () => undefined,
  }
}

export function testApp(store: TenantStore, options: TestAppOptions): Promise<FastifyInstance> {
  const deps = testDeps(store, options)
  return buildApp(deps, [async (app) => void app.addHook('onClose', () => deps.webhookStore.close())])
}

/** JSON of any shape, for `toMatchObject`. */
const answerSchema = z.record(z.string(), z.unknown())

export interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, unknown>>
}

/** One request; an answer without a body has `{}`. */
export async function ask(app: FastifyInstance, request: InjectOptions): Promise<Answer> {
  const response = await app.inject(request)
  const isJson = /json/.test(String(response.headers['content-type']))
  const body = isJson ? answerSchema.parse(response.json()) : {}
  return { status: response.statusCode, body, headers: response.headers }
}

export type Send = (
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
  url: string,
  body?: object,
  headers?: Readonly<Record<string, string>>,
) => Promise<Answer>

/** Sends as whoever holds this token. */
export function sendAs(app: FastifyInstance, token: string): Send {
  return (method, url, body, headers = {}) =>
    ask(app, {
      method,
      url,
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(body === undefined ? {} : { payload: body }),
    })
}

/** Logs somebody in and sends as them. */
export async function loggedIn(app: FastifyInstance, tenant: string, email: string): Promise<Send> {
  return sendAs(app, await tokenOf(app, tenant, email))
}

export async function tokenOf(app: FastifyInstance, tenant: string, email: string): Promise<string> {
  const payload = { tenant, email, password: TEST_PASSWORD }
  const { body } = await ask(app, { method: 'POST', url: '/v1/auth/login', payload })
  return z.string().parse(body['token'])
}
