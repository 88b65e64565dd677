import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/db/index.ts'
import { bookingBench, refusalOf, STAFF, settleAll } from '../support/booking-harness.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

const MONDAY = '2026-12-07'
const at = (time: string, date = MONDAY) => ({ wall: `${date}T${time}` })

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

async function overlapsOf(): Promise<number> {
  const rows = await database.store.unsafeRead('the test counts conflicts of all tenants', (reader) =>
    reader.$queryRaw<{ count: bigint }[]>(sql`select count(*) from reservations a join reservations b
      on a.tenant_id = b.tenant_id and a.resource_id = b.resource_id and a.id < b.id and a.blocked && b.blocked`),
  )
  return Number(rows[0]?.count)
}

describe('many at once', () => {
  it('30 for one start have one winner, and 29 read that it is taken', async () => {
    const { booking, tenant, other, customer } = await bookingBench(database)
    const actors = await Promise.all(Array.from({ length: 30 }, () => customer()))
    const input = { service: 'corte', professional: 'ana', start: at('10:00') }
    const elsewhere = booking.book(other.id, await customer(other), input)
    const { done, codes } = await settleAll(actors.map((actor) => booking.book(tenant.id, actor, input)))
    expect(done).toHaveLength(1)
    expect(codes).toEqual(Array.from({ length: 29 }, () => 'time_taken'))
    expect((await elsewhere).startsAt).toBe(`${MONDAY}T10:00:00-03:00`)
    expect(await overlapsOf()).toBe(0)
  })

  it('30 for anybody of three free people book exactly three, one each', async () => {
    const hours = [{ weekdays: [1], from: '09:00', to: '18:00' }]
    const { booking, tenant, customer } = await bookingBench(database, {
      professionals: ['ana', 'bia', 'caio'].map((key) => ({ key, name: key, services: ['corte'], hours })),
    })
    const actors = await Promise.all(Array.from({ length: 30 }, () => customer()))
    const { done, codes } = await settleAll(
      actors.map((actor) => booking.book(tenant.id, actor, { service: 'corte', start: at('10:00') })),
    )
    expect(done.map(({ professional }) => professional.key).sort()).toEqual(['ana', 'bia', 'caio'])
    expect(new Set(codes)).toEqual(new Set(['time_taken']))
  })

  it('overlapping starts of different lengths never overlap in the end', async () => {
    const { booking, tenant, customer } = await bookingBench(database, { policy: { slotStepMinutes: 5 } })
    const attempts = Array.from({ length: 30 }, async (_, index) => {
      const time = `10:${String((index * 5) % 60).padStart(2, '0')}`
      const service = index % 2 === 0 ? 'corte' : 'barba'
      return booking.book(tenant.id, await customer(), { service, professional: 'ana', start: at(time) })
    })
    const { done } = await settleAll(attempts)
    expect(done.length).toBeGreaterThan(0)
    expect(await overlapsOf()).toBe(0)
  })

  it('calcom-13397: ten identical bookings at once: one succeeds, nine read that it is taken', async () => {
    const { booking, tenant, customer } = await bookingBench(database)
    const actor = await customer()
    const input = { service: 'corte', professional: 'ana', start: at('10:00') }
    const { done, codes } = await settleAll(
      Array.from({ length: 10 }, () => booking.book(tenant.id, actor, input)),
    )
    expect(done).toHaveLength(1)
    expect(codes).toEqual(Array.from({ length: 9 }, () => 'time_taken'))
  })

  it('one customer cannot slip past the limit or be at two places by asking at once', async () => {
    const { booking, tenant, customer } = await bookingBench(database, {
      policy: { maxActivePerCustomer: 2 },
    })
    const actor = await customer()
    const days = ['07', '08', '09', '10', '11'].map((day) => `2026-12-${day}`)
    const { done, codes } = await settleAll(
      days.map((date) => booking.book(tenant.id, actor, { service: 'corte', start: at('10:00', date) })),
    )
    expect(done).toHaveLength(2)
    expect(codes).toEqual(['limit_reached', 'limit_reached', 'limit_reached'])
    const twice = await customer()
    const both = await settleAll(
      ['ana', 'bia'].map((professional) =>
        booking.book(tenant.id, twice, { service: 'corte', professional, start: at('15:00') }),
      ),
    )
    expect(both.done).toHaveLength(1)
    expect(both.codes).toEqual(['customer_busy'])
  })

  it('swaps in opposite order end without a deadlock and without an overlap', async () => {
    const { booking, tenant, customer } = await bookingBench(database)
    const input = { service: 'corte' }
    const one = await booking.book(tenant.id, await customer(), {
      ...input,
      professional: 'ana',
      start: at('10:00'),
    })
    const two = await booking.book(tenant.id, await customer(), {
      ...input,
      professional: 'bia',
      start: at('11:00'),
    })
    for (let round = 0; round < 15; round += 1) {
      const [first, second] = round % 2 === 0 ? ['bia', 'ana'] : ['ana', 'bia']
      const { codes } = await settleAll([
        booking.reschedule(tenant.id, STAFF, { code: one.code, professional: first }),
        booking.reschedule(tenant.id, STAFF, { code: two.code, professional: second }),
      ])
      expect(codes).toEqual([])
    }
    expect(await overlapsOf()).toBe(0)
  })

  it('a cancellation and a move of one appointment at once: one of them finds what the other left', async () => {
    const { booking, tenant, customer } = await bookingBench(database)
    const actor = await customer()
    for (let round = 0; round < 5; round += 1) {
      const { code } = await booking.book(tenant.id, actor, { service: 'corte', start: at('10:00') })
      const { codes } = await settleAll([
        booking.cancel(tenant.id, actor, { code }),
        booking.reschedule(tenant.id, actor, { code, start: at('15:00') }),
      ])
      expect(codes.filter((word) => word !== 'already_cancelled')).toEqual([])
      expect((await booking.getByCode(tenant.id, actor, code)).status).toBe('cancelled')
    }
    const left = await database.store.read(tenant.id, (reader) => reader.reservation.count())
    expect(left).toBe(0)
  })
})

describe('the database as the proof', () => {
  it('what somebody wrote past the locks reads as taken', async () => {
    const { booking, tenant, customer } = await bookingBench(database)
    const input = { service: 'corte', professional: 'ana' }
    const { code } = await booking.book(tenant.id, await customer(), { ...input, start: at('15:00') })
    // A reservation that holds another time than its appointment, as a hand in the database would write it.
    const [from, to] = [new Date(`${MONDAY}T13:00:00Z`), new Date(`${MONDAY}T14:00:00Z`)]
    const mayCommit = signal()
    const hasWritten = signal()
    const byHand = database.store.transact(tenant.id, async (tx) => {
      const appointment = await tx.appointment.findFirstOrThrow({ where: { code } })
      await tx.reservation.updateMany({
        where: { appointmentId: appointment.id },
        data: { blockedFrom: from, blockedTo: to },
      })
      hasWritten.give()
      await mayCommit.given
    })
    await hasWritten.given
    const attempt = refusalOf(booking.book(tenant.id, await customer(), { ...input, start: at('10:00') }))
    await waitForBlockedInsert()
    mayCommit.give()
    await byHand
    expect((await attempt).code).toBe('time_taken')
  })

  it.each([
    ['promtior-73: a deadlock', '40P01'],
    ['a serialization failure', '40001'],
    ['a conflict', '23P01'],
  ])('%s that does not go away reads as taken, never as an internal error', async (_what, state) => {
    const { booking, tenant, customer } = await bookingBench(database)
    await database.prisma.$executeRawUnsafe(`create or replace function refuse() returns trigger language plpgsql
      as $$ begin raise exception 'refused by the test' using errcode = '${state}'; end $$`)
    await database.prisma.$executeRawUnsafe(
      'create trigger refuse before insert on reservations for each row execute function refuse()',
    )
    try {
      const refused = await refusalOf(
        booking.book(tenant.id, await customer(), {
          service: 'corte',
          professional: 'ana',
          start: at('10:00'),
        }),
      )
      expect(refused.code).toBe('time_taken')
      expect(JSON.stringify([refused.message, refused.suggestion, refused.facts])).not.toContain('refused by')
    } finally {
      await database.prisma.$executeRawUnsafe('drop trigger refuse on reservations')
    }
  })

  it('calcom-14868: a start inside the buffer of another is refused however it was asked', async () => {
    const { booking, tenant, customer } = await bookingBench(database)
    await booking.book(tenant.id, await customer(), {
      service: 'corte',
      professional: 'ana',
      start: at('10:00'),
    })
    const actor = await customer()
    const inBuffer = { service: 'barba', professional: 'ana', start: at('10:45') }
    const { codes } = await settleAll([
      booking.book(tenant.id, actor, inBuffer),
      booking.book(tenant.id, STAFF, { ...inBuffer, customer: actor.customerId }),
      booking.book(tenant.id, STAFF, { ...inBuffer, customer: actor.customerId, force: true }),
      booking.book(tenant.id, actor, { ...inBuffer, start: { instant: Date.parse(`${MONDAY}T13:45:00Z`) } }),
    ])
    expect(codes).toEqual(['time_taken', 'time_taken', 'time_taken', 'time_taken'])
    await booking.book(tenant.id, actor, { ...inBuffer, start: at('11:00') })
  })

  it('stores the very instants, whatever zone the process and the tenant are in', async () => {
    const { booking, tenant, customer } = await bookingBench(database)
    const { code } = await booking.book(tenant.id, await customer(), {
      service: 'corte',
      professional: 'ana',
      start: at('10:00'),
    })
    const rows = await database.store.read(tenant.id, (reader) =>
      reader.$queryRaw(sql`select a.starts_at::text, a.ends_at::text, r.blocked::text
        from appointments a join reservations r on r.tenant_id = a.tenant_id and r.appointment_id = a.id
        where a.code = ${code}`),
    )
    expect(rows).toEqual([
      {
        starts_at: '2026-12-07 13:00:00+00',
        ends_at: '2026-12-07 13:45:00+00',
        blocked: '["2026-12-07 13:00:00+00","2026-12-07 14:00:00+00")',
      },
    ])
  })

  it('a failed write leaves nothing behind', async () => {
    const { booking, tenant, customer } = await bookingBench(database)
    const actor = await customer()
    const input = { service: 'corte', professional: 'ana', start: at('10:00') }
    await booking.book(tenant.id, await customer(), input)
    await refusalOf(booking.book(tenant.id, actor, { ...input, idempotencyKey: 'k' }))
    const counts = await database.store.read(tenant.id, async (reader) => [
      await reader.appointment.count(),
      await reader.reservation.count(),
      await reader.appointmentAudit.count(),
      await reader.idempotencyRecord.count(),
    ])
    expect(counts).toEqual([1, 1, 1, 0])
  })
})

function signal(): { readonly given: Promise<void>; give(): void } {
  let give = (): void => undefined
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  return { given, give: () => give() }
}

/** Until a booking waits for the uncommitted reservation that the test holds back. */
async function waitForBlockedInsert(): Promise<void> {
  for (;;) {
    const rows = await database.prisma.$queryRaw<{ waiting: bigint }[]>(sql`select count(*) as waiting
      from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and query ilike '%insert into reservations%'`)
    if (Number(rows[0]?.waiting) > 0) return
  }
}
