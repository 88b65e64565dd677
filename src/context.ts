import { join } from 'node:path'
import type { AgentEvents } from './agent/agent-events.ts'
import { createAnthropicModel } from './agent/anthropic-model.ts'
import type { RunStore } from './agent/stored-run.ts'
import type { Model } from './agent/types.ts'
import { type Assistant, createAssistant } from './assistant/assistant.ts'
import { createGuidedModel } from './assistant/guided/guided-model.ts'
import { createRunStore } from './assistant/run-store.ts'
import { createReceptionTools } from './assistant/tools/reception-tools.ts'
import { type Booking, createBooking } from './booking/create-booking.ts'
import type { Config } from './config/config.ts'
import type { ChannelAccount, OutboundChannel } from './conversations/outbound-channel.ts'
import {
  createPrismaClient,
  createTenantStore,
  pingDatabase,
  type Reader,
  type TenantStore,
} from './db/index.ts'
import type { HttpDeps } from './http/deps.ts'
import { drainOutboxHandler } from './jobs/drain-outbox-handler.ts'
import { fetchMediaHandler } from './jobs/fetch-media-handler.ts'
import { ingestWebhookHandler } from './jobs/ingest-webhook-handler.ts'
import { runTurnHandler } from './jobs/run-turn-handler.ts'
import { sweepConversationsHandler } from './jobs/sweep-conversations-handler.ts'
import { createLiveHub, type LiveHub } from './live/live-hub.ts'
import { createLocalMediaStorage, type MediaStorage } from './media/media-storage.ts'
import { createHttpTranscriber, type Transcriber } from './media/transcriber.ts'
import { type BusinessEvents, createBusinessEvents } from './observability/business-events.ts'
import { createLogger, describeError, type Logger } from './observability/logger.ts'
import { createMetrics, type Metrics } from './observability/metrics.ts'
import type { JobHandler } from './queue/handle-job.ts'
import { countPermanentlyFailed, queueDepth } from './queue/queue-facts.ts'
import { type Clock, systemClock } from './shared/clock.ts'
import { loadChannelAccount } from './tenancy/channels.ts'
import { loadTenantProfile } from './tenancy/tenant-profile.ts'
import { createGraphChannel } from './whatsapp/graph-client.ts'
import { createGraphMediaSource } from './whatsapp/graph-media.ts'
import { splitText } from './whatsapp/limits.ts'
import { openWebhookStore } from './whatsapp/webhook-store.ts'

/** Longer than connecting may take, so that a time-out after it means that the body was sent. */
const GRAPH_TIMEOUT_MS = 20_000
/** The largest document has 100 MB. */
const MEDIA_TIMEOUT_MS = 120_000
const TRANSCRIBER_TIMEOUT_MS = 60_000
/** How long a turn waits for what it is about: a picture or a PDF, the words of a voice note. */
const MEDIA_WAIT_MS = 5_000
const TRANSCRIPT_WAIT_MS = 30_000
const VERSION = '0.1.0'

/** Everything one process is made of. Building it opens no connection; the first query does. */
export interface Context {
  readonly config: Config
  readonly databaseUrl: string
  readonly log: Logger
  readonly metrics: Metrics
  readonly events: BusinessEvents
  readonly clock: Clock
  readonly store: TenantStore
  readonly booking: Booking
  readonly assistant: Assistant
  readonly jobHandlers: readonly JobHandler[]
  /** What the HTTP server needs; `isWorkerRunning` is null where this process has no worker. */
  httpDeps(isWorkerRunning: () => boolean | null): HttpDeps
  close(): Promise<void>
}

export interface ContextOverrides {
  readonly clock?: Clock
  readonly log?: Logger
  readonly channel?: OutboundChannel
  /** Stands before the real part, which it is given. */
  readonly store?: (store: TenantStore) => TenantStore
  readonly model?: (model: Model) => Model
  readonly runStore?: (runStore: RunStore) => RunStore
}

/**
 * The one composition root: every part is built here and handed what it needs.
 * @param databaseUrl of a database that is migrated and fit (see `assertDatabaseFit`).
 */
export function createContext(
  config: Config,
  databaseUrl: string,
  overrides: ContextOverrides = {},
): Context {
  const clock = overrides.clock ?? systemClock
  const log = overrides.log ?? createLogger(config.logLevel)
  const metrics = createMetrics()
  const events = createBusinessEvents(log, metrics)
  const { prisma, live, webhookStore, close } = openConnections(databaseUrl, log)
  const store = (overrides.store ?? asItIs)(createTenantStore({ prisma }))
  const booking = createBooking({ store, clock })
  const mediaStorage = createLocalMediaStorage(join(config.database.dataDir, 'media'))
  const channel = overrides.channel ?? createGraphChannel({ ...graphOf(config), timeoutMs: GRAPH_TIMEOUT_MS })
  const loadAccount = (reader: Reader, channelId: string) =>
    loadChannelAccount(reader, channelId, config.encryptionKey)
  const answering = modelOf(config, createGuidedModel())
  const assistant = createAssistant({
    store,
    clock,
    config: config.agent,
    ...answering,
    model: (overrides.model ?? asItIs)(answering.model),
    tools: createReceptionTools(booking),
    channel,
    mediaStorage,
    loadAccount,
    splitText,
    events: agentEvents(events),
    openRunStore: (lease) => (overrides.runStore ?? asItIs)(createRunStore({ store, lease })),
  })
  const parts = { config, log, metrics, events, clock, store, booking, mediaStorage }
  return {
    ...parts,
    databaseUrl,
    assistant,
    jobHandlers: createJobHandlers({ ...parts, channel, assistant, loadAccount }),
    httpDeps: (isWorkerRunning) => ({
      ...parts,
      live,
      webhookStore,
      isWorkerRunning,
      pingDatabase: () => pingDatabase(prisma),
      refreshQueueDepth: () => refreshQueueGauges(store, metrics),
    }),
    close,
  }
}

/** What holds connections to the database. */
function openConnections(databaseUrl: string, log: Logger) {
  const prisma = createPrismaClient({
    databaseUrl,
    onConnectionError: (error) => log.warn({ err: describeError(error) }, 'a database connection broke'),
  })
  const live: LiveHub = createLiveHub({
    databaseUrl,
    onLost: (error) => log.warn({ err: describeError(error) }, 'the connection that listens broke'),
  })
  const webhookStore = openWebhookStore({
    databaseUrl,
    onConnectionError: (error) => log.warn({ err: describeError(error) }, 'a webhook connection broke'),
  })
  return {
    prisma,
    live,
    webhookStore,
    close: async () => {
      await live.close()
      await webhookStore.close()
      await prisma.$disconnect()
    },
  }
}

interface JobParts extends Pick<Context, 'config' | 'store' | 'clock' | 'events' | 'booking' | 'assistant'> {
  readonly mediaStorage: MediaStorage
  readonly channel: OutboundChannel
  readonly loadAccount: (reader: Reader, channelId: string) => Promise<ChannelAccount>
}

function createJobHandlers(parts: JobParts): JobHandler[] {
  const { config, store, clock, events, booking, assistant, mediaStorage, channel, loadAccount } = parts
  const transcriber = transcriberOf(config)
  const debounceMs = config.inboundDebounceMs
  const loadProfile = loadTenantProfile
  return [
    ingestWebhookHandler({
      store,
      clock,
      debounceMs,
      actionSecret: config.sessionSecret,
      booking,
      mediaWaitMs: MEDIA_WAIT_MS,
      transcriptWaitMs: transcriber === null ? null : TRANSCRIPT_WAIT_MS,
      onUpdate: events.updateIngested,
      onKept: events.updateKept,
      onFailure: events.updateFailed,
      onHandoff: events.handoffOpened,
    }),
    runTurnHandler({ assistant, store, clock, events, loadProfile }),
    drainOutboxHandler({ store, channel, loadAccount, clock, events }),
    fetchMediaHandler({
      store,
      storage: mediaStorage,
      source: createGraphMediaSource({ ...graphOf(config), timeoutMs: MEDIA_TIMEOUT_MS }),
      transcriber,
      loadAccount,
      clock,
      debounceMs,
      events,
    }),
    sweepConversationsHandler({ store, clock, events, loadProfile }),
  ]
}

async function refreshQueueGauges(store: TenantStore, metrics: Metrics): Promise<void> {
  const { depths, failed } = await store.unsafeRead('the queue is of all tenants', async (reader) => ({
    depths: await queueDepth(reader),
    failed: await countPermanentlyFailed(reader),
  }))
  metrics.queueDepth.reset()
  metrics.queueFailed.reset()
  for (const { task, count } of failed) metrics.queueFailed.set({ task }, count)
  for (const { task, ready, scheduled, running } of depths) {
    metrics.queueDepth.set({ task }, ready + scheduled + running)
  }
}

function graphOf({ whatsapp }: Config) {
  return { baseUrl: whatsapp.graphUrl, version: whatsapp.graphVersion, userAgent: `agendou/${VERSION}` }
}

function asItIs<T>(part: T): T {
  return part
}

/** With a key the API answers, and the guided model when it stays away; without one the guided model alone. */
function modelOf(config: Config, guided: ReturnType<typeof createGuidedModel>) {
  if (config.anthropic === null) return { model: guided, modelName: 'guided', fallbackModel: null }
  const { apiKey, baseUrl } = config.anthropic
  // Three tries of the SDK's have to fit into a run: else an API that hangs would be the run's deadline.
  const timeoutMs = Math.floor(config.agent.maxDurationMs / 3.3)
  return {
    model: createAnthropicModel({ apiKey, timeoutMs, ...(baseUrl === null ? {} : { baseURL: baseUrl }) }),
    modelName: config.agent.model,
    fallbackModel: guided,
  }
}

function transcriberOf({ transcriber }: Config): Transcriber | null {
  return transcriber === null
    ? null
    : createHttpTranscriber({ ...transcriber, timeoutMs: TRANSCRIBER_TIMEOUT_MS })
}

function agentEvents(events: BusinessEvents): AgentEvents {
  return {
    onRunEnd: events.runEnded,
    onToolCall: events.toolCalled,
    onModelCall: ({ runId, failure }) => {
      if (failure !== null) events.modelFailed({ runId, kind: failure.kind, status: failure.status })
    },
    onBug: events.agentBug,
    onUnknownStopReason: events.unknownStopReason,
    onUnknownModel: ({ runId, model }) => {
      if (model !== 'guided') events.unknownModel({ runId, model })
    },
  }
}
