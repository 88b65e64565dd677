import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { wallTimeOf } from '../../src/booking/appointment-dto.ts'
import { bookingBench, refusalOf, STAFF } from '../support/booking-harness.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

const MONDAY = '2026-12-07'
const at = (time: string, date = MONDAY) => ({ wall: `${date}T${time}` })

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

describe('a refusal holds the next step', () => {
  it('time_taken: the nearest three free starts, which can be booked', async () => {
    const { booking, tenant, customer } = await bookingBench(database)
    const input = { service: 'corte', professional: 'ana' }
    await booking.book(tenant.id, await customer(), { ...input, start: at('10:00') })
    const refused = await refusalOf(
      booking.book(tenant.id, await customer(), { ...input, start: at('10:00') }),
    )
    const nearest = ['09:00', '11:00', '13:00'].map((time) => ({
      startsAt: `${MONDAY}T${time}`,
      professional: 'ana',
    }))
    expect(refused).toMatchObject({ code: 'time_taken', facts: { nearest } })
    expect(refused.suggestion).toContain(`${MONDAY}T09:00 (ana), ${MONDAY}T11:00 (ana)`)
    for (const { startsAt } of nearest) {
      await booking.book(tenant.id, await customer(), { ...input, start: { wall: startsAt } })
    }
  })

  it('closed_that_day: why, and the next date with a time', async () => {
    const { booking, tenant, customer } = await bookingBench(database, {
      exceptions: [{ professional: null, from: '2026-12-07', to: '2026-12-08', hours: [] }],
    })
    const actor = await customer()
    const book = (date: string) =>
      refusalOf(booking.book(tenant.id, actor, { service: 'corte', start: at('10:00', date) }))
    expect(await book('2026-12-05')).toMatchObject({
      code: 'closed_that_day',
      facts: { date: '2026-12-05', closedBy: 'weekly_hours', nextDate: '2026-12-09' },
    })
    expect(await book(MONDAY)).toMatchObject({ facts: { closedBy: 'exception', nextDate: '2026-12-09' } })
    const find = booking.findTimes(tenant.id, actor, { service: 'corte', date: MONDAY })
    expect(await refusalOf(find)).toMatchObject({
      code: 'closed_that_day',
      facts: { closedBy: 'exception', nextDate: '2026-12-09' },
    })
  })

  it('too_soon: the earliest; outside_hours: the hours; off_grid: the nearest', async () => {
    const { booking, tenant, customer } = await bookingBench(database, {
      policy: { minNoticeMinutes: 1_440 },
    })
    const actor = await customer()
    const book = (start: { wall: string }) =>
      refusalOf(booking.book(tenant.id, actor, { service: 'barba', professional: 'ana', start }))
    expect(await book(at('10:00', '2026-12-01'))).toMatchObject({
      code: 'too_soon',
      facts: { earliest: '2026-12-01T13:00' },
    })
    expect(await book(at('12:00'))).toMatchObject({
      code: 'outside_hours',
      facts: {
        open: [
          { professional: 'ana', from: `${MONDAY}T09:00`, to: `${MONDAY}T12:00` },
          { professional: 'ana', from: `${MONDAY}T13:00`, to: `${MONDAY}T18:00` },
        ],
      },
    })
    expect(await book(at('10:10'))).toMatchObject({
      code: 'off_grid',
      facts: {
        nearest: [
          { startsAt: `${MONDAY}T09:30` },
          { startsAt: `${MONDAY}T10:00` },
          { startsAt: `${MONDAY}T10:30` },
        ],
      },
    })
    for (const wall of ['2026-02-30T10:00', 'tomorrow', '2026-12-07T25:00']) {
      expect((await book({ wall })).code).toBe('invalid_start')
    }
  })

  it.each([
    ['pt-BR', 'Esse horário já está ocupado.'],
    ['es', 'Ese horario ya está ocupado.'],
    ['en', 'That time is taken.'],
  ])('reads in the language of the tenant: %s', async (locale, message) => {
    const { booking, tenant, customer } = await bookingBench(database, { locale })
    const input = { service: 'corte', professional: 'ana', start: at('10:00') }
    await booking.book(tenant.id, await customer(), input)
    expect((await refusalOf(booking.book(tenant.id, await customer(), input))).message).toBe(message)
  })
})

describe('the times of a day', () => {
  it('are at most 24, spread over it, each once, in order', async () => {
    const hours = [{ weekdays: [1], from: '08:00', to: '20:00' }]
    const { booking, tenant, customer } = await bookingBench(database, {
      policy: { slotStepMinutes: 5 },
      professionals: ['ana', 'bia'].map((key) => ({ key, name: key, services: ['corte'], hours })),
    })
    const actor = await customer()
    const starts = async (period?: 'morning' | 'afternoon' | 'evening') => {
      const { times } = await booking.findTimes(tenant.id, actor, { service: 'corte', date: MONDAY, period })
      return times.map(({ startsAt }) => startsAt)
    }
    const all = await starts()
    expect(all).toHaveLength(24)
    expect([all[0], all.at(-1)]).toEqual([`${MONDAY}T08:00`, `${MONDAY}T19:15`])
    expect(all.toSorted()).toEqual(all)
    expect(new Set(all).size).toBe(24)
    expect((await starts('morning')).at(-1)).toBe(`${MONDAY}T11:55`)
    expect((await starts('afternoon')).at(0)).toBe(`${MONDAY}T12:00`)
    expect((await starts('afternoon')).at(-1)).toBe(`${MONDAY}T17:55`)
    expect((await starts('evening')).at(0)).toBe(`${MONDAY}T18:00`)
  })

  it('none: says why, with the nearest times and the next date', async () => {
    const { booking, clock, tenant, customer } = await bookingBench(database, {
      policy: { maxAdvanceDays: 10 },
    })
    const actor = await customer()
    const find = (date: string, period?: 'morning' | 'evening') =>
      refusalOf(booking.findTimes(tenant.id, actor, { service: 'barba', date, period }))
    for (let hour = 9; hour < 12; hour += 1) {
      const start = at(`${String(hour).padStart(2, '0')}:00`)
      await booking.book(tenant.id, await customer(), { service: 'corte', professional: 'ana', start })
    }
    expect(await find(MONDAY, 'morning')).toMatchObject({
      code: 'time_taken',
      facts: { nearest: [{ startsAt: `${MONDAY}T13:00` }, {}, {}], nextDate: '2026-12-08' },
    })
    expect((await find(MONDAY, 'evening')).code).toBe('outside_hours')
    expect(await find('2026-11-29')).toMatchObject({ code: 'in_the_past' })
    expect(await find('2026-12-11')).toMatchObject({ code: 'too_far', facts: { lastDate: '2026-12-10' } })
    expect((await find('2026-02-30')).code).toBe('invalid_start')
    clock.set(Date.parse('2026-11-30T20:00:00-03:00'))
    expect(await find('2026-11-30')).toMatchObject({
      code: 'too_soon',
      facts: { earliest: '2026-12-01T09:00' },
    })
  })

  it('in a zone without midnight: the shift and its starts begin where the day does', async () => {
    const { booking, clock, tenant, customer } = await bookingBench(database, {
      timeZone: 'America/Santiago',
      services: [{ key: 'corte', name: 'Corte', durationMinutes: 30 }],
      professionals: [
        {
          key: 'ana',
          name: 'Ana',
          services: ['corte'],
          hours: [{ weekdays: [7], from: '00:00', to: '03:00' }],
        },
      ],
    })
    // Clocks in Santiago go from 2026-09-05 24:00 to 2026-09-06 01:00.
    clock.set(Date.parse('2026-09-01T12:00:00Z'))
    const actor = await customer()
    const { times } = await booking.findTimes(tenant.id, actor, { service: 'corte', date: '2026-09-06' })
    expect(times.map(({ startsAt }) => startsAt)).toEqual(
      ['01:00', '01:30', '02:00', '02:30'].map((time) => `2026-09-06T${time}`),
    )
    const booked = await booking.book(tenant.id, actor, {
      service: 'corte',
      start: at('00:30', '2026-09-06'),
    })
    expect(booked.startsAt).toBe('2026-09-06T01:30:00-03:00')
    expect(wallTimeOf(booked.startsAt)).toBe('2026-09-06T01:30')
    const page = await booking.listForStaff(tenant.id, { fromDate: '2026-09-06', toDate: '2026-09-06' })
    expect(page.items).toEqual([booked])
    expect((await booking.listForStaff(tenant.id, { toDate: '2026-09-05' })).items).toEqual([])
  })
})

describe('availability', () => {
  it('is an item a start and professional, by time, what customers are offered or what the staff may book', async () => {
    const { booking, tenant, other, customer } = await bookingBench(database)
    await booking.book(tenant.id, await customer(), {
      service: 'corte',
      professional: 'ana',
      start: at('09:00'),
    })
    const range = { service: 'corte', fromDate: MONDAY, toDate: MONDAY, limits: 'customer' } as const
    const items = await booking.findAvailability(tenant.id, range)
    expect(items[0]).toEqual({
      startsAt: `${MONDAY}T09:00:00-03:00`,
      endsAt: `${MONDAY}T09:45:00-03:00`,
      professional: { key: 'bia', name: 'Bia' },
    })
    expect(items.slice(2, 4).map(({ professional }) => professional.key)).toEqual(['ana', 'bia'])
    expect(await booking.findAvailability(other.id, range)).toHaveLength(items.length + 2)
    const far = { ...range, fromDate: '2027-03-01', toDate: '2027-03-01', professional: 'ana' }
    expect(await booking.findAvailability(tenant.id, far)).toEqual([])
    expect(await booking.findAvailability(tenant.id, { ...far, limits: 'staff' })).not.toEqual([])
    expect(await booking.findAvailability(tenant.id, { ...range, toDate: '2026-12-06' })).toEqual([])
    await expect(
      booking.findAvailability(tenant.id, { ...range, toDate: '2028-01-01' }),
    ).rejects.toMatchObject({ code: 'range_too_long' })
  })
})

describe('lists', () => {
  it('shows an appointment as the contract does', async () => {
    const { booking, tenant, customer } = await bookingBench(database)
    const actor = await customer()
    const booked = await booking.book(tenant.id, actor, {
      service: 'corte',
      professional: 'ana',
      start: at('10:00'),
      forName: 'Léo',
    })
    expect(booked).toEqual({
      code: expect.stringMatching(/^[2-9A-HJ-NP-Z]{6}$/),
      status: 'booked',
      service: { key: 'corte', name: 'Corte de cabelo' },
      professional: { key: 'ana', name: 'Ana' },
      customer: { id: actor.customerId, name: 'Carla', phone: expect.stringMatching(/^55119\d{8}$/) },
      forName: 'Léo',
      startsAt: `${MONDAY}T10:00:00-03:00`,
      endsAt: `${MONDAY}T10:45:00-03:00`,
      priceCents: 8_000,
      source: 'customer',
      createdAt: '2026-11-30T12:00:00-03:00',
    })
    expect(await booking.getByCode(tenant.id, STAFF, booked.code)).toEqual(booked)
  })

  it("gives a customer their own upcoming ones, and never another's", async () => {
    const { booking, clock, tenant, other, customer } = await bookingBench(database)
    const actor = await customer()
    const book = (time: string) => booking.book(tenant.id, actor, { service: 'corte', start: at(time) })
    const [late, early, gone] = [await book('15:00'), await book('10:00'), await book('11:00')]
    await booking.cancel(tenant.id, actor, { code: gone.code })
    await booking.book(tenant.id, await customer(), { service: 'barba', start: at('17:00') })
    const codes = async () =>
      (await booking.listForCustomer(tenant.id, actor.customerId)).map(({ code }) => code)
    expect(await codes()).toEqual([early.code, late.code])
    clock.set(Date.parse(`${MONDAY}T12:00:00-03:00`))
    expect(await codes()).toEqual([late.code])
    expect(await booking.listForCustomer(other.id, actor.customerId)).toEqual([])
  })

  it('gives the staff pages by start that hold everything once', async () => {
    const { booking, tenant, other, customer } = await bookingBench(database)
    const codes = new Map<string, string>()
    for (const professional of ['ana', 'bia']) {
      for (const time of ['09:00', '10:00', '11:00', '15:00']) {
        const input = { service: 'corte', professional, start: at(time) }
        const { code } = await booking.book(tenant.id, await customer(), input)
        codes.set(code, professional)
      }
    }
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await booking.listForStaff(tenant.id, { limit: 3, cursor })
      seen.push(...page.items.map(({ code }) => code))
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    expect(seen).toHaveLength(8)
    expect(new Set(seen)).toEqual(new Set(codes.keys()))
    const list = async (input: Parameters<typeof booking.listForStaff>[1], of = tenant.id) =>
      (await booking.listForStaff(of, input)).items.length
    await booking.confirm(tenant.id, STAFF, seen[0] ?? '')
    expect(await list({ professional: 'ana' })).toBe(4)
    expect(await list({ status: 'confirmed' })).toBe(1)
    expect(await list({ fromDate: '2026-12-08' })).toBe(0)
    expect(await list({ fromDate: MONDAY, toDate: MONDAY })).toBe(8)
    expect(await list({}, other.id)).toBe(0)
    expect((await refusalOf(booking.listForStaff(tenant.id, { professional: 'zoe' }))).code).toBe(
      'unknown_professional',
    )
    await expect(booking.listForStaff(tenant.id, { cursor: 'x' })).rejects.toMatchObject({
      code: 'invalid_cursor',
    })
  })
})
