/**
 * The webhook under load, and how long a customer waits for the product itself.
 *
 * Three servers, the same but for what they do with a body that was verified and parsed: nothing (the limit of
 * this machine), one transaction a request, and the product's own shared commits. PostgreSQL runs with fsync;
 * the load comes from a process of its own. Then the whole product, with the model left out of the measure
 * (the guided one answers in no time): from the end of the debounce to the send at the Graph API.
 */
import { createContext } from '../../src/context.ts'
import { sql, type TenantStore } from '../../src/db/index.ts'
import { buildApp } from '../../src/http/build-app.ts'
import type { HttpDeps } from '../../src/http/deps.ts'
import { enqueue } from '../../src/queue/enqueue.ts'
import { ingestWebhookJob } from '../../src/queue/job-definition.ts'
import { type BenchDatabase, benchConfig, runLoad, startBenchDatabase } from './webhook/bench-server.ts'
import { quantile } from './webhook/load-plan.ts'
import { measureTurns } from './webhook/measure-turns.ts'

const FULL = { connections: 64, perSecond: null, seconds: 5, warmUpSeconds: 2, people: 2_000 }
const STEADY = { connections: 128, perSecond: 1_000, seconds: 8, warmUpSeconds: 2, people: 2_000 }

/** In turns, so that what else the machine does meets all of them. */
const ROUNDS = [
  ['limit', 'ours'],
  ['ours', 'limit'],
  ['limit', 'ours', 'naive'],
]

type Store = HttpDeps['webhookStore']['store']

export async function bench(): Promise<void> {
  const database = await startBenchDatabase()
  try {
    await measureWebhook(database)
    await measureTurns(database)
  } finally {
    await database.stop()
  }
}

async function measureWebhook(database: BenchDatabase): Promise<void> {
  const context = createContext(benchConfig(database.url, { ROLE: 'web' }), database.url)
  try {
    const deps = context.httpDeps(() => null)
    const stores: Readonly<Record<string, Store>> = {
      limit: async () => undefined,
      naive: (body) => storeAlone(context.store, body),
      ours: deps.webhookStore.store,
    }
    const rates: Record<string, number[]> = {}
    console.log('webhook, requests a second at full load, 64 connections')
    for (const round of ROUNDS) {
      for (const name of round) {
        const store = stores[name]
        if (store === undefined) continue
        const result = await loadServer({ ...deps, webhookStore: { store } }, FULL)
        rates[name] = [...(rates[name] ?? []), result.perSecond]
        print(name, result)
      }
    }
    console.log(`  of the limit (medians): naive ${share(rates, 'naive')}, ours ${share(rates, 'ours')}`)
    console.log('webhook, steady 1,000 requests a second')
    for (const name of ['naive', 'ours']) {
      const store = stores[name]
      if (store !== undefined) print(name, await loadServer({ ...deps, webhookStore: { store } }, STEADY))
    }
  } finally {
    await context.close()
  }
}

async function loadServer(deps: HttpDeps, shape: typeof FULL | typeof STEADY) {
  const app = await buildApp(deps)
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const { appSecret } = deps.config.whatsapp
  const url = `${address}/webhooks/whatsapp`
  try {
    return await runLoad({ ...shape, url, appSecret, phoneNumberId: '1' })
  } finally {
    await app.close()
  }
}

/** What one would write first: a transaction a request. */
async function storeAlone(store: TenantStore, body: Buffer): Promise<void> {
  await store.unsafeTransact('bench', async (tx) => {
    const rows = await tx.$queryRaw<{ id: bigint }[]>(
      sql`insert into webhook_events (body) values (${body}) returning id`,
    )
    for (const row of rows) await enqueue(tx, ingestWebhookJob, { eventIds: [row.id.toString()] })
  })
}

function share(rates: Readonly<Record<string, readonly number[]>>, name: string): string {
  return (median(rates[name]) / median(rates['limit'])).toFixed(2)
}

function median(numbers: readonly number[] = []): number {
  return quantile(
    [...numbers].sort((a, b) => a - b),
    0.5,
  )
}

function print(name: string, result: Awaited<ReturnType<typeof runLoad>>): void {
  const { perSecond, p50Ms, p99Ms, statuses } = result
  const numbers = `${perSecond.toFixed(0)}/s, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`
  console.log(`  ${name.padEnd(6)} ${numbers}, answers ${JSON.stringify(statuses)}`)
}
