import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bookingBench, settleAll } from '../support/booking-harness.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

const MONDAY = '2026-12-07'
const at = (time: string, date = MONDAY) => ({ wall: `${date}T${time}` })

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

describe('idempotency', () => {
  const input = { service: 'corte', start: at('10:00'), idempotencyKey: 'run-1:toolu-1' }

  it('50 at once with one key have one effect and the same answer', async () => {
    const { booking, tenant, customer } = await bookingBench(database)
    const actor = await customer()
    const answers = await Promise.all(Array.from({ length: 50 }, () => booking.book(tenant.id, actor, input)))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    const count = await database.store.read(tenant.id, (reader) => reader.appointment.count())
    expect(count).toBe(1)
  })

  it('answers again what it answered first, whatever happened since, and per tenant', async () => {
    const { booking, tenant, other, customer } = await bookingBench(database)
    const actor = await customer()
    const first = await booking.book(tenant.id, actor, input)
    await booking.cancel(tenant.id, actor, { code: first.code, idempotencyKey: 'run-1:toolu-2' })
    expect(await booking.book(tenant.id, actor, input)).toEqual(first)
    const again = await booking.cancel(tenant.id, actor, {
      code: first.code,
      idempotencyKey: 'run-1:toolu-2',
    })
    expect(again.status).toBe('cancelled')
    expect((await booking.book(other.id, await customer(other), input)).code).not.toBe(first.code)
  })

  it('refuses another request under the same key, also another customer', async () => {
    const { booking, tenant, customer } = await bookingBench(database)
    const actor = await customer()
    await booking.book(tenant.id, actor, input)
    const stranger = await customer()
    const { done, codes } = await settleAll([
      booking.book(tenant.id, actor, { ...input, start: at('15:00') }),
      booking.book(tenant.id, actor, { ...input, service: 'barba' }),
      booking.book(tenant.id, actor, { ...input, forName: 'Léo' }),
      booking.book(tenant.id, stranger, input),
    ])
    expect(done).toEqual([])
    expect(new Set(codes)).toEqual(new Set(['idempotency_mismatch']))
  })

  it('tells what a key did, waits for who is at work under it, and never crosses tenants', async () => {
    const { booking, tenant, other, customer } = await bookingBench(database)
    const look = (tenantId: string) =>
      booking.lookupByIdempotencyKey(tenantId, 'book_appointment', input.idempotencyKey)
    expect(await look(tenant.id)).toBeNull()
    const booked = await booking.book(tenant.id, await customer(), input)
    expect(await look(tenant.id)).toEqual(booked)
    expect(await look(other.id)).toBeNull()
    expect(
      await booking.lookupByIdempotencyKey(tenant.id, 'cancel_appointment', input.idempotencyKey),
    ).toBeNull()
  })
})
