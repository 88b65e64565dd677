import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openSystemSql, sql } from '../../src/db/index.ts'
import { signBody } from '../../src/demo/signed-webhook.ts'
import { buildApp } from '../../src/http/build-app.ts'
import { createWebhookStore, type WebhookStore } from '../../src/whatsapp/webhook-store.ts'
import { createTestClock } from '../support/factories.ts'
import { APP_SECRET, testDeps } from '../support/http-harness.ts'
import { createQueueHarness, type QueueHarness, WAIT } from '../support/queue-harness.ts'

let queue: QueueHarness
let blocker: pg.Client
const stores: WebhookStore[] = []

beforeAll(async () => {
  queue = await createQueueHarness()
  blocker = new pg.Client({ connectionString: queue.db.url })
  await blocker.connect()
})
afterEach(async () => {
  await blocker.query('rollback')
  for (const store of stores.splice(0)) await store.close()
  await blocker.query(`select set_config('app.scope', 'system', false)`)
  await blocker.query('delete from webhook_events')
  await queue.reset()
})
afterAll(async () => {
  await blocker.end()
  await queue.close()
})

/** A store of one statement at a time, with bounds that a test reaches. */
function openStore(
  bounds: { maxWaiting?: number; maxWaitingBytes?: number; timeoutMs?: number } = {},
): WebhookStore {
  const statements = openSystemSql({
    databaseUrl: queue.db.url,
    reason: 'test',
    connections: 1,
    timeoutMs: 20_000,
    onConnectionError: () => undefined,
  })
  const store = createWebhookStore({ sql: statements, flushes: 1, timeoutMs: 20_000, ...bounds })
  stores.push(store)
  return store
}

/** Nobody can store until the returned function is called. */
async function holdUp(): Promise<() => Promise<void>> {
  await blocker.query('begin')
  await blocker.query('lock table webhook_events in access exclusive mode')
  return async () => void (await blocker.query('commit'))
}

const bodyOf = (n: number) => Buffer.from(`{"n":${n}}`)

/** The bodies that are stored with a job of their own, and the transaction that stored each. */
async function stored(): Promise<{ body: string; commit: string }[]> {
  return queue.db.store.unsafeRead('test', (reader) =>
    reader.$queryRaw(sql`select convert_from(e.body, 'utf8') as body, e.xmin::text as commit
      from webhook_events e where exists (
        select 1 from graphile_worker._private_jobs j where (j.payload->'eventIds')::jsonb ? e.id::text)
      order by e.id`),
  )
}

const bodies = async () => (await stored()).map(({ body }) => body)
const outcomes = async (promises: readonly Promise<void>[]) =>
  (await Promise.allSettled(promises)).map((result) =>
    result.status === 'fulfilled' ? 'stored' : code(result),
  )
const code = ({ reason }: PromiseRejectedResult): unknown => Object(reason).code

describe('the store of webhook bodies', () => {
  it('shares commits: what comes while a statement is under way leaves together with the next', async () => {
    const release = await holdUp()
    const store = openStore()
    const all = Array.from({ length: 40 }, (_, n) => store.store(bodyOf(n)))
    await release()
    expect(new Set(await outcomes(all))).toEqual(new Set(['stored']))
    const rows = await stored()
    expect(rows).toHaveLength(40)
    expect(new Set(rows.map(({ commit }) => commit)).size).toBe(2)
  })

  it('holds no more bodies than its bound, refuses the rest at once, and stores what it took', async () => {
    const release = await holdUp()
    const store = openStore({ maxWaiting: 3 })
    // The first is under way, three wait.
    const taken = [0, 1, 2, 3].map((n) => store.store(bodyOf(n)))
    expect(await outcomes([store.store(bodyOf(4)), store.store(bodyOf(5))])).toEqual([
      'webhook_store_full',
      'webhook_store_full',
    ])
    await release()
    expect(await outcomes(taken)).toEqual(Array(4).fill('stored'))
    await store.store(bodyOf(6))
    expect(await bodies()).toEqual([0, 1, 2, 3, 6].map((n) => String(bodyOf(n))))
  })

  it('holds no more bytes than its bound, and has the room again once they are stored', async () => {
    const release = await holdUp()
    const store = openStore({ maxWaitingBytes: 100 })
    const large = Buffer.from(JSON.stringify({ text: 'x'.repeat(70) }))
    const taken = [store.store(bodyOf(0)), store.store(large)]
    expect(await outcomes([store.store(large)])).toEqual(['webhook_store_full'])
    taken.push(store.store(bodyOf(1)))
    await release()
    expect(await outcomes(taken)).toEqual(['stored', 'stored', 'stored'])
    await store.store(large)
    expect(await stored()).toHaveLength(4)
  })

  it('gives up what waited too long, and nothing else', async () => {
    const release = await holdUp()
    const store = openStore({ timeoutMs: 30 })
    const startedAt = performance.now()
    const [first, ...waited] = [0, 1, 2].map((n) => store.store(bodyOf(n)))
    const given = outcomes(waited)
    await expect.poll(() => performance.now() - startedAt > 60, WAIT).toBe(true)
    await release()
    expect(await given).toEqual(['webhook_store_timeout', 'webhook_store_timeout'])
    expect(await outcomes([first ?? Promise.reject(new Error('none'))])).toEqual(['stored'])
    await store.store(bodyOf(3))
    expect(await bodies()).toEqual([0, 3].map((n) => String(bodyOf(n))))
  })

  it('fails its own bodies only when a statement fails', async () => {
    const release = await holdUp()
    const store = openStore()
    const lost = outcomes([store.store(bodyOf(0))])
    const behind = outcomes([store.store(bodyOf(1))])
    await expect.poll(waitingStatements, WAIT).toBe(1)
    await queue.terminateAll(`wait_event_type = 'Lock'`)
    expect(await lost).not.toEqual(['stored'])
    await release()
    expect(await behind).toEqual(['stored'])
    expect(await bodies()).toEqual([String(bodyOf(1))])
  })

  it('that is closed stores what waits and takes no more', async () => {
    const release = await holdUp()
    const store = openStore()
    const taken = [0, 1].map((n) => store.store(bodyOf(n)))
    stores.splice(0)
    const closed = store.close()
    expect(await outcomes([store.store(bodyOf(2))])).toEqual(['webhook_store_closed'])
    await release()
    await closed
    expect(await outcomes(taken)).toEqual(['stored', 'stored'])
  })

  it('that is full is a 503 to Meta, which sends the body again', async () => {
    const release = await holdUp()
    const webhookStore = openStore({ maxWaiting: 1 })
    const deps = testDeps(queue.db.store, { clock: createTestClock() })
    const app = await buildApp({ ...deps, webhookStore })
    const post = async (n: number) => {
      const payload = bodyOf(n)
      const headers = { 'x-hub-signature-256': signBody(payload, APP_SECRET) }
      return (await app.inject({ method: 'POST', url: '/webhooks/whatsapp', payload, headers })).statusCode
    }
    const taken = [webhookStore.store(bodyOf(0)), webhookStore.store(bodyOf(1))]
    expect(await post(2)).toBe(503)
    await release()
    expect(await outcomes(taken)).toEqual(['stored', 'stored'])
    expect(await post(2)).toBe(200)
    expect(await bodies()).toEqual([0, 1, 2].map((n) => String(bodyOf(n))))
    await app.close()
    await deps.webhookStore.close()
  })

  async function waitingStatements(): Promise<number> {
    const { rows } = await queue.admin.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows.length
  }
})
