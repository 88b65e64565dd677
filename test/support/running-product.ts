import { expect } from 'vitest'
import { z } from 'zod'
import type { Config } from '../../src/config/config.ts'
import { type Context, type ContextOverrides, createContext } from '../../src/context.ts'
import { startLoopbackGraphApi } from '../../src/demo/graph-api.ts'
import type { LoopbackGraphApi } from '../../src/demo/graph-api-types.ts'
import {
  postWebhook,
  textMessageUpdate,
  type WebhookChange,
  type WebhookNumber,
  webhookBody,
} from '../../src/demo/signed-webhook.ts'
import { migrateQueue } from '../../src/queue/migrate-queue.ts'
import { type Service, startService } from '../../src/service.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { createTenant, type DocumentInput, TEST_PASSWORD, type TestTenant } from './factories.ts'
import { APP_SECRET, testConfig } from './http-harness.ts'
import { silentLog, WAIT } from './queue-harness.ts'

/** The whole product on a database of its own, with loopback servers for what is outside. */
export interface RunningProduct {
  readonly db: TestDatabase
  readonly graph: LoopbackGraphApi
  readonly config: Config
  /** The first process; `startAnother` makes more. */
  readonly context: Context
  readonly address: string
  /** Posts changes as one signed body; the status of the answer. */
  post(...changes: readonly WebhookChange[]): Promise<number>
  /** A text of a customer, as Meta would send it. */
  say(
    tenant: ProductTenant,
    phone: string,
    text: string,
    options?: { wamid?: string; name?: string },
  ): Promise<number>
  startAnother(): Promise<Service>
  /** Until no job is left but the clock's: what would come has come. */
  idle(): Promise<void>
  close(): Promise<void>
}

export interface ProductTenant extends TestTenant {
  readonly staff: StaffApi
}

const answerSchema = z.record(z.string(), z.unknown())

export interface StaffApi {
  call(
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: Record<string, unknown> }>
}

export async function startProduct(
  env: NodeJS.ProcessEnv = {},
  overrides: ContextOverrides = {},
): Promise<RunningProduct> {
  const db = await createTestDatabase()
  await migrateQueue({ databaseUrl: db.url, log: silentLog })
  const graph = await startLoopbackGraphApi()
  const config = testConfig({
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'silent',
    INBOUND_DEBOUNCE_MS: '50',
    WORKER_CONCURRENCY: '4',
    WHATSAPP_GRAPH_URL: graph.url,
    ...env,
  })
  const services: Service[] = []
  const start = async () => {
    const context = createContext(config, db.url, overrides)
    const service = await startService(context)
    services.push(service)
    return { context, service }
  }
  const first = await start()
  const webhookUrl = `${first.service.address}/webhooks/whatsapp`
  const post = async (...changes: readonly WebhookChange[]) =>
    (await postWebhook(webhookUrl, APP_SECRET, webhookBody(...changes))).status
  return {
    db,
    graph,
    config,
    context: first.context,
    address: first.service.address,
    post,
    say: (tenant, phone, text, { wamid, name } = {}) =>
      post(
        textMessageUpdate({
          number: numberOf(tenant),
          from: { waId: phone, name: name ?? 'Marina' },
          text,
          ...(wamid === undefined ? {} : { wamid }),
        }),
      ),
    startAnother: async () => (await start()).service,
    idle: async () => {
      const open = async () => {
        const rows = await db.prisma.$queryRaw<{ n: bigint }[]>`
          select count(*) as n from graphile_worker.jobs where task_identifier <> 'sweep_conversations'`
        return Number(rows[0]?.n)
      }
      await expect.poll(open, WAIT).toBe(0)
    },
    async close() {
      for (const service of services) await service.stop()
      await graph.close()
      await db.close()
    },
  }
}

/** A tenant with its owner logged in. */
export async function addTenant(
  product: RunningProduct,
  overrides: DocumentInput = {},
): Promise<ProductTenant> {
  const tenant = await createTenant(product.db.store, {
    staff: [{ email: 'dona@example.com', name: 'Paula', role: 'owner', password: TEST_PASSWORD }],
    ...overrides,
  })
  return { ...tenant, staff: await logIn(product.address, tenant.slug, 'dona@example.com') }
}

export async function logIn(address: string, tenant: string, email: string): Promise<StaffApi> {
  const response = await request(address, 'POST', '/v1/auth/login', null, {
    tenant,
    email,
    password: TEST_PASSWORD,
  })
  const { token } = z.object({ token: z.string() }).parse(response.body)
  return { call: (method, path, body) => request(address, method, path, token, body) }
}

async function request(address: string, method: string, path: string, token: string | null, body?: unknown) {
  const response = await fetch(`${address}${path}`, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const parsed: unknown = text === '' ? {} : JSON.parse(text)
  return { status: response.status, body: answerSchema.parse(parsed) }
}

export function numberOf({ document: { channel } }: TestTenant): WebhookNumber {
  return {
    phoneNumberId: channel.phoneNumberId,
    wabaId: channel.wabaId,
    displayPhoneNumber: channel.displayPhoneNumber.slice(1),
  }
}
