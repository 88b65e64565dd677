import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { createCustomer, createTenant } from '../support/factories.ts'

const run = promisify(execFile)
const outcome = z.object({ offset: z.number(), text: z.string() })

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

it('offers, books, moves, stores and refuses alike whatever the time zone of the process', {
  timeout: 90_000,
}, async () => {
  const outcomes = []
  for (const TZ of ['Australia/Sydney', 'America/Sao_Paulo', 'UTC', 'America/New_York']) {
    const tenant = await createTenant(database.store)
    const customerId = await createCustomer(database.store, tenant.id, { phone: '5511977776666' })
    const args = ['--import', 'tsx', 'test/fixtures/booking-process.ts', database.url, tenant.id, customerId]
    const { stdout } = await run(process.execPath, args, { env: { ...process.env, TZ } })
    outcomes.push(outcome.parse(JSON.parse(stdout)))
  }
  expect(outcomes.map(({ offset }) => offset)).toEqual([-660, 180, 0, 300])
  expect(new Set(outcomes.map(({ text }) => text)).size).toBe(1)
  expect(outcomes[0]?.text).toContain('2026-12-08 20:00:00+00')
  expect(outcomes[0]?.text).toContain('2026-12-08T17:00:00-03:00')
})
