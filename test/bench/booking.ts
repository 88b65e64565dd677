/**
 * Contended bookings through the use case, beside the same rows written by plain SQL under the same locks
 * and constraint, by as many connections: what loading, deciding and explaining a refusal cost on top of what
 * PostgreSQL needs anyway. Losers are counted on both sides. The two take turns, round by round, so that both
 * see the same machine.
 * Both sides first prove that they give the same outcome: of so many at once, one winner a start.
 */
import { Pool, type PoolClient } from 'pg'
import { createBooking } from '../../src/booking/create-booking.ts'
import { startEphemeralPostgres } from '../../src/db/ephemeral-postgres.ts'
import {
  applyMigrations,
  connectionSettings,
  createPrismaClient,
  createTenantStore,
} from '../../src/db/index.ts'
import { newCode, newId } from '../../src/shared/ids.ts'
import { settleAll } from '../support/booking-harness.ts'
import { createCustomer, createTenant, createTestClock, type TestTenant } from '../support/factories.ts'

const ROUNDS = 100
const WARM_UP = 60
const LEAST_RATE = 0.5
const AT_ONCE = 10
const CONNECTIONS = 15
const MINUTE_MS = 60_000
const FIRST_START = Date.parse('2026-12-11T12:00:00Z')

/** The service lasts 45 minutes and blocks 60: consecutive hours touch and do not conflict. */
const everyHour = {
  policy: { maxActivePerCustomer: 50, minNoticeMinutes: 0, slotStepMinutes: 60, maxAdvanceDays: 365 },
  professionals: [
    {
      key: 'ana',
      name: 'Ana',
      services: ['corte'],
      hours: [{ weekdays: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00' }],
    },
  ],
}

export async function bench(): Promise<void> {
  const server = await startEphemeralPostgres({ log: () => undefined })
  const prisma = createPrismaClient({ databaseUrl: server.url, poolSize: CONNECTIONS })
  const pool = new Pool({ ...connectionSettings(server.url), max: CONNECTIONS })
  pool.on('error', () => undefined)
  try {
    await applyMigrations(server.url, { log: () => undefined })
    const store = createTenantStore({ prisma })
    const clock = createTestClock()
    const tenants = [await createTenant(store, everyHour, clock), await createTenant(store, everyHour, clock)]
    const [ours, raw] = tenants
    if (ours === undefined || raw === undefined) throw new Error('no tenants')
    const booking = createBooking({ store, clock })
    const customers = await Promise.all(Array.from({ length: AT_ONCE }, () => createCustomer(store, ours.id)))
    const rawCustomers = await Promise.all(
      Array.from({ length: AT_ONCE }, () => createCustomer(store, raw.id)),
    )
    const byUseCase = (start: number) =>
      customers.map(async (customerId) => {
        const actor = { kind: 'customer', customerId } as const
        return booking.book(ours.id, actor, {
          service: 'corte',
          professional: 'ana',
          start: { instant: start },
        })
      })
    const bySql = (start: number) =>
      rawCustomers.map(async (customerId) => insertBySql(pool, raw, customerId, start))
    await measure(byUseCase, bySql, -WARM_UP, 0)
    const [useCaseMs, sqlMs] = await measure(byUseCase, bySql, 0, ROUNDS)
    const tries = ROUNDS * AT_ONCE
    const rate = sqlMs / useCaseMs
    console.log(`contended bookings, ${ROUNDS} starts, ${AT_ONCE} at once for each, one winner a start`)
    console.log(`  use case: ${(useCaseMs / tries).toFixed(2)} ms a try`)
    console.log(`  raw SQL:  ${(sqlMs / tries).toFixed(2)} ms a try`)
    console.log(
      `  rate: ${rate.toFixed(2)} of raw SQL (limit ${LEAST_RATE}${rate < LEAST_RATE ? ': UNDER' : ''})`,
    )
    if (rate < LEAST_RATE) process.exitCode = 1
  } finally {
    await pool.end()
    await prisma.$disconnect()
    await server.stop()
  }
}

type Attempts = (start: number) => Promise<unknown>[]

/** Milliseconds of each side over the starts `from` to `to`. */
async function measure(one: Attempts, other: Attempts, from: number, to: number): Promise<[number, number]> {
  const spent: [number, number] = [0, 0]
  for (let round = from; round < to; round += 1) {
    const start = FIRST_START + round * 60 * MINUTE_MS
    spent[0] += await timed(() => one(start))
    spent[1] += await timed(() => other(start))
  }
  return spent
}

async function timed(attempts: () => Promise<unknown>[]): Promise<number> {
  const began = performance.now()
  const { done } = await settleAll(attempts())
  const winners = done.filter((outcome) => outcome !== false).length
  if (winners !== 1) throw new Error(`${winners} winners for one start`)
  return performance.now() - began
}

/** What the use case must write, by hand: lock, appointment, reservation, audit row. False when it is taken. */
async function insertBySql(
  pool: Pool,
  tenant: TestTenant,
  customerId: string,
  start: number,
): Promise<boolean> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query(`select set_config('app.tenant_id', $1, true)`, [tenant.id])
    await writeRows(client, tenant, customerId, start)
    await client.query('commit')
    return true
  } catch (error) {
    await client.query('rollback')
    if (error instanceof Error && 'code' in error && error.code === '23P01') return false
    throw error
  } finally {
    client.release()
  }
}

async function writeRows(
  client: PoolClient,
  tenant: TestTenant,
  customerId: string,
  start: number,
): Promise<void> {
  const professionalId = tenant.professionalIds.get('ana')
  const serviceId = tenant.serviceIds.get('corte')
  const appointmentId = newId()
  const instant = (minutes: number) => new Date(start + minutes * MINUTE_MS).toISOString()
  await client.query(
    `select pg_advisory_xact_lock(key) from (select hashtextextended(name, 0) as key
       from unnest($1::text[]) as name order by key offset 0) as keys`,
    [[`professional:${tenant.id}:${professionalId}`, `customer:${tenant.id}:${customerId}`]],
  )
  await client.query(
    `insert into appointments (tenant_id, id, code, customer_id, professional_id, service_id, status,
       starts_at, ends_at, price_cents, source, updated_at)
     values ($1, $2, $3, $4, $5, $6, 'booked', $7, $8, 8000, 'customer', now())`,
    [tenant.id, appointmentId, newCode(), customerId, professionalId, serviceId, instant(0), instant(45)],
  )
  await client.query(
    `insert into reservations (tenant_id, id, resource_id, appointment_id, blocked_from, blocked_to)
     values ($1, $2, $3, $4, $5, $6)`,
    [tenant.id, newId(), professionalId, appointmentId, instant(0), instant(60)],
  )
  await client.query(
    `insert into appointment_audit (tenant_id, id, appointment_id, actor_kind, actor_id, action, change, at)
     values ($1, $2, $3, 'customer', $4, 'booked', '{}', now())`,
    [tenant.id, newId(), appointmentId, customerId],
  )
}
