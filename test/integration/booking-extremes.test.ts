import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bookingBench, refusalOf, STAFF, settleAll } from '../support/booking-harness.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

const WALLS = [
  '0000-01-01T00:00',
  '0001-01-01T00:00',
  '0001-01-01T10:00',
  '1969-12-31T23:59',
  '2999-12-31T23:59',
  '9999-12-31T23:59',
  '9999-12-31T09:00',
  '2026-02-30T10:00',
  '2026-12-07T24:00',
  '2026-12-07',
  'tomorrow',
  '',
]
const DATES = ['0000-01-01', '0001-01-01', '1899-12-31', '9999-12-31', '2026-02-30', 'soon', '']

/** `settleAll` throws whatever is no refusal of a rule. */
describe('a moment that no business means', () => {
  it.each(WALLS)('is refused by a rule when it is booked or moved to: "%s"', async (wall) => {
    const { booking, tenant, customer } = await bookingBench(database)
    const actor = await customer()
    const somebody = await customer()
    const mine = { service: 'corte', professional: 'ana' }
    const { code } = await booking.book(tenant.id, actor, { ...mine, start: { wall: '2026-12-07T10:00' } })
    const { done, codes } = await settleAll([
      booking.book(tenant.id, actor, { ...mine, start: { wall } }),
      booking.book(tenant.id, somebody, { service: 'corte', start: { wall } }),
      booking.reschedule(tenant.id, actor, { code, start: { wall } }),
      booking.book(tenant.id, STAFF, { service: 'barba', start: { wall } }),
      booking.reschedule(tenant.id, STAFF, { code, start: { wall }, professional: 'bia' }),
    ])
    expect(done).toEqual([])
    expect(codes).toHaveLength(5)
    if (!/^[12]\d{3}-(?!02-30)\d\d-\d\dT(?!24)/.test(wall)) {
      const force = { service: 'corte', force: true, start: { wall } }
      expect((await refusalOf(booking.book(tenant.id, STAFF, force))).code).toBe('invalid_start')
    }
  })

  it.each(DATES)('has no free times: "%s"', async (date) => {
    const { booking, tenant, customer } = await bookingBench(database)
    const actor = await customer()
    const { done, codes } = await settleAll<unknown>([
      booking.findTimes(tenant.id, actor, { service: 'corte', date }),
      booking.findTimes(tenant.id, STAFF, { service: 'corte', date, period: 'evening' }),
      booking.findAvailability(tenant.id, {
        service: 'corte',
        fromDate: date,
        toDate: date,
        limits: 'staff',
      }),
      booking.listForStaff(tenant.id, { fromDate: date }),
    ])
    expect(done).toEqual([])
    expect(codes).toHaveLength(4)
  })

  it('as an instant is refused too, however large', async () => {
    const { booking, tenant } = await bookingBench(database)
    for (const instant of [Number.NaN, 1e300, -1e300, 0.5, 8.64e15, -8.64e15, Number.POSITIVE_INFINITY]) {
      const attempt = booking.book(tenant.id, STAFF, { service: 'corte', start: { instant }, force: true })
      expect((await refusalOf(attempt)).code, String(instant)).toBe('invalid_start')
    }
  })
})

describe('text that PostgreSQL does not keep', () => {
  it('is kept without its NUL characters, or finds nothing', async () => {
    const { booking, tenant, customer } = await bookingBench(database)
    const actor = await customer()
    const input = { service: 'corte', start: { wall: '2026-12-07T10:00' } }
    const booked = await booking.book(tenant.id, actor, {
      ...input,
      forName: 'L\0éo \0',
    })
    expect(booked.forName).toBe('L éo')
    const cancelled = await booking.cancel(tenant.id, actor, { code: `${booked.code}\0`, reason: 'via\0gem' })
    expect(cancelled.status).toBe('cancelled')
    const { codes } = await settleAll<unknown>([
      booking.book(tenant.id, actor, { ...input, service: 'cor\0te' }),
      booking.book(tenant.id, actor, { ...input, professional: '\0' }),
      booking.getByCode(tenant.id, actor, '\0'),
      booking.confirm(tenant.id, actor, 'A\0B'),
    ])
    expect(codes).toEqual(['unknown_service', 'unknown_professional', 'not_found', 'not_found'])
  })
})
