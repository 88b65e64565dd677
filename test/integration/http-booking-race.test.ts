import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../src/shared/ids.ts'
import { at, createAppointmentHarness, itemsOf } from '../support/appointment-harness.ts'
import { createCustomer } from '../support/factories.ts'

let harness: Awaited<ReturnType<typeof createAppointmentHarness>>

beforeAll(async () => {
  harness = await createAppointmentHarness()
})
afterAll(() => harness.close())

describe('POST /v1/appointments', () => {
  it('30 at once for one start: one 201, 29 times 409 time_taken, no 5xx', async () => {
    const { one, send, other } = await harness.setUp()
    for (const hour of ['09', '10', '11']) {
      const customers = await Promise.all(
        Array.from({ length: 30 }, () => createCustomer(harness.store, one.id)),
      )
      const answers = await Promise.all(
        customers.map((id) =>
          send('POST', '/v1/appointments', {
            service: 'corte',
            professional: 'ana',
            startsAt: at(`${hour}:00`),
            customer: { id },
          }),
        ),
      )
      const told = answers.map(({ status, body }) =>
        status === 201 ? '201' : `${status} ${String(body['code'])}`,
      )
      expect(told.sort()).toEqual(['201', ...Array.from({ length: 29 }, () => '409 time_taken')])
    }
    expect(itemsOf(await send('GET', '/v1/appointments'))).toHaveLength(3)
    expect(itemsOf(await other('GET', '/v1/appointments'))).toEqual([])
  })

  it('for new people keeps those who were booked, and nobody who was refused', async () => {
    const { one, send } = await harness.setUp()
    const count = () => harness.store.read(one.id, (reader) => reader.customer.count())
    const before = await count()
    const book = (index: number) =>
      send('POST', '/v1/appointments', {
        service: 'corte',
        professional: 'ana',
        startsAt: at('09:00'),
        customer: { name: `Nova ${index}`, phone: `+55 11 9${String(70_000_000 + index)}` },
      })
    const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => book(index)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 9 }, () => 409)])
    expect(await count()).toBe(before + 1)
  })

  it('refuses a replay for another name or number, and keeps no second customer', async () => {
    const { one, send } = await harness.setUp()
    const key = { 'idempotency-key': newId() }
    const body = {
      service: 'barba',
      startsAt: at('09:00'),
      customer: { name: 'Nova', phone: '+5511971111111' },
    }
    const first = await send('POST', '/v1/appointments', body, key)
    expect(first.status).toBe(201)
    const spelled = { ...body, customer: { name: 'Nova', phone: '55 (11) 97111-1111' } }
    expect(await send('POST', '/v1/appointments', spelled, key)).toMatchObject({
      status: 201,
      body: first.body,
    })
    for (const customer of [
      { name: 'Outra', phone: '+5511971111111' },
      { name: 'Nova', phone: '+5511972222222' },
    ]) {
      const answer = await send('POST', '/v1/appointments', { ...body, customer }, key)
      expect(answer).toMatchObject({ status: 422, body: { code: 'idempotency_mismatch' } })
    }
    const named = await harness.store.read(one.id, (reader) =>
      reader.customer.count({ where: { name: 'Nova' } }),
    )
    expect(named).toBe(1)
  })
})
