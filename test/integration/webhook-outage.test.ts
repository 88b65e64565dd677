import { createHmac } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/db/index.ts'
import { createTestClock } from '../support/factories.ts'
import { APP_SECRET, testApp } from '../support/http-harness.ts'
import { createQueueHarness, type QueueHarness } from '../support/queue-harness.ts'

let harness: QueueHarness
let app: FastifyInstance

beforeAll(async () => {
  harness = await createQueueHarness()
  app = await testApp(harness.db.store, { clock: createTestClock(), databaseUrl: harness.db.url })
})
afterAll(async () => {
  await app.close()
  await harness.allowConnections()
  await harness.close()
})

async function post(body: string): Promise<number> {
  const signature = `sha256=${createHmac('sha256', APP_SECRET).update(body).digest('hex')}`
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature }
  const url = '/webhooks/whatsapp'
  return (await app.inject({ method: 'POST', url, payload: body, headers })).statusCode
}

/** Bodies and the ids that the jobs name. */
async function stored(): Promise<Set<string>> {
  const read = () =>
    harness.db.store.unsafeRead('test', (reader) =>
      reader.$queryRaw<{ body: string }[]>(sql`select convert_from(e.body, 'utf8') as body
        from webhook_events e join graphile_worker._private_jobs j on (j.payload->'eventIds')::jsonb ? e.id::text`),
    )
  // The first query meets the connections that the outage broke.
  const rows = await read().catch(read)
  return new Set(rows.map(({ body }) => body))
}

describe('webhooks while PostgreSQL goes away and comes back', () => {
  it('that got 200 are stored with their jobs, the rest got 503 and are taken when they come again', async () => {
    const bodies = Array.from({ length: 300 }, (_, index) => `{"n":${index}}`)
    const answers = new Map<string, number>()
    const run = async (some: readonly string[]) => {
      await Promise.all(some.map(async (body) => answers.set(body, await post(body))))
    }
    await run(bodies.slice(0, 100))
    const during = run(bodies.slice(100, 200))
    await harness.refuseConnections()
    await during
    await run(bodies.slice(200, 300))
    await harness.allowConnections()
    const accepted = bodies.filter((body) => answers.get(body) === 200)
    const refused = bodies.filter((body) => answers.get(body) !== 200)
    expect(accepted.length).toBeGreaterThanOrEqual(100)
    expect(refused.length).toBeGreaterThanOrEqual(100)
    expect(new Set(refused.map((body) => answers.get(body)))).toEqual(new Set([503]))
    const kept = await stored()
    expect(accepted.filter((body) => !kept.has(body))).toEqual([])
    await run(refused)
    expect(new Set(answers.values())).toEqual(new Set([200]))
    const all = await stored()
    expect(bodies.filter((body) => !all.has(body))).toEqual([])
  })
})
