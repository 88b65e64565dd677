import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { echoUpdate } from '../../src/demo/signed-webhook.ts'
import { createTestClock } from '../support/factories.ts'
import { WAIT } from '../support/queue-harness.ts'
import {
  addTenant,
  numberOf,
  type ProductTenant,
  type RunningProduct,
  startProduct,
} from '../support/running-product.ts'

const PHONE = '5511987650003'
const listSchema = z.object({ items: z.array(z.looseObject({ id: z.string() })) })

describe('from the guided bot to a person and back', () => {
  let product: RunningProduct
  let tenant: ProductTenant
  let other: ProductTenant
  let conversationId: string

  beforeAll(async () => {
    product = await startProduct({}, { clock: createTestClock() })
    tenant = await addTenant(product)
    other = await addTenant(product)
  })
  afterAll(() => product.close())

  it('a customer who asks for a person gets one notice and joins the queue with reason and summary', async () => {
    await product.say(tenant, PHONE, 'quero falar com uma pessoa')
    const notice = await product.graph.waitForSend((send) => send.phone === PHONE)
    expect(notice.text).toContain('Uma pessoa da nossa equipe vai continuar')
    const { body } = await tenant.staff.call('GET', '/v1/conversations?status=queued')
    const [queued] = listSchema.parse(body).items
    conversationId = queued?.id ?? ''
    expect(queued).toMatchObject({
      status: 'queued',
      customer: { phone: PHONE },
      handoff: { reason: 'customer_request', summary: expect.stringMatching(/./) },
      unread: 1,
    })
    expect((await other.staff.call('GET', '/v1/conversations')).body['items']).toEqual([])
  })

  it('the bot stays silent while the conversation is queued and while a person has it', async () => {
    await product.say(tenant, PHONE, 'alguém?')
    await expect.poll(unread, WAIT).toBe(2)
    expect((await other.staff.call('POST', `/v1/conversations/${conversationId}/claim`)).status).toBe(404)
    expect((await tenant.staff.call('POST', `/v1/conversations/${conversationId}/claim`)).status).toBe(200)
    const again = await tenant.staff.call('POST', `/v1/conversations/${conversationId}/claim`)
    expect(again).toMatchObject({
      status: 409,
      body: { code: 'already_claimed', assignee: { name: 'Paula' } },
    })
    await product.say(tenant, PHONE, 'quero corte amanhã')
    await expect.poll(unread, WAIT).toBe(3)
    await product.idle()
    expect(textsTo(PHONE)).toHaveLength(1)
  })

  it('what the person writes reaches the phone, and its status comes back', async () => {
    const written = await tenant.staff.call('POST', `/v1/conversations/${conversationId}/messages`, {
      text: 'Oi, aqui é a Paula. Quer que eu marque?',
    })
    expect(written).toMatchObject({
      status: 202,
      body: { author: 'staff', direction: 'out', status: 'pending' },
    })
    await product.graph.waitForSend((send) => send.text?.includes('aqui é a Paula') === true)
    await expect
      .poll(async () => {
        const { body } = await tenant.staff.call(
          'GET',
          `/v1/conversations/${conversationId}/messages?limit=1`,
        )
        return listSchema.parse(body).items[0]?.['status']
      }, WAIT)
      .toBe('sent')
  })

  it('back with the bot, the next message is answered and the old ones are not', async () => {
    const back = await tenant.staff.call('POST', `/v1/conversations/${conversationId}/return-to-bot`)
    expect(back).toMatchObject({ status: 200, body: { status: 'bot', assignee: null, handoff: null } })
    await product.idle()
    expect(textsTo(PHONE)).toHaveLength(2)
    await product.say(tenant, PHONE, 'meus horários')
    await expect.poll(() => textsTo(PHONE).length, WAIT).toBe(3)
    await product.idle()
    expect(textsTo(PHONE)).toHaveLength(3)
    expect(await unread()).toBe(0)
  })

  it('every way to a person is counted by its reason, once', async () => {
    const number = numberOf(tenant)
    expect(await handoffsCounted()).toEqual({ customer_request: 1 })
    const takeOver = () => tenant.staff.call('POST', `/v1/conversations/${conversationId}/take-over`)
    expect((await takeOver()).body).toMatchObject({ handoff: { reason: 'staff_takeover' } })
    expect((await takeOver()).status).toBe(200)
    for (const text of ['Oi, é a Paula', 'Tudo certo para amanhã?']) {
      await product.post(echoUpdate({ number, to: { waId: '5511987650004' }, text }))
    }
    await product.idle()
    expect(await handoffsCounted()).toEqual({ customer_request: 1, staff_takeover: 1, phone_takeover: 1 })
  })

  /** The reasons of `handoffs_total` that were counted. */
  async function handoffsCounted(): Promise<Record<string, number>> {
    const text = await (await fetch(`${product.address}/metrics`)).text()
    const series = [...text.matchAll(/^handoffs_total\{reason="(\w+)"\} (\d+)$/gm)]
    return Object.fromEntries(
      series
        .map(([, reason = '', count]) => [reason, Number(count)] as const)
        .filter(([, count]) => count > 0),
    )
  }

  async function unread(): Promise<unknown> {
    return (await tenant.staff.call('GET', `/v1/conversations/${conversationId}`)).body['unread']
  }

  function textsTo(phone: string): (string | null)[] {
    return product.graph.sends.filter((send) => send.phone === phone).map((send) => send.text)
  }
})
