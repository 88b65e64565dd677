import { afterAll, beforeAll, expect, it } from 'vitest'
import { createBooking } from '../../src/booking/create-booking.ts'
import { applyTenantDocument } from '../../src/tenancy/apply-tenant-document.ts'
import { parseTenantDocument } from '../../src/tenancy/parse-tenant-document.ts'
import { bookingBench, refusalOf } from '../support/booking-harness.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { studioDocument, TEST_ENCRYPTION_KEY, type TestTenant } from '../support/factories.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

const at = (time: string) => ({ wall: `2026-12-07T${time}` })

it('a booking knows a tenant document that another process changed since, for good and for bad', async () => {
  const { booking, clock, tenant, other, customer } = await bookingBench(database)
  const neighbour = createBooking({ store: database.store, clock })
  const change = async ({ slug, document }: TestTenant, overrides: object) => {
    const { channel } = document
    const input = parseTenantDocument(studioDocument({ slug, channel, ...overrides }))
    await applyTenantDocument(database.store, input, { encryptionKey: TEST_ENCRYPTION_KEY, clock })
  }
  const corte = { service: 'corte', professional: 'ana' }
  await booking.book(tenant.id, await customer(), { ...corte, start: at('09:00') })
  await neighbour.book(other.id, await customer(other), { ...corte, start: at('09:00') })

  const services = [
    { key: 'corte', name: 'Corte', durationMinutes: 120, priceCents: 9_900 },
    { key: 'tintura', name: 'Tintura', durationMinutes: 60 },
  ]
  const hours = [{ weekdays: [1], from: '09:00', to: '16:00' }]
  const professionals = [{ key: 'ana', name: 'Ana', services: ['corte', 'tintura'], hours }]
  await change(tenant, { services, professionals })

  const longer = await booking.book(tenant.id, await customer(), { ...corte, start: at('10:00') })
  expect(longer).toMatchObject({ endsAt: '2026-12-07T12:00:00-03:00', priceCents: 9_900 })
  const late = booking.book(tenant.id, await customer(), { ...corte, start: at('15:00') })
  expect((await refusalOf(late)).code).toBe('outside_hours')
  const novel = { service: 'tintura', start: at('15:00') }
  expect(await booking.book(tenant.id, await customer(), novel)).toMatchObject({
    service: { key: 'tintura' },
  })
  const gone = booking.book(tenant.id, await customer(), { service: 'barba', start: at('13:00') })
  expect((await refusalOf(gone)).code).toBe('unknown_service')
  const elsewhere = await booking.book(other.id, await customer(other), { ...corte, start: at('10:00') })
  expect(elsewhere).toMatchObject({ endsAt: '2026-12-07T10:45:00-03:00', priceCents: 8_000 })
})
