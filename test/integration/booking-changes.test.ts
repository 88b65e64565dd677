import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bookingBench, refusalOf, STAFF, settleAll } from '../support/booking-harness.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

/** The clock stands at Monday 2026-11-30, 12:00 in São Paulo; the studio is open weekdays 9–12 and 13–18. */
const MONDAY = '2026-12-07'
const at = (time: string, date = MONDAY) => ({ wall: `${date}T${time}` })

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

describe('rule 7: reschedule and cancel', () => {
  it('calcom-2668: an appointment does not stand in its own way', async () => {
    const { booking, tenant, customer } = await bookingBench(database, {
      timeZone: 'UTC',
      policy: { slotStepMinutes: 15 },
      services: [{ key: 'hora', name: 'Hora', durationMinutes: 60 }],
      professionals: [
        {
          key: 'ana',
          name: 'Ana',
          services: ['hora'],
          hours: [{ weekdays: [1], from: '08:00', to: '17:00' }],
        },
      ],
    })
    const actor = await customer()
    const booked = await booking.book(tenant.id, actor, { service: 'hora', start: at('11:30') })
    const moved = await booking.reschedule(tenant.id, actor, { code: booked.code, start: at('11:45') })
    expect(moved).toMatchObject({ code: booked.code, startsAt: `${MONDAY}T11:45:00+00:00` })
    const rows = await database.store.read(tenant.id, (reader) => reader.reservation.findMany())
    expect(rows.map((row) => row.blockedFrom.toISOString())).toEqual([`${MONDAY}T11:45:00.000Z`])
  })

  it('keeps the professional who is not named, and frees the old time at once', async () => {
    const { booking, tenant, customer } = await bookingBench(database)
    const actor = await customer()
    const input = { service: 'corte', professional: 'bia' }
    const { code } = await booking.book(tenant.id, actor, { ...input, start: at('10:00') })
    const moved = await booking.reschedule(tenant.id, actor, { code, start: at('11:00') })
    expect(moved.professional.key).toBe('bia')
    await booking.book(tenant.id, await customer(), { ...input, start: at('10:00') })
    const other = await booking.reschedule(tenant.id, actor, {
      code,
      start: at('10:00'),
      professional: 'ana',
    })
    expect(other.professional.key).toBe('ana')
    await booking.book(tenant.id, await customer(), { ...input, start: at('11:00') })
    expect(await booking.reschedule(tenant.id, actor, { code })).toEqual(other)
  })

  it('refuses a move onto somebody else, and leaves everything as it was', async () => {
    const { booking, tenant, customer } = await bookingBench(database)
    const actor = await customer()
    const input = { service: 'corte', professional: 'ana' }
    await booking.book(tenant.id, await customer(), { ...input, start: at('11:00') })
    const booked = await booking.book(tenant.id, actor, { ...input, start: at('10:00') })
    const refused = await refusalOf(
      booking.reschedule(tenant.id, actor, { code: booked.code, start: at('11:00') }),
    )
    expect(refused.code).toBe('time_taken')
    expect(await booking.getByCode(tenant.id, actor, booked.code)).toEqual(booked)
  })

  it('frees the time of a cancelled appointment at once, and never revives it', async () => {
    const { booking, tenant, customer } = await bookingBench(database)
    const actor = await customer()
    const input = { service: 'corte', professional: 'ana', start: at('10:00') }
    const { code } = await booking.book(tenant.id, actor, input)
    const cancelled = await booking.cancel(tenant.id, actor, { code, reason: 'viagem' })
    expect(cancelled).toMatchObject({ code, status: 'cancelled' })
    await booking.book(tenant.id, await customer(), input)
    const { codes } = await settleAll([
      booking.cancel(tenant.id, actor, { code }),
      booking.reschedule(tenant.id, actor, { code, start: at('15:00') }),
      booking.confirm(tenant.id, actor, code),
    ])
    expect(codes).toEqual(['already_cancelled', 'already_cancelled', 'already_cancelled'])
  })

  it('binds customers to the change notice, not the staff', async () => {
    const { booking, clock, tenant, customer } = await bookingBench(database)
    const actor = await customer()
    const { code } = await booking.book(tenant.id, actor, { service: 'corte', start: at('15:00') })
    clock.set(Date.parse(`${MONDAY}T13:00:00-03:00`))
    await booking.reschedule(tenant.id, actor, { code, start: at('16:00') })
    clock.set(Date.parse(`${MONDAY}T14:00:01-03:00`))
    const cancel = await refusalOf(booking.cancel(tenant.id, actor, { code }))
    const move = await refusalOf(booking.reschedule(tenant.id, actor, { code, start: at('17:00') }))
    expect([cancel.code, move.code]).toEqual(['change_too_late', 'change_too_late'])
    expect(cancel.suggestion).toContain('atendente')
    await booking.reschedule(tenant.id, STAFF, { code, start: at('17:00') })
    await booking.cancel(tenant.id, STAFF, { code })
  })

  it("answers another customer's and another tenant's code in the words of one that never was", async () => {
    const { booking, tenant, other, customer } = await bookingBench(database)
    const owner = await customer()
    const stranger = await customer()
    const { code } = await booking.book(tenant.id, owner, { service: 'corte', start: at('10:00') })
    const elsewhere = await customer(other)
    const start = at('15:00')
    const refusals = await Promise.all(
      [
        booking.getByCode(tenant.id, owner, 'NEVER1'),
        booking.getByCode(tenant.id, stranger, code),
        booking.cancel(tenant.id, stranger, { code }),
        booking.reschedule(tenant.id, stranger, { code, start }),
        booking.confirm(tenant.id, stranger, code),
        booking.getByCode(other.id, elsewhere, code),
        booking.getByCode(other.id, STAFF, code),
        booking.cancel(other.id, STAFF, { code }),
        booking.complete(other.id, STAFF, code),
      ].map(refusalOf),
    )
    const words = refusals.map(({ code: word, message, suggestion, facts }) =>
      JSON.stringify({ word, message, suggestion, facts }),
    )
    expect(new Set(words).size).toBe(1)
    expect(refusals[0]?.code).toBe('not_found')
    expect((await booking.getByCode(tenant.id, owner, ` ${code.toLowerCase()} `)).status).toBe('booked')
  })
})
