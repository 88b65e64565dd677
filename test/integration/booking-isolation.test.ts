import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Booking } from '../../src/booking/create-booking.ts'
import { newId } from '../../src/shared/ids.ts'
import { getTenantDocument } from '../../src/tenancy/apply-tenant-document.ts'
import { loadCatalog } from '../../src/tenancy/catalog.ts'
import { loadTenantProfile } from '../../src/tenancy/tenant-profile.ts'
import { findTenantBySlug } from '../../src/tenancy/tenants.ts'
import { bookingBench, refusalOf, STAFF, settleAll } from '../support/booking-harness.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

const start = { wall: '2026-12-07T10:00' }

/** A tenant with one appointment, and its stranger: what the stranger gets when it uses the ids of the first. */
async function setUp() {
  const bench = await bookingBench(database)
  const { booking, tenant, customer } = bench
  const actor = await customer()
  const input = { service: 'corte', professional: 'ana', start, idempotencyKey: 'key' }
  const { code } = await booking.book(tenant.id, actor, input)
  return { ...bench, actor, code }
}

describe('every use case of booking, called with the ids of another tenant', () => {
  it('that names an appointment answers not_found, to customers and to the staff, and changes nothing', async () => {
    const { booking, tenant, other, actor, code } = await setUp()
    const uses: Readonly<Record<string, Promise<unknown>>> = {
      getByCode: booking.getByCode(other.id, actor, code),
      getByCodeForStaff: booking.getByCode(other.id, STAFF, code),
      reschedule: booking.reschedule(other.id, actor, { code, start: { wall: '2026-12-07T15:00' } }),
      rescheduleByStaff: booking.reschedule(other.id, STAFF, { code, professional: 'bia', force: true }),
      cancel: booking.cancel(other.id, actor, { code }),
      cancelByStaff: booking.cancel(other.id, STAFF, { code, reason: 'x' }),
      confirm: booking.confirm(other.id, actor, code),
      confirmByStaff: booking.confirm(other.id, STAFF, code),
      complete: booking.complete(other.id, STAFF, code),
      noShow: booking.noShow(other.id, STAFF, code),
    }
    const refused = await Promise.all(
      Object.entries(uses).map(async ([use, attempt]) => [use, (await refusalOf(attempt)).code]),
    )
    for (const [use, word] of refused) expect(word, use).toBe('not_found')
    expect(await booking.getByCode(tenant.id, actor, code)).toMatchObject({ status: 'booked', code })
    const audit = await database.store.read(tenant.id, (reader) => reader.appointmentAudit.count())
    expect(audit).toBe(1)
  })

  it('that books for a customer of another tenant answers not_found', async () => {
    const { booking, other, actor } = await setUp()
    const wish = { service: 'corte', start: { wall: '2026-12-07T15:00' } }
    const { done, codes } = await settleAll([
      booking.book(other.id, actor, wish),
      booking.book(other.id, STAFF, { ...wish, customer: actor.customerId }),
    ])
    expect(done).toEqual([])
    expect(codes).toEqual(['not_found', 'not_found'])
  })

  it('that lists or offers shows nothing of the other tenant, and is not in its way', async () => {
    const { booking, tenant, other, actor } = await setUp()
    expect(await booking.listForCustomer(other.id, actor.customerId)).toEqual([])
    expect(await booking.listForStaff(other.id, {})).toEqual({ items: [], nextCursor: null })
    expect(await booking.lookupByIdempotencyKey(other.id, 'book_appointment', 'key')).toBeNull()
    const day = { service: 'corte', professional: 'ana', fromDate: '2026-12-07', toDate: '2026-12-07' }
    const startsOf = async (id: string) =>
      (await booking.findAvailability(id, { ...day, limits: 'customer' })).map(({ startsAt }) => startsAt)
    expect(await startsOf(tenant.id)).not.toContain('2026-12-07T10:00:00-03:00')
    expect(await startsOf(other.id)).toContain('2026-12-07T10:00:00-03:00')
    const times = await booking.findTimes(other.id, actor, { ...day, date: '2026-12-07' })
    expect(times.times.map(({ startsAt }) => startsAt)).toContain('2026-12-07T10:00')
    expect(await booking.listServices(other.id)).toEqual(await booking.listServices(tenant.id))
  })

  it('leaves out no use case', async () => {
    const { booking } = await setUp()
    const covered: Readonly<Record<keyof Booking, true>> = {
      listServices: true,
      findTimes: true,
      findAvailability: true,
      book: true,
      reschedule: true,
      cancel: true,
      confirm: true,
      complete: true,
      noShow: true,
      listForCustomer: true,
      listForStaff: true,
      getByCode: true,
      lookupByIdempotencyKey: true,
    }
    expect(Object.keys(booking).sort()).toEqual(Object.keys(covered).sort())
  })
})

describe('the repositories of tenancy', () => {
  it('read the tenant of their handle alone', async () => {
    const { tenant, other } = await setUp()
    const read = (id: string) =>
      database.store.read(id, async (reader) => ({
        profile: await loadTenantProfile(reader),
        catalog: await loadCatalog(reader),
      }))
    const [mine, theirs] = [await read(tenant.id), await read(other.id)]
    expect(mine.profile).toMatchObject({ id: tenant.id, slug: tenant.slug })
    const ids = ({ catalog }: typeof mine) =>
      [...catalog.services, ...catalog.professionals].map(({ id }) => id)
    expect(ids(mine).filter((id) => ids(theirs).includes(id))).toEqual([])
    await expect(read(newId())).rejects.toMatchObject({ code: 'tenant_not_found' })
  })

  it('find a tenant by its own slug only', async () => {
    const { tenant, other } = await setUp()
    expect(await findTenantBySlug(database.store, tenant.slug)).toBe(tenant.id)
    expect(await findTenantBySlug(database.store, `${tenant.slug}x`)).toBeNull()
    expect(JSON.stringify(await getTenantDocument(database.store, other.slug))).not.toContain(tenant.slug)
  })

  it('give a handle that asks for the rows of another tenant nothing, by SQL or by Prisma', async () => {
    const { tenant, other, code } = await setUp()
    const seen = await database.store.transact(other.id, async (tx) => [
      await tx.tenant.count({ where: { id: tenant.id } }),
      await tx.service.count({ where: { tenantId: tenant.id } }),
      await tx.professional.count({ where: { tenantId: tenant.id } }),
      await tx.shift.count({ where: { tenantId: tenant.id } }),
      await tx.appointment.count({ where: { code } }),
      await tx.reservation.count({ where: { tenantId: tenant.id } }),
      await tx.appointmentAudit.count({ where: { tenantId: tenant.id } }),
      await tx.idempotencyRecord.count({ where: { tenantId: tenant.id } }),
    ])
    expect(seen).toEqual([0, 0, 0, 0, 0, 0, 0, 0])
  })
})
