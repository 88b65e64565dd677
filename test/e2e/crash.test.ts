import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postWebhook, textMessageUpdate, webhookBody } from '../../src/demo/signed-webhook.ts'
import { APP_SECRET } from '../support/http-harness.ts'
import {
  type ApiLine,
  type LoopbackMessagesApi,
  startLoopbackMessagesApi,
} from '../support/loopback-messages-api.ts'
import { type ProductProcess, startProductProcess } from '../support/product-process.ts'
import {
  addTenant,
  numberOf,
  type ProductTenant,
  type RunningProduct,
  startProduct,
} from '../support/running-product.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'

const TAKEN_UP_WITHIN_MS = 15_000

describe('a process that ends', () => {
  let api: LoopbackMessagesApi
  let product: RunningProduct
  let tenant: ProductTenant
  const children: ProductProcess[] = []

  beforeAll(async () => {
    api = await startLoopbackMessagesApi()
    // Takes webhooks and serves staff; the turns run in processes that a test kills.
    product = await startProduct({ ROLE: 'web' })
    tenant = await addTenant(product)
    await addTenant(product)
  })
  afterAll(async () => {
    for (const child of children) await child.end('SIGKILL')
    await product.close()
    await api.close()
  })

  async function startWorker(): Promise<ProductProcess> {
    const child = await startProductProcess({
      ROLE: 'worker',
      DATABASE_URL: product.db.url,
      WHATSAPP_GRAPH_URL: product.graph.url,
      ANTHROPIC_API_KEY: 'test-key',
      ANTHROPIC_BASE_URL: api.baseURL,
    })
    children.push(child)
    return child
  }

  it('by kill -9 in the middle of a turn: another takes it up within 15 s, one answer, no answered request twice', async () => {
    const worker = await startWorker()
    api.play(
      {
        type: 'message',
        stopReason: 'tool_use',
        content: [{ type: 'tool_use', id: 'toolu_k', name: 'list_services', input: {} }],
      },
      { type: 'hang' },
    )
    await product.say(tenant, '5511955550001', 'quais serviços?')
    await expect.poll(() => api.requests.length, { timeout: 10_000 }).toBe(2)
    await worker.end('SIGKILL')
    const killedAt = performance.now()
    api.play(answer('Corte e barba.'))
    await startWorker()
    await product.graph.waitForSend((send) => send.text === 'Corte e barba.', {
      timeoutMs: TAKEN_UP_WITHIN_MS,
    })
    expect(performance.now() - killedAt).toBeLessThan(TAKEN_UP_WITHIN_MS)
    await product.idle()
    expect(product.graph.sends.filter((send) => send.phone === '5511955550001')).toHaveLength(1)
    expect(api.requests).toHaveLength(3)
    expect(api.complaints).toEqual([])
  })

  it('by kill -9 while another message waits: both are answered by whoever takes the run up', async () => {
    const worker = children.at(-1)
    const before = api.requests.length
    api.play({ type: 'hang' })
    await product.say(tenant, '5511955550004', 'corte?')
    await expect.poll(() => api.requests.length, { timeout: 10_000 }).toBe(before + 1)
    await product.say(tenant, '5511955550004', 'e barba?')
    const stored = () =>
      product.db.store.read(tenant.id, (reader) =>
        reader.message.count({ where: { tenantId: tenant.id, text: 'e barba?' } }),
      )
    await expect.poll(stored, { timeout: 10_000 }).toBe(1)
    await worker?.end('SIGKILL')
    api.otherwise(() => answer('Os dois, sim.'))
    await startWorker()
    await product.graph.waitForSend((send) => send.phone === '5511955550004', {
      timeoutMs: 2 * TAKEN_UP_WITHIN_MS,
    })
    await product.idle()
    expect(await awaiting()).toBe(0)
    expect(JSON.stringify(api.requests.at(-1))).toContain('e barba?')
  })

  const awaiting = () =>
    product.db.store.read(tenant.id, (reader) =>
      reader.message.count({ where: { tenantId: tenant.id, awaitsTurn: true } }),
    )

  it('by SIGTERM ends with code 0 within 20 s, and serves health on the worker too', async () => {
    const worker = children.at(-1)
    if (worker === undefined) throw new Error('no worker was started')
    expect((await fetch(`${worker.address}/healthz`)).status).toBe(200)
    expect((await fetch(`${worker.address}/readyz`)).status).toBe(200)
    expect((await fetch(`${worker.address}/v1/me`)).status).toBe(404)
    // A client that never finishes its request must not hold the stop up.
    const { hostname, port } = new URL(worker.address)
    const slow = connect(Number(port), hostname)
    slow.on('error', () => {})
    slow.write('POST /healthz HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nhalf')
    const before = performance.now()
    expect(await worker.end('SIGTERM')).toBe(0)
    slow.destroy()
    expect(performance.now() - before).toBeLessThan(20_000)
  })
})

describe('with the database away', () => {
  let product: RunningProduct
  let tenant: ProductTenant
  let proxy: TcpProxy
  let child: ProductProcess

  beforeAll(async () => {
    product = await startProduct({ ROLE: 'web' })
    tenant = await addTenant(product)
    proxy = await startTcpProxy(product.db.url)
    child = await startProductProcess({
      DATABASE_URL: proxy.through(product.db.url),
      WHATSAPP_GRAPH_URL: product.graph.url,
    })
  })
  afterAll(async () => {
    await child.end('SIGKILL')
    await proxy.close()
    await product.close()
  })

  const post = async (text: string) => {
    const change = textMessageUpdate({
      number: numberOf(tenant),
      from: { waId: '5511955550002', name: 'Marina' },
      text,
    })
    return (await postWebhook(`${child.address}/webhooks/whatsapp`, APP_SECRET, webhookBody(change))).status
  }

  it('the webhook answers 503 within 10 s, health 200, readiness 503, and all recovers by itself', async () => {
    expect(await post('oi')).toBe(200)
    await product.graph.waitForSend((send) => send.phone === '5511955550002', { timeoutMs: 10_000 })
    await proxy.cut()
    const before = performance.now()
    expect(await post('alguém aí?')).toBe(503)
    expect(performance.now() - before).toBeLessThan(10_000)
    expect((await fetch(`${child.address}/healthz`)).status).toBe(200)
    expect((await fetch(`${child.address}/readyz`)).status).toBe(503)
    await proxy.mend()
    await expect
      .poll(async () => (await fetch(`${child.address}/readyz`)).status, { timeout: 20_000 })
      .toBe(200)
    const sent = product.graph.sends.length
    expect(await post('meus horários')).toBe(200)
    await expect.poll(() => product.graph.sends.length, { timeout: 20_000 }).toBeGreaterThan(sent)
  })
})

function answer(text: string): ApiLine {
  return { type: 'message', stopReason: 'end_turn', content: [{ type: 'text', text }] }
}
