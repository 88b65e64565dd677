import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createTestClock } from '../support/factories.ts'
import { type LoopbackMessagesApi, startLoopbackMessagesApi } from '../support/loopback-messages-api.ts'
import { WAIT } from '../support/queue-harness.ts'
import {
  addTenant,
  type ProductTenant,
  type RunningProduct,
  startProduct,
} from '../support/running-product.ts'

const GAMES = 50
/** Longer than the model takes at the most, so that claims fall before, into and after the turn. */
const SPAN_MS = 700
const listSchema = z.object({
  items: z.array(z.object({ id: z.string(), customer: z.object({ phone: z.string() }) })),
})

describe('a claim against a running bot', () => {
  let api: LoopbackMessagesApi
  let product: RunningProduct
  let tenant: ProductTenant
  let other: ProductTenant

  beforeAll(async () => {
    api = await startLoopbackMessagesApi()
    product = await startProduct(
      { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: api.baseURL, INBOUND_DEBOUNCE_MS: '20' },
      { clock: createTestClock() },
    )
    tenant = await addTenant(product)
    other = await addTenant(product)
  })
  afterAll(async () => {
    await product.close()
    await api.close()
  })

  it('is never followed by a bot message, in 50 interleavings of model, claim and send', async () => {
    api.otherwise(async () => {
      await delay(Math.random() * 400)
      return { type: 'message', stopReason: 'end_turn', content: [{ type: 'text', text: 'Do robô' }] }
    })
    const play = async (index: number) => {
      const phone = `55119${String(40_000_000 + index)}`
      await product.say(tenant, phone, 'oi')
      const conversationId = await conversationOf(phone)
      await delay(Math.random() * SPAN_MS)
      const taken = await tenant.staff.call('POST', `/v1/conversations/${conversationId}/take-over`)
      // What was on the wire when the claim came had left before it.
      const onTheWire = await product.db.store.read(tenant.id, (reader) =>
        reader.outbox.count({ where: { conversationId, state: 'sending' } }),
      )
      return { phone, sentBefore: sendsTo(phone), onTheWire, status: taken.status }
    }
    const games = []
    for (let played = 0; played < GAMES; played += 5) {
      games.push(...(await Promise.all([0, 1, 2, 3, 4].map((index) => play(played + index)))))
    }
    await product.idle()
    expect(games.filter(({ status }) => status !== 200)).toEqual([])
    const late = games.filter(({ phone, sentBefore, onTheWire }) => sendsTo(phone) > sentBefore + onTheWire)
    expect(late).toEqual([])
    const answered = games.filter(({ sentBefore }) => sentBefore > 0).length
    // Both ends of the race were met.
    expect(answered).toBeGreaterThan(0)
    expect(answered).toBeLessThan(GAMES)
    expect(api.complaints).toEqual([])
    expect((await other.staff.call('GET', '/v1/conversations')).body['items']).toEqual([])
  }, 120_000)

  function sendsTo(phone: string): number {
    return product.graph.sends.filter((send) => send.phone === phone).length
  }

  async function conversationOf(phone: string): Promise<string> {
    let id: string | undefined
    await expect
      .poll(async () => {
        const { body } = await tenant.staff.call('GET', `/v1/conversations?q=${phone}`)
        id = listSchema.parse(body).items.find(({ customer }) => customer.phone === phone)?.id
        return id
      }, WAIT)
      .toBeDefined()
    return id ?? ''
  }
})
