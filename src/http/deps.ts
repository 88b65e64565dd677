import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import type { Booking } from '../booking/create-booking.ts'
import type { Config } from '../config/config.ts'
import type { TenantStore } from '../db/index.ts'
import type { LiveHub } from '../live/live-hub.ts'
import type { MediaStorage } from '../media/media-storage.ts'
import type { BusinessEvents } from '../observability/business-events.ts'
import type { Logger } from '../observability/logger.ts'
import type { Metrics } from '../observability/metrics.ts'
import type { Clock } from '../shared/clock.ts'
import type { WebhookStore } from '../whatsapp/webhook-store.ts'

/** What the routes need; the composition root gives it. */
export interface HttpDeps {
  readonly config: Config
  readonly log: Logger
  readonly metrics: Metrics
  readonly events: Pick<BusinessEvents, 'handoffOpened'>
  readonly store: TenantStore
  readonly clock: Clock
  readonly booking: Booking
  readonly live: LiveHub
  readonly mediaStorage: MediaStorage
  readonly webhookStore: Pick<WebhookStore, 'store'>
  /** Whether the database answers. */
  pingDatabase(): Promise<boolean>
  /** Whether the worker loop runs; null where this role has none. */
  isWorkerRunning(): boolean | null
  /** Refreshes the gauges that are read from the database when somebody looks. */
  refreshQueueDepth(): Promise<void>
}

/** The scope that a plugin's routes are added to, their types read from their schemas. */
export type ZodApp = Parameters<FastifyPluginCallbackZod>[0]
