/**
 * The long race, by command: `npm run bench -- race [rounds]`. In each round 30 customers want
 * one start of one professional at once; there must be one winner, 29 refusals that read `time_taken`, no
 * other error, and in the end no two reservations of one professional that overlap.
 */
import { createBooking } from '../../src/booking/create-booking.ts'
import { startEphemeralPostgres } from '../../src/db/ephemeral-postgres.ts'
import {
  applyMigrations,
  createPrismaClient,
  createTenantStore,
  sql,
  type TenantStore,
} from '../../src/db/index.ts'
import { settleAll } from '../support/booking-harness.ts'
import { createCustomer, createTestClock, createTwoTenants } from '../support/factories.ts'

const AT_ONCE = 30
const DEFAULT_ROUNDS = 1_000
const MAX_ROUNDS = 8_000
const HOUR_MS = 3_600_000
const FIRST_START = Date.parse('2026-12-07T12:00:00Z')

const alwaysOpen = {
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

export async function bench([given]: readonly string[] = []): Promise<void> {
  const wanted = Number(given ?? DEFAULT_ROUNDS)
  const rounds = Number.isSafeInteger(wanted) && wanted > 0 ? Math.min(wanted, MAX_ROUNDS) : DEFAULT_ROUNDS
  const server = await startEphemeralPostgres({ log: () => undefined })
  const prisma = createPrismaClient({ databaseUrl: server.url })
  try {
    await applyMigrations(server.url, { log: () => undefined })
    const store = createTenantStore({ prisma })
    const [tenant, other] = await createTwoTenants(store, alwaysOpen)
    const booking = createBooking({ store, clock: createTestClock() })
    const began = performance.now()
    for (let round = 0; round < rounds; round += 1) {
      const customers = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, index) =>
          createCustomer(store, tenant.id, { phone: `55119${10_000_000 + round * AT_ONCE + index}` }),
        ),
      )
      const start = { instant: FIRST_START + round * HOUR_MS }
      const { done, codes } = await settleAll(
        customers.map((customerId) =>
          booking.book(
            tenant.id,
            { kind: 'customer', customerId },
            { service: 'corte', professional: 'ana', start },
          ),
        ),
      )
      const isRight = done.length === 1 && codes.length === AT_ONCE - 1 && new Set(codes).size === 1
      if (!isRight) throw new Error(`round ${round}: ${done.length} winners, refusals ${codes.join(' ')}`)
    }
    const overlaps = await countOverlaps(store)
    const strangers = await store.read(other.id, (reader) => reader.appointment.count())
    if (overlaps > 0 || strangers > 0)
      throw new Error(`${overlaps} overlaps, ${strangers} at the other tenant`)
    const seconds = (performance.now() - began) / 1_000
    console.log(`${rounds} rounds of ${AT_ONCE}: one winner each, no overlap, ${seconds.toFixed(0)} s`)
  } finally {
    await prisma.$disconnect()
    await server.stop()
  }
}

async function countOverlaps(store: TenantStore): Promise<number> {
  const rows = await store.unsafeRead('counts conflicts over all tenants', (reader) =>
    reader.$queryRaw<{ count: bigint }[]>(sql`select count(*) from reservations a join reservations b
      on a.tenant_id = b.tenant_id and a.resource_id = b.resource_id and a.id < b.id and a.blocked && b.blocked`),
  )
  return Number(rows[0]?.count)
}
