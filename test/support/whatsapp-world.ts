import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Model } from '../../src/agent/types.ts'
import { createAssistant } from '../../src/assistant/assistant.ts'
import type { Concluded } from '../../src/assistant/conclude-turn.ts'
import { createRunStore } from '../../src/assistant/run-store.ts'
import { createReceptionTools } from '../../src/assistant/tools/reception-tools.ts'
import { type Booking, createBooking } from '../../src/booking/create-booking.ts'
import { loadConfig } from '../../src/config/config.ts'
import { type ConversationModel, type MediaModel, type MessageModel, sql } from '../../src/db/index.ts'
import { startLoopbackGraphApi } from '../../src/demo/graph-api.ts'
import type { LoopbackGraphApi } from '../../src/demo/graph-api-types.ts'
import { type FetchResult, fetchMedia } from '../../src/media/fetch-media.ts'
import { createLocalMediaStorage, type MediaStorage } from '../../src/media/media-storage.ts'
import type { Transcriber } from '../../src/media/transcriber.ts'
import { migrateQueue } from '../../src/queue/migrate-queue.ts'
import { loadChannelAccount } from '../../src/tenancy/channels.ts'
import { createGraphMediaSource } from '../../src/whatsapp/graph-media.ts'
import type { IngestDeps } from '../../src/whatsapp/ingest-deps.ts'
import { ingestWebhook } from '../../src/whatsapp/ingest-webhook.ts'
import { splitText } from '../../src/whatsapp/limits.ts'
import { ScriptedChannel } from './conversation-harness.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import {
  createTenant,
  createTestClock,
  type DocumentInput,
  studioDocument,
  TEST_ENCRYPTION_KEY,
  type TestClock,
  type TestTenant,
} from './factories.ts'

export const ACTION_SECRET = 'the action secret of the tests'
export const WORLD_DEBOUNCE_MS = 1_500
export const MEDIA_WAIT_MS = 5_000

const FIXTURES = new URL('../fixtures/whatsapp/', import.meta.url)
/** The numbers and accounts that the fixtures name, in the order of a world's tenants. */
const FIXTURE_NUMBERS = ['106540352242922', '200000000000002']
const FIXTURE_ACCOUNTS = ['102290129340398', '200000000000001']

export interface DeliverOptions {
  /** Changes the fixture's text before it is stored. */
  readonly edit?: (json: string) => string
  readonly transcriptWaitMs?: number | null
  readonly isLastAttempt?: boolean
  readonly deps?: Partial<IngestDeps>
}

/** The inbound half of the channel on a real database, with a Graph API on loopback for the files. */
export interface WhatsappWorld {
  readonly db: TestDatabase
  readonly clock: TestClock
  readonly graph: LoopbackGraphApi
  readonly storage: MediaStorage
  readonly booking: Booking
  readonly channel: ScriptedChannel
  /** Two tenants with numbers of their own; the fixtures' first number is the first's. */
  tenants(overrides?: DocumentInput): Promise<[TestTenant, TestTenant]>
  /** Stores a body, as the webhook does, and gives its id. */
  store(body: unknown): Promise<bigint>
  /** Ingests a fixture, its numbers made the tenants'; gives what became of each update. */
  deliver(tenants: readonly TestTenant[], fixture: string, options?: DeliverOptions): Promise<string[]>
  ingest(eventId: bigint, options?: DeliverOptions): Promise<string[]>
  leftovers(eventId: bigint): Promise<unknown>
  conversations(tenant: TestTenant): Promise<ConversationModel[]>
  /** The only conversation of a tenant. */
  conversation(tenant: TestTenant): Promise<ConversationModel>
  messages(tenant: TestTenant): Promise<MessageModel[]>
  media(tenant: TestTenant): Promise<MediaModel[]>
  /** Runs the job of every file that is not settled. */
  fetchAll(tenant: TestTenant, options?: FetchOptions): Promise<FetchResult[]>
  /** When the conversation's turn is due, after now; null without one. */
  turnInMs(conversationId: string): Promise<number | null>
  runTurn(tenant: TestTenant, model: Model): Promise<Concluded | null>
  close(): Promise<void>
}

export interface FetchOptions {
  readonly transcriber?: Transcriber
  readonly attempt?: number
  readonly isLastAttempt?: boolean
}

export async function createWhatsappWorld(): Promise<WhatsappWorld> {
  const db = await createTestDatabase()
  const silent = () => undefined
  await migrateQueue({
    databaseUrl: db.url,
    log: { debug: silent, info: silent, warn: silent, error: silent },
  })
  const graph = await startLoopbackGraphApi()
  const folder = await mkdtemp(join(tmpdir(), 'agendou-media-'))
  const clock = createTestClock()
  const { store } = db
  const booking = createBooking({ store, clock })
  const storage = createLocalMediaStorage(folder)
  const channel = new ScriptedChannel()
  const loadAccount: Parameters<typeof createAssistant>[0]['loadAccount'] = (reader, channelId) =>
    loadChannelAccount(reader, channelId, TEST_ENCRYPTION_KEY)
  const source = createGraphMediaSource({
    baseUrl: graph.url,
    version: 'v25.0',
    userAgent: 'agendou/test',
    timeoutMs: 5_000,
  })

  const world: WhatsappWorld = {
    db,
    clock,
    graph,
    storage,
    booking,
    channel,
    tenants: async (overrides = {}) => [
      await createTenant(store, overrides, clock),
      await createTenant(store, { ...overrides, ...otherNumber() }, clock),
    ],
    store: (body) =>
      store.unsafeTransact('test', async (tx) => {
        const bytes = Buffer.from(JSON.stringify(body))
        const row = await tx.webhookEvent.create({ data: { body: bytes, receivedAt: new Date(clock.now()) } })
        return row.id
      }),
    deliver: async (tenants, fixture, options = {}) => {
      const body = await readFixture(tenants, fixture, options.edit)
      return world.ingest(await world.store(body), options)
    },
    ingest: async (eventId, options = {}) => {
      const outcomes: string[] = []
      const deps: IngestDeps = {
        store,
        clock,
        booking,
        debounceMs: WORLD_DEBOUNCE_MS,
        actionSecret: ACTION_SECRET,
        mediaWaitMs: MEDIA_WAIT_MS,
        transcriptWaitMs: options.transcriptWaitMs ?? null,
        onUpdate: (_kind, outcome) => outcomes.push(outcome),
        onKept: () => undefined,
        onFailure: () => undefined,
        onHandoff: () => undefined,
        ...options.deps,
      }
      await ingestWebhook(deps, { eventId, isLastAttempt: options.isLastAttempt ?? false })
      return outcomes
    },
    leftovers: async (eventId) =>
      store.unsafeRead('test', async (reader) => {
        const row = await reader.webhookEvent.findUniqueOrThrow({ where: { id: eventId } })
        return row.leftovers
      }),
    conversations: (tenant) =>
      store.read(tenant.id, (reader) => reader.conversation.findMany({ orderBy: { createdAt: 'asc' } })),
    conversation: async (tenant) => {
      const [first, ...others] = await world.conversations(tenant)
      if (first === undefined || others.length > 0) throw new Error(`${others.length + 1} conversations`)
      return first
    },
    messages: (tenant) =>
      store.read(tenant.id, (reader) => reader.message.findMany({ orderBy: { seq: 'asc' } })),
    media: (tenant) => store.read(tenant.id, (reader) => reader.media.findMany({ orderBy: { id: 'asc' } })),
    fetchAll: async (tenant, { transcriber, attempt = 1, isLastAttempt = false } = {}) => {
      const results: FetchResult[] = []
      for (const { id } of await world.media(tenant)) {
        const deps = { store, storage, source, loadAccount, clock, debounceMs: WORLD_DEBOUNCE_MS }
        const { signal } = new AbortController()
        const job = { tenantId: tenant.id, mediaId: id, attempt, isLastAttempt, signal }
        results.push(await fetchMedia({ ...deps, transcriber: transcriber ?? null }, job))
      }
      return results
    },
    turnInMs: async (conversationId) => {
      const rows = await store.unsafeRead('test', (reader) =>
        reader.$queryRaw<{ delay_ms: number }[]>(
          sql`select round(extract(epoch from run_at - updated_at) * 1000)::int as delay_ms
            from graphile_worker.jobs where key = ${`turn:${conversationId}`}`,
        ),
      )
      return rows[0]?.delay_ms ?? null
    },
    runTurn: async (tenant, model) => {
      const { id } = await world.conversation(tenant)
      const assistant = createAssistant({
        store,
        clock,
        config: loadConfig(LEAST_ENVIRONMENT).agent,
        model,
        modelName: 'claude-haiku-5-5',
        fallbackModel: null,
        tools: createReceptionTools(booking),
        channel,
        mediaStorage: storage,
        loadAccount,
        splitText,
        events: {},
        openRunStore: (lease) => createRunStore({ store, lease }),
      })
      const { signal } = new AbortController()
      return assistant.runTurn({ tenantId: tenant.id, conversationId: id, signal })
    },
    close: async () => {
      await graph.close()
      await rm(folder, { recursive: true, force: true })
      await db.close()
    },
  }
  return world
}

const LEAST_ENVIRONMENT = {
  SESSION_SECRET: 'x'.repeat(32),
  WHATSAPP_APP_SECRET: 'secret',
  WHATSAPP_VERIFY_TOKEN: 'token',
}

/** The second fixture number's display form, so that news which name a number find their tenant. */
function otherNumber(): DocumentInput {
  const { channel } = studioDocument()
  return { channel: { ...Object(channel), displayPhoneNumber: '+552131111000' } }
}

async function readFixture(
  tenants: readonly TestTenant[],
  name: string,
  edit: (json: string) => string = (json) => json,
): Promise<unknown> {
  let json = edit(await readFile(new URL(`${name}.json`, FIXTURES), 'utf8'))
  for (const [index, tenant] of tenants.entries()) {
    const { phoneNumberId, wabaId } = tenant.document.channel
    json = json.replaceAll(FIXTURE_NUMBERS[index] ?? '-', phoneNumberId)
    json = json.replaceAll(FIXTURE_ACCOUNTS[index] ?? '-', wabaId)
  }
  const body: unknown = JSON.parse(json)
  return body
}
