import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../src/shared/ids.ts'
import { at, codeOf, createAppointmentHarness, itemsOf } from '../support/appointment-harness.ts'
import { createCustomer } from '../support/factories.ts'

let harness: Awaited<ReturnType<typeof createAppointmentHarness>>

beforeAll(async () => {
  harness = await createAppointmentHarness()
})
afterAll(() => harness.close())

describe('booking', () => {
  it('answers 201 with the appointment in the tenant’s offset, whatever offset was sent', async () => {
    const { send, customer } = await harness.setUp()
    const answer = await send('POST', '/v1/appointments', {
      service: 'corte',
      professional: 'ana',
      startsAt: '2026-12-01T12:00:00Z',
      customer,
    })
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      code: codeOf(answer),
      status: 'booked',
      service: { key: 'corte', name: 'Corte de cabelo' },
      professional: { key: 'ana', name: 'Ana' },
      customer: { id: customer.id, name: 'Carla', phone: expect.any(String) },
      forName: null,
      startsAt: at('09:00'),
      endsAt: at('09:45'),
      priceCents: 8_000,
      source: 'staff',
      createdAt: '2026-11-30T12:00:00-03:00',
    })
    expect(await send('GET', `/v1/appointments/${codeOf(answer)}`)).toMatchObject({
      status: 200,
      body: answer.body,
    })
  })

  it('for a name and a number finds who wrote from it, in any spelling, or makes a customer', async () => {
    const { one, send } = await harness.setUp()
    const known = await createCustomer(harness.store, one.id, { name: 'Rosa', phone: '5511977776666' })
    const book = (time: string, name: string, phone: string) =>
      send('POST', '/v1/appointments', { service: 'barba', startsAt: at(time), customer: { name, phone } })
    const found = await book('09:00', 'Rosa Maria', '+55 (11) 97777-6666')
    expect(found).toMatchObject({
      status: 201,
      body: { customer: { id: known, name: 'Rosa', phone: '5511977776666' } },
    })
    const short = await book('10:00', 'Rosa', '551177776666')
    expect(short.body).toMatchObject({ customer: { id: known, phone: '5511977776666' } })
    const made = await book('11:00', 'Nova', '+44 20 7946 0958')
    expect(made).toMatchObject({ status: 201, body: { customer: { name: 'Nova', phone: '442079460958' } } })
    for (const phone of ['12', '0551199998888', 'abc', '']) {
      expect((await book('14:00', 'X', phone)).status, phone).toBe(400)
    }
  })

  it('with an idempotency key gives the same answer again, and refuses another payload', async () => {
    const { send, customer } = await harness.setUp()
    const key = { 'idempotency-key': newId() }
    const body = { service: 'barba', professional: 'ana', startsAt: at('09:00'), customer }
    const first = await send('POST', '/v1/appointments', body, key)
    const again = await Promise.all(
      Array.from({ length: 5 }, () => send('POST', '/v1/appointments', body, key)),
    )
    for (const answer of again) expect(answer).toMatchObject({ status: 201, body: first.body })
    const changed = await send('POST', '/v1/appointments', { ...body, startsAt: at('10:00') }, key)
    expect(changed).toMatchObject({ status: 422, body: { code: 'idempotency_mismatch' } })
    expect(
      (await send('POST', '/v1/appointments', body, { 'idempotency-key': 'x'.repeat(300) })).status,
    ).toBe(400)
    expect(itemsOf(await send('GET', '/v1/appointments'))).toHaveLength(1)
  })

  it('is refused with the domain’s code and its status', async () => {
    const { send, customer } = await harness.setUp()
    const book = (change: object) =>
      send('POST', '/v1/appointments', {
        service: 'corte',
        professional: 'ana',
        startsAt: at('09:00'),
        customer,
        ...change,
      })
    expect((await book({})).status).toBe(201)
    const someone = { name: 'Outra', phone: '5511966665555' }
    for (const [change, status, code] of [
      [{ customer: someone }, 409, 'time_taken'],
      [{ professional: 'bia' }, 409, 'customer_busy'],
      [{ startsAt: at('20:00') }, 422, 'outside_hours'],
      [{ startsAt: at('09:00', '2026-12-06') }, 422, 'closed_that_day'],
      [{ startsAt: at('09:00', '2026-11-27') }, 422, 'in_the_past'],
      [{ service: 'massagem' }, 422, 'unknown_service'],
      [{ professional: 'zoe' }, 422, 'unknown_professional'],
      [{ service: 'barba', professional: 'bia' }, 422, 'professional_does_not_do_service'],
      [{ customer: { id: newId() }, startsAt: at('11:00') }, 404, 'not_found'],
      [{ customer: { id: 'x' }, startsAt: at('11:00') }, 404, 'not_found'],
    ] as const) {
      const answer = await book(change)
      expect(answer, code).toMatchObject({ status, body: { code, status } })
    }
    expect((await book({ startsAt: at('20:00'), force: true })).status).toBe(201)
  })

  it('of a request that is wrong names each path', async () => {
    const { send, customer } = await harness.setUp()
    const right = { service: 'corte', startsAt: at('09:00'), customer }
    for (const [change, path] of [
      [{ startsAt: '2026-12-01 09:00' }, 'startsAt'],
      [{ startsAt: '2026-12-01T09:00' }, 'startsAt'],
      [{ service: '' }, 'service'],
      [{ customer: { name: 'x' } }, 'customer.phone'],
      [{ customer: undefined }, 'customer'],
      [{ force: 'yes' }, 'force'],
      [{ colour: 'red' }, 'colour'],
    ] as const) {
      const answer = await send('POST', '/v1/appointments', { ...right, ...change })
      expect(answer, path).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
      expect(answer.body['issues'], path).toContainEqual(expect.objectContaining({ path }))
    }
  })

  it('and moving refuse seconds and fractions, name the property, and change nothing', async () => {
    const { send, customer } = await harness.setUp()
    const start = (time: string) => at('09:00').replace('09:00:00', time)
    const wish = { service: 'corte', professional: 'ana', customer }
    const booked = await send('POST', '/v1/appointments', { ...wish, startsAt: at('14:00') })
    for (const startsAt of [start('09:00:01'), start('09:00:30'), start('09:00:00.500')]) {
      for (const force of [false, true]) {
        const refused = [
          await send('POST', '/v1/appointments', { ...wish, startsAt, force }),
          await send('PATCH', `/v1/appointments/${codeOf(booked)}`, { startsAt, force }),
        ]
        for (const answer of refused) {
          expect(answer).toMatchObject({ status: 422, body: { code: 'invalid_start' } })
          expect(answer.body['issues']).toMatchObject([{ path: 'startsAt' }])
          expect(answer.body['detail']).toMatch(/^startsAt: /)
        }
      }
    }
    expect(itemsOf(await send('GET', '/v1/appointments'))).toMatchObject([{ startsAt: at('14:00') }])
  })

  it('never fails on a moment no calendar holds', async () => {
    const { send, customer } = await harness.setUp()
    for (const startsAt of [
      '0001-01-01T00:00:00Z',
      '9999-12-31T23:59:00Z',
      '2026-12-01T09:00:30.123-03:00',
    ]) {
      for (const force of [true, false]) {
        const answer = await send('POST', '/v1/appointments', { service: 'barba', startsAt, customer, force })
        expect(answer.status, `${startsAt} ${force}`).toBeLessThan(500)
      }
    }
  })
})

describe('an appointment', () => {
  it('moves, is confirmed, and completed or not; over, it changes no more', async () => {
    const { send, customer } = await harness.setUp()
    const body = { service: 'barba', professional: 'ana', startsAt: at('09:00'), customer }
    const url = `/v1/appointments/${codeOf(await send('POST', '/v1/appointments', body))}`
    expect(await send('PATCH', url, { startsAt: at('10:00') })).toMatchObject({
      status: 200,
      body: { startsAt: at('10:00'), status: 'booked' },
    })
    expect((await send('PATCH', url, { startsAt: at('23:00') })).body).toMatchObject({
      code: 'outside_hours',
    })
    expect((await send('POST', `${url}/confirm`)).body).toMatchObject({ status: 'confirmed' })
    expect((await send('POST', `${url}/no-show`)).body).toMatchObject({ status: 'no_show' })
    expect(await send('POST', `${url}/cancel`)).toMatchObject({ status: 422, body: { code: 'wrong_state' } })
    expect(await send('POST', `${url}/complete`, {})).toMatchObject({
      status: 422,
      body: { code: 'wrong_state' },
    })
  })

  it('that is cancelled frees its time, and cannot be cancelled again', async () => {
    const { send, customer } = await harness.setUp()
    const body = { service: 'barba', professional: 'ana', startsAt: at('09:00'), customer }
    const url = `/v1/appointments/${codeOf(await send('POST', '/v1/appointments', body))}`
    expect((await send('POST', `${url}/cancel`, { reason: 'viajou' })).body).toMatchObject({
      status: 'cancelled',
    })
    expect(await send('POST', `${url}/cancel`)).toMatchObject({
      status: 409,
      body: { code: 'already_cancelled' },
    })
    expect((await send('POST', '/v1/appointments', body)).status).toBe(201)
  })

  it('that does not exist, or is of another tenant, is not found, in the same words', async () => {
    const { send, other, customer } = await harness.setUp()
    const body = { service: 'barba', startsAt: at('09:00'), customer }
    const code = codeOf(await send('POST', '/v1/appointments', body))
    const foreign = await other('GET', `/v1/appointments/${code}`)
    expect(foreign).toMatchObject({ status: 404, body: { code: 'not_found' } })
    for (const unknown of ['ZZZZZZ', 'x', 'a%00b', "'", '%F0%9F%92%87']) {
      expect((await other('GET', `/v1/appointments/${unknown}`)).body, unknown).toEqual(foreign.body)
    }
  })
})
