import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { ResponseUsage } from '../../src/agent/types.ts'
import { createTestClock } from '../support/factories.ts'
import { type LoopbackMessagesApi, startLoopbackMessagesApi } from '../support/loopback-messages-api.ts'
import {
  addTenant,
  type ProductTenant,
  type RunningProduct,
  startProduct,
} from '../support/running-product.ts'

describe('a customer books with the model behind a loopback Messages API', () => {
  let api: LoopbackMessagesApi
  let product: RunningProduct
  let tenant: ProductTenant
  let other: ProductTenant

  beforeAll(async () => {
    api = await startLoopbackMessagesApi()
    product = await startProduct(
      { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: api.baseURL },
      { clock: createTestClock() },
    )
    tenant = await addTenant(product)
    other = await addTenant(product)
  })
  afterAll(async () => {
    await product.close()
    await api.close()
  })

  it('text → times → booking → answer, and the appointment stands at the right instant for this tenant alone', async () => {
    api.play(
      use('u1', 'list_available_times', { service: 'corte', date: '2026-12-01', professional: 'ana' }),
      use('u2', 'book_appointment', { service: 'corte', professional: 'ana', starts_at: '01/12 15:00' }),
      use('u3', 'book_appointment', { service: 'corte', professional: 'ana', starts_at: '2026-12-01T15:00' }),
      {
        type: 'message',
        stopReason: 'end_turn',
        content: [{ type: 'text', text: 'Marcado: terça, 1º de dezembro, 15:00, com a Ana.' }],
      },
    )
    expect(await product.say(tenant, '5511987650001', 'corte amanhã às 15h com a Ana?')).toBe(200)
    const sent = await product.graph.waitForSend((send) => send.text?.startsWith('Marcado') === true)
    expect(sent.phone).toBe('5511987650001')
    expect(sent.messageId).toMatch(/^[0-9a-f-]{36}$/)

    const { body } = await tenant.staff.call('GET', '/v1/appointments?from=2026-12-01&to=2026-12-01')
    expect(body['items']).toMatchObject([
      {
        status: 'booked',
        service: { key: 'corte' },
        professional: { key: 'ana' },
        customer: { phone: '5511987650001' },
        startsAt: '2026-12-01T15:00:00-03:00',
        endsAt: '2026-12-01T15:45:00-03:00',
        source: 'customer',
      },
    ])
    const elsewhere = await other.staff.call('GET', '/v1/appointments?from=2026-12-01&to=2026-12-01')
    expect(elsewhere.body['items']).toEqual([])

    expect(api.complaints).toEqual([])
    const last = JSON.stringify(api.requests.at(-1))
    expect(last).toContain('"is_error":true')
    expect(last).toContain('starts_at')
  })

  it('the run is told with status, reason, steps, usage and cost', async () => {
    const list = await tenant.staff.call('GET', '/v1/conversations')
    const [conversation] = ids(list.body)
    const runs = await tenant.staff.call('GET', `/v1/conversations/${conversation}/runs`)
    const sum = (count: (usage: ResponseUsage) => number) => api.usages.map(count).reduce((a, b) => a + b, 0)
    const usage = {
      inputTokens: sum((given) => given.input_tokens),
      cacheReadTokens: sum((given) => given.cache_read_input_tokens ?? 0),
      cacheWriteTokens: sum((given) => given.cache_creation_input_tokens ?? 0),
      outputTokens: sum((given) => given.output_tokens),
    }
    // USD per million tokens of claude-haiku-5-5; each of the four requests is rounded up to a micro-dollar.
    const exact =
      usage.inputTokens * 0.1 +
      usage.cacheReadTokens * 0.01 +
      usage.cacheWriteTokens * 0.125 +
      usage.outputTokens * 0.5
    expect(usage.cacheReadTokens).toBeGreaterThan(usage.inputTokens)
    expect(runs.body['items']).toMatchObject([
      {
        status: 'completed',
        stopReason: 'end_turn',
        steps: 4,
        usage,
        startedAt: anInstant,
        finishedAt: anInstant,
      },
    ])
    const micro = costOf(runs.body) * 1_000_000
    expect(micro).toBeGreaterThanOrEqual(exact)
    expect(micro).toBeLessThan(exact + 4)
    expect((await other.staff.call('GET', `/v1/conversations/${conversation}/runs`)).status).toBe(404)
  })

  it('a tool named __proto__ and a code of another tenant are refused, and the model goes on', async () => {
    api.play(use('v1', '__proto__', {}), use('v2', 'cancel_appointment', { code: 'AAAAAA' }), {
      type: 'message',
      stopReason: 'end_turn',
      content: [{ type: 'text', text: 'Não achei esse código.' }],
    })
    await product.say(other, '5511987650002', 'cancela o AAAAAA')
    await product.graph.waitForSend((send) => send.text === 'Não achei esse código.')
    expect(api.complaints).toEqual([])
    expect(JSON.stringify(api.requests.at(-1)).match(/"is_error":true/g)).toHaveLength(2)
  })
})

function use(id: string, name: string, input: Record<string, unknown>) {
  return {
    type: 'message' as const,
    stopReason: 'tool_use',
    content: [{ type: 'tool_use' as const, id: `toolu_${id}`, name, input }],
  }
}

const anInstant = expect.stringMatching(/^2026-.*-03:00$/)

function costOf(body: Record<string, unknown>): number {
  const [run] = z.array(z.object({ costUsd: z.number() })).parse(body['items'])
  return run?.costUsd ?? Number.NaN
}

function ids(body: Record<string, unknown>): string[] {
  const items = Array.isArray(body['items']) ? body['items'] : []
  return items.map((item: unknown) =>
    typeof item === 'object' && item !== null && 'id' in item ? String(item.id) : '',
  )
}
