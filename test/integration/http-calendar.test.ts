import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { at, createAppointmentHarness, itemsOf } from '../support/appointment-harness.ts'
import type { Answer } from '../support/http-harness.ts'

let harness: Awaited<ReturnType<typeof createAppointmentHarness>>

beforeAll(async () => {
  harness = await createAppointmentHarness()
})
afterAll(() => harness.close())

describe('the calendar', () => {
  it('lists what starts on the local dates, both included, in pages', async () => {
    const { send, other, customer } = await harness.setUp()
    const starts = [
      at('09:00'),
      at('10:00'),
      at('17:30'),
      at('09:00', '2026-12-02'),
      at('09:00', '2026-12-03'),
    ]
    for (const startsAt of starts) {
      expect((await send('POST', '/v1/appointments', { service: 'barba', startsAt, customer })).status).toBe(
        201,
      )
    }
    const range = 'from=2026-12-01&to=2026-12-02'
    const seen: unknown[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: Answer = await send('GET', `/v1/appointments?${range}&limit=2&cursor=${cursor}`)
      seen.push(...itemsOf(page).map((item) => item['startsAt']))
      cursor = z.string().nullable().parse(page.body['nextCursor'])
    }
    expect(seen).toEqual(starts.slice(0, 4))
    expect(itemsOf(await send('GET', `/v1/appointments?${range}&status=cancelled`))).toEqual([])
    expect(itemsOf(await send('GET', `/v1/appointments?${range}&professional=bia`))).toEqual([])
    expect(itemsOf(await other('GET', `/v1/appointments?${range}`))).toEqual([])
    expect((await send('GET', '/v1/appointments?cursor=x')).body).toMatchObject({ code: 'invalid_cursor' })
    expect((await send('GET', '/v1/appointments?from=2026-02-30')).body).toMatchObject({
      code: 'invalid_request',
    })
    expect((await send('GET', '/v1/appointments?status=lost')).status).toBe(400)
  })

  it('offers each start and professional once, without what is taken', async () => {
    const { send, customer } = await harness.setUp()
    const free = async (query: string) =>
      itemsOf(await send('GET', `/v1/availability?${query}`)).map((item) => {
        const { startsAt, professional } = z
          .object({
            startsAt: z.string(),
            endsAt: z.string(),
            professional: z.object({ key: z.string(), name: z.string() }),
          })
          .parse(item)
        return `${startsAt.slice(11, 16)} ${professional.key}`
      })
    const day = 'service=corte&from=2026-12-01&to=2026-12-01'
    const before = await free(day)
    expect(before.slice(0, 4)).toEqual(['09:00 ana', '09:00 bia', '09:30 ana', '09:30 bia'])
    await send('POST', '/v1/appointments', {
      service: 'corte',
      professional: 'ana',
      startsAt: at('09:00'),
      customer,
    })
    const after = await free(day)
    expect(before.filter((item) => !after.includes(item))).toEqual(['09:00 ana', '09:30 ana'])
    expect(await free(`${day}&professional=bia`)).toEqual(after.filter((item) => item.endsWith('bia')))
  })

  it('pages what it offers, and lifts notice and horizon for the staff, never the past', async () => {
    const { send } = await harness.setUp()
    const query = 'service=corte&from=2026-11-30&to=2026-12-01'
    const whole = itemsOf(await send('GET', `/v1/availability?${query}`))
    const pages: unknown[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: Answer = await send('GET', `/v1/availability?${query}&limit=7&cursor=${cursor}`)
      pages.push(...itemsOf(page))
      cursor = z.string().nullable().parse(page.body['nextCursor'])
    }
    expect(pages).toEqual(whole)
    const today = 'service=corte&professional=ana&from=2026-11-30&to=2026-11-30'
    const first = async (actor: string) =>
      itemsOf(await send('GET', `/v1/availability?${today}&actor=${actor}`))[0]
    expect(await first('customer')).toMatchObject({ startsAt: at('13:30', '2026-11-30') })
    expect(await first('staff')).toMatchObject({ startsAt: at('13:00', '2026-11-30') })
    const far = 'service=corte&from=2027-06-01&to=2027-06-01'
    expect(itemsOf(await send('GET', `/v1/availability?${far}`))).toEqual([])
    expect(itemsOf(await send('GET', `/v1/availability?${far}&actor=staff`)).length).toBeGreaterThan(0)
    expect(
      itemsOf(await send('GET', '/v1/availability?service=corte&from=2026-11-01&to=2026-11-29')),
    ).toEqual([])
  })

  it('names what is unknown or wrong in a question for free times', async () => {
    const { send } = await harness.setUp()
    for (const [query, status, code] of [
      ['from=2026-12-01&to=2026-12-01', 400, 'invalid_request'],
      ['service=massagem', 422, 'unknown_service'],
      ['service=corte&professional=zoe', 422, 'unknown_professional'],
      ['service=corte&from=2026-12-02&to=2026-12-01', 400, 'invalid_request'],
      ['service=corte&from=2026-01-01&to=2028-01-01', 400, 'invalid_request'],
      ['service=corte&cursor=x', 400, 'invalid_cursor'],
    ] as const) {
      expect(await send('GET', `/v1/availability?${query}`), query).toMatchObject({ status, body: { code } })
    }
  })
})
