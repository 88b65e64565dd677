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

describe('rule 5: offered and bookable are the same set', () => {
  it('books every offered start of a day and no other minute of it', async () => {
    const { booking, tenant, customer } = await bookingBench(database, {
      policy: { maxActivePerCustomer: 50 },
    })
    await booking.book(tenant.id, await customer(), {
      service: 'corte',
      professional: 'ana',
      start: at('10:00'),
    })
    const actor = await customer()
    const { times } = await booking.findTimes(tenant.id, actor, {
      service: 'barba',
      professional: 'ana',
      date: MONDAY,
    })
    const offered = new Set(times.map(({ startsAt }) => startsAt.slice(11)))
    expect(offered.size).toBe(14)
    for (let minute = 8 * 60; minute <= 18 * 60; minute += 15) {
      const time = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
      const attempt = booking.book(tenant.id, actor, {
        service: 'barba',
        professional: 'ana',
        start: at(time),
      })
      if (!offered.has(time)) {
        await refusalOf(attempt)
        continue
      }
      const { code } = await attempt
      await booking.cancel(tenant.id, actor, { code })
    }
  })

  it('lets no customer book too soon, too late, off the grid or in the past; the staff may, but for the past', async () => {
    const { booking, tenant, customer } = await bookingBench(database)
    const actor = await customer()
    const cases = [
      ['too_soon', at('13:00', '2026-11-30')],
      ['too_far', at('10:00', '2027-02-01')],
      ['off_grid', at('10:10')],
      ['in_the_past', at('11:00', '2026-11-30')],
      ['outside_hours', at('17:30')],
      ['closed_that_day', at('10:00', '2026-12-05')],
    ] as const
    for (const [code, start] of cases) {
      const refused = await refusalOf(booking.book(tenant.id, actor, { service: 'corte', start }))
      expect(refused.code).toBe(code)
      const byStaff = booking.book(tenant.id, STAFF, {
        service: 'corte',
        start,
        customer: (await customer()).customerId,
      })
      const lifted = code === 'too_soon' || code === 'too_far' || code === 'off_grid'
      if (lifted) expect(await byStaff).toMatchObject({ source: 'staff', status: 'booked' })
      else expect((await refusalOf(byStaff)).code).toBe(code)
    }
  })

  it('counts the whole last day as within the horizon', async () => {
    const { booking, tenant, customer } = await bookingBench(database, { policy: { maxAdvanceDays: 7 } })
    const actor = await customer()
    await booking.book(tenant.id, actor, { service: 'barba', start: at('17:30') })
    const refused = await refusalOf(
      booking.book(tenant.id, actor, { service: 'barba', start: at('09:00', '2026-12-08') }),
    )
    expect(refused).toMatchObject({ code: 'too_far', facts: { lastDate: MONDAY } })
  })

  it('lets the staff force hours, closed days and the past, and never a double booking', async () => {
    const { booking, tenant, customer } = await bookingBench(database)
    const { customerId } = await customer()
    const force = { service: 'corte', professional: 'ana', customer: customerId, force: true }
    for (const start of [at('22:00'), at('10:00', '2026-12-06'), at('03:07', '2026-11-02')]) {
      const { startsAt } = await booking.book(tenant.id, STAFF, { ...force, start })
      expect(startsAt.slice(0, 16)).toBe(start.wall)
      const again = booking.book(tenant.id, STAFF, {
        ...force,
        start,
        customer: (await customer()).customerId,
      })
      expect((await refusalOf(again)).code).toBe('time_taken')
      const busy = booking.book(tenant.id, STAFF, { ...force, professional: 'bia', start })
      expect((await refusalOf(busy)).code).toBe('customer_busy')
    }
    const byCustomer = booking.book(tenant.id, await customer(), { ...force, start: at('23:00') })
    expect((await refusalOf(byCustomer)).code).toBe('outside_hours')
  })

  it('knows only what is active, and who does what', async () => {
    const { booking, tenant, other, customer } = await bookingBench(database)
    const actor = await customer()
    const start = at('10:00')
    const refuse = (input: { service: string; professional?: string }) =>
      refusalOf(booking.book(tenant.id, actor, { ...input, start }))
    expect(await refuse({ service: 'massagem' })).toMatchObject({
      code: 'unknown_service',
      facts: { services: ['corte', 'barba'] },
    })
    expect((await refuse({ service: 'corte', professional: 'zoe' })).code).toBe('unknown_professional')
    expect(await refuse({ service: 'barba', professional: 'bia' })).toMatchObject({
      code: 'professional_does_not_do_service',
      facts: { professionals: ['ana'] },
    })
    await database.store.transact(tenant.id, async (tx) => {
      await tx.professional.updateMany({ where: { key: 'bia' }, data: { active: false } })
      await tx.service.updateMany({ where: { key: 'barba' }, data: { active: false } })
      await tx.tenant.update({ where: { id: tenant.id }, data: { version: { increment: 1 } } })
    })
    expect((await refuse({ service: 'barba' })).code).toBe('unknown_service')
    expect((await refuse({ service: 'corte', professional: 'bia' })).code).toBe('unknown_professional')
    expect((await booking.listServices(tenant.id)).map(({ key }) => key)).toEqual(['corte'])
    expect(await booking.listServices(other.id)).toMatchObject([
      { key: 'corte', priceCents: 8_000, currency: 'BRL', professionals: [{ key: 'ana' }, { key: 'bia' }] },
      { key: 'barba', professionals: [{ key: 'ana' }] },
    ])
  })
})

describe('rule 6: nobody named', () => {
  it('gives the start to who has the fewest appointments that local day', async () => {
    const { booking, tenant, customer } = await bookingBench(database)
    for (const time of ['09:00', '10:00']) {
      await booking.book(tenant.id, await customer(), {
        service: 'corte',
        professional: 'ana',
        start: at(time),
      })
    }
    const { professional } = await booking.book(tenant.id, await customer(), {
      service: 'corte',
      start: at('15:00'),
    })
    expect(professional.key).toBe('bia')
  })

  it('rotates among equals, and books with who was offered', async () => {
    const { booking, tenant, customer } = await bookingBench(database)
    const seen = new Set<string>()
    for (let day = 7; day <= 11; day += 1) {
      const date = `2026-12-${String(day).padStart(2, '0')}`
      const actor = await customer()
      const { times } = await booking.findTimes(tenant.id, actor, { service: 'corte', date })
      const offer = times.find(({ startsAt }) => startsAt === `${date}T15:00`)
      const booked = await booking.book(tenant.id, actor, { service: 'corte', start: at('15:00', date) })
      expect(booked.professional.key).toBe(offer?.professional)
      seen.add(booked.professional.key)
      for (const { professional } of times) seen.add(professional)
    }
    expect(seen).toEqual(new Set(['ana', 'bia']))
  })

  it('calcom-12376: who alone works at that hour gets it, always', async () => {
    const hours = (from: string) => [{ weekdays: [1, 2, 3, 4, 5, 6, 7], from, to: '17:00' }]
    const { booking, tenant, customer } = await bookingBench(database, {
      timeZone: 'UTC',
      services: [{ key: 'longo', name: 'Longo', durationMinutes: 120 }],
      professionals: [
        { key: 'ana', name: 'Ana', services: ['longo'], hours: hours('09:00') },
        { key: 'bia', name: 'Bia', services: ['longo'], hours: hours('10:00') },
      ],
    })
    for (let day = 2; day <= 9; day += 1) {
      const start = at('09:00', `2026-12-0${day}`)
      const { professional } = await booking.book(tenant.id, await customer(), { service: 'longo', start })
      expect(professional.key).toBe('ana')
    }
  })
})

describe('rule 8: one customer', () => {
  it('has so many future appointments and no more, also for others; the staff may add', async () => {
    const { booking, clock, tenant, customer } = await bookingBench(database, {
      policy: { maxActivePerCustomer: 2 },
    })
    const actor = await customer()
    const first = await booking.book(tenant.id, actor, { service: 'corte', start: at('10:00') })
    const second = await booking.book(tenant.id, actor, {
      service: 'corte',
      start: at('15:00'),
      forName: 'Léo',
    })
    await booking.confirm(tenant.id, actor, second.code)
    const third = { service: 'corte', start: at('10:00', '2026-12-08') }
    expect(await refusalOf(booking.book(tenant.id, actor, third))).toMatchObject({
      code: 'limit_reached',
      facts: { limit: 2, codes: [first.code, second.code] },
    })
    const byStaff = await booking.book(tenant.id, STAFF, { ...third, customer: actor.customerId })
    await booking.cancel(tenant.id, STAFF, { code: byStaff.code })
    await booking.cancel(tenant.id, actor, { code: first.code })
    const freed = await booking.book(tenant.id, actor, third)
    await booking.cancel(tenant.id, actor, { code: freed.code })
    clock.set(Date.parse(`${MONDAY}T15:00:00-03:00`))
    await booking.book(tenant.id, actor, third)
    await booking.book(tenant.id, actor, { service: 'corte', start: at('14:00', '2026-12-08') })
  })

  it('is at one place at a time, but for different people', async () => {
    const { booking, tenant, customer } = await bookingBench(database, {
      policy: { maxActivePerCustomer: 50 },
    })
    const actor = await customer()
    const base = { service: 'corte', start: at('10:00') }
    const mine = await booking.book(tenant.id, actor, { ...base, professional: 'ana' })
    expect(await refusalOf(booking.book(tenant.id, actor, { ...base, professional: 'bia' }))).toMatchObject({
      code: 'customer_busy',
      facts: { code: mine.code, startsAt: `${MONDAY}T10:00`, endsAt: `${MONDAY}T10:45` },
    })
    const his = await booking.book(tenant.id, actor, {
      ...base,
      professional: 'bia',
      forName: ' Léo  Silva ',
    })
    expect(his.forName).toBe('Léo Silva')
    const later = await booking.book(tenant.id, actor, {
      ...base,
      professional: 'ana',
      start: at('11:00'),
      forName: 'léo silva',
    })
    await booking.cancel(tenant.id, actor, { code: mine.code })
    const onto = booking.reschedule(tenant.id, actor, { code: later.code, start: at('10:00') })
    expect((await refusalOf(onto)).code).toBe('customer_busy')
  })

  it('must be a customer of the tenant', async () => {
    const { booking, tenant, other, customer } = await bookingBench(database)
    const { customerId } = await customer(other)
    const attempt = booking.book(tenant.id, STAFF, {
      service: 'corte',
      start: at('10:00'),
      customer: customerId,
    })
    expect((await refusalOf(attempt)).code).toBe('not_found')
  })
})

describe('rule 9: states', () => {
  it('blocks its time in every state but cancelled, and is over when it is over', async () => {
    const { booking, tenant, customer } = await bookingBench(database)
    const input = { service: 'corte', professional: 'ana', start: at('10:00') }
    const { code } = await booking.book(tenant.id, await customer(), input)
    const isTaken = async () => (await refusalOf(booking.book(tenant.id, await customer(), input))).code
    expect((await booking.confirm(tenant.id, STAFF, code)).status).toBe('confirmed')
    expect((await booking.confirm(tenant.id, STAFF, code)).status).toBe('confirmed')
    expect(await isTaken()).toBe('time_taken')
    expect((await booking.complete(tenant.id, STAFF, code)).status).toBe('completed')
    expect(await isTaken()).toBe('time_taken')
    const { done, codes } = await settleAll([
      booking.noShow(tenant.id, STAFF, code),
      booking.confirm(tenant.id, STAFF, code),
      booking.cancel(tenant.id, STAFF, { code }),
      booking.reschedule(tenant.id, STAFF, { code, start: at('15:00') }),
    ])
    expect(done).toEqual([])
    expect(new Set(codes)).toEqual(new Set(['wrong_state']))
    const missed = await booking.book(tenant.id, await customer(), { ...input, start: at('15:00') })
    expect((await booking.noShow(tenant.id, STAFF, missed.code)).status).toBe('no_show')
  })

  it('keeps an audit row with its actor for every change, and none for what changes nothing', async () => {
    const { booking, tenant, customer } = await bookingBench(database)
    const actor = await customer()
    const { code } = await booking.book(tenant.id, actor, {
      service: 'corte',
      professional: 'ana',
      start: at('10:00'),
    })
    await booking.reschedule(tenant.id, STAFF, { code, start: at('11:00') })
    await booking.reschedule(tenant.id, STAFF, { code, start: at('11:00') })
    await booking.confirm(tenant.id, actor, code)
    await booking.confirm(tenant.id, actor, code)
    await booking.cancel(tenant.id, actor, { code, reason: 'viagem' })
    const rows = await database.store.read(tenant.id, (reader) =>
      reader.appointmentAudit.findMany({ orderBy: { id: 'asc' } }),
    )
    expect(rows.map(({ action, actorKind, actorId }) => [action, actorKind, actorId])).toEqual([
      ['booked', 'customer', actor.customerId],
      ['rescheduled', 'staff', STAFF.staffId],
      ['confirmed', 'customer', actor.customerId],
      ['cancelled', 'customer', actor.customerId],
    ])
    expect(rows[1]?.change).toEqual({
      startsAt: { from: `${MONDAY}T13:00:00.000Z`, to: `${MONDAY}T14:00:00.000Z` },
      professional: { from: 'ana', to: 'ana' },
    })
    expect(rows[3]?.change).toMatchObject({ reason: { to: 'viagem' } })
  })
})
