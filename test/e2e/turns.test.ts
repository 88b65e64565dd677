import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newWamid } from '../../src/demo/signed-webhook.ts'
import { createTestClock } from '../support/factories.ts'
import {
  type ApiLine,
  type LoopbackMessagesApi,
  startLoopbackMessagesApi,
} from '../support/loopback-messages-api.ts'
import { WAIT } from '../support/queue-harness.ts'
import {
  addTenant,
  type ProductTenant,
  type RunningProduct,
  startProduct,
} from '../support/running-product.ts'

describe('turns of a conversation', () => {
  let api: LoopbackMessagesApi
  let product: RunningProduct
  let tenant: ProductTenant
  let other: ProductTenant

  beforeAll(async () => {
    api = await startLoopbackMessagesApi()
    product = await startProduct(
      { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: api.baseURL, INBOUND_DEBOUNCE_MS: '400' },
      { clock: createTestClock() },
    )
    tenant = await addTenant(product)
    other = await addTenant(product)
  })
  afterAll(async () => {
    await product.close()
    await api.close()
  })

  it('the same wamid 20 times at once is one message, one run and one answer', async () => {
    api.otherwise(() => answer('Olá!'))
    const wamid = newWamid()
    const statuses = await Promise.all(
      Array.from({ length: 20 }, () => product.say(tenant, '5511900000001', 'oi', { wamid })),
    )
    expect(new Set(statuses)).toEqual(new Set([200]))
    await product.graph.waitForSend((send) => send.phone === '5511900000001')
    await product.idle()
    expect(sendsTo('5511900000001')).toHaveLength(1)
    expect(await countOf(tenant, '5511900000001')).toEqual({ inbound: 1, runs: 1 })
  })

  it('a burst becomes one turn that reads all of it', async () => {
    api.otherwise((body) => answer(textsOf(body).includes('para sexta') ? 'Li tudo.' : 'Li uma parte.'))
    for (const text of ['oi', 'quero um corte', 'para sexta'])
      await product.say(tenant, '5511900000002', text)
    await product.graph.waitForSend((send) => send.phone === '5511900000002')
    await product.idle()
    expect(sendsTo('5511900000002')).toEqual(['Li tudo.'])
    expect(await countOf(tenant, '5511900000002')).toEqual({ inbound: 3, runs: 1 })
  })

  it('a message that arrives during the last request of a turn starts exactly one more', async () => {
    let said = false
    api.otherwise(async (body) => {
      if (!said) await product.say(tenant, '5511900000003', 'e a barba?')
      said = true
      return answer(textsOf(body).includes('e a barba?') ? 'Barba também.' : 'Corte, sim.')
    })
    await product.say(tenant, '5511900000003', 'corte?')
    await product.graph.waitForSend((send) => send.text === 'Barba também.', { timeoutMs: 15_000 })
    await product.idle()
    expect(sendsTo('5511900000003').at(-1)).toBe('Barba também.')
    const { runs } = await countOf(tenant, '5511900000003')
    // Overtaken before it answered, or answered and followed by one more: never two answers to one message.
    expect(runs).toBe(2)
  })

  it('a message that arrives before the next request of a turn is included: one answer to both', async () => {
    let said = false
    api.otherwise(async (body) => {
      if (said) return answer(textsOf(body).includes('na verdade barba') ? 'Barba, então.' : 'Corte.')
      said = true
      await product.say(tenant, '5511900000004', 'na verdade barba')
      await expect.poll(() => countOf(tenant, '5511900000004'), WAIT).toMatchObject({ inbound: 2 })
      return {
        type: 'message',
        stopReason: 'tool_use',
        content: [{ type: 'tool_use', id: 'toolu_n1', name: 'list_services', input: {} }],
      }
    })
    await product.say(tenant, '5511900000004', 'corte')
    await product.graph.waitForSend((send) => send.phone === '5511900000004', { timeoutMs: 15_000 })
    await product.idle()
    expect(sendsTo('5511900000004')).toEqual(['Barba, então.'])
  })

  it('the other tenant has seen nothing of all this', async () => {
    expect((await other.staff.call('GET', '/v1/conversations')).body['items']).toEqual([])
    expect(api.complaints).toEqual([])
  })

  function sendsTo(phone: string): (string | null)[] {
    return product.graph.sends.filter((send) => send.phone === phone).map((send) => send.text)
  }

  async function countOf(owner: ProductTenant, phone: string): Promise<{ inbound: number; runs: number }> {
    return product.db.store.read(owner.id, async (reader) => {
      const customer = { phone }
      const conversation = await reader.conversation.findFirst({ where: { tenantId: owner.id, customer } })
      const where = { tenantId: owner.id, conversationId: conversation?.id ?? owner.id }
      return {
        inbound: await reader.message.count({ where: { ...where, direction: 'in' } }),
        runs: await reader.run.count({ where }),
      }
    })
  }
})

function answer(text: string): ApiLine {
  return { type: 'message', stopReason: 'end_turn', content: [{ type: 'text', text }] }
}

function textsOf(body: unknown): string {
  return JSON.stringify(body)
}
