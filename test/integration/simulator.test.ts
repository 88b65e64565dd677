import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startLoopbackGraphApi } from '../../src/demo/graph-api.ts'
import type { LoopbackGraphApi } from '../../src/demo/graph-api-types.ts'
import { createRecording, type Recording } from '../../src/demo/recording.ts'
import { createSimulator } from '../../src/demo/simulator/simulator.ts'
import type { Simulator } from '../../src/demo/simulator/simulator-contract.ts'
import { createGraphChannel } from '../../src/whatsapp/graph-client.ts'
import { verifySignature } from '../../src/whatsapp/signature.ts'
import { parseWebhook } from '../../src/whatsapp/webhook-schema.ts'
import type { WebhookUpdate } from '../../src/whatsapp/webhook-types.ts'

const APP_SECRET = 'app-secret'
const MARINA = '5511987650001'
const account = {
  tenantId: 'aurora',
  channelId: 'channel-aurora',
  phoneNumberId: '106540352242922',
  wabaId: '102290129340398',
  accessToken: 'token',
}

let graph: LoopbackGraphApi
let product: Server
let productAnswers: number
let updates: Recording<WebhookUpdate>
let simulator: Simulator
let app: FastifyInstance

beforeEach(async () => {
  graph = await startLoopbackGraphApi()
  updates = createRecording<WebhookUpdate>('update')
  productAnswers = 200
  product = createServer((request, response) => {
    takeWebhook(request).then(
      (status) => response.writeHead(status).end(),
      (error: unknown) => response.destroy(error instanceof Error ? error : new Error(String(error))),
    )
  })
  product.listen(0, '127.0.0.1')
  await once(product, 'listening')
  const address = z.object({ port: z.number() }).parse(product.address())
  simulator = createSimulator({
    webhookUrl: () => `http://127.0.0.1:${address.port}/webhooks/whatsapp`,
    appSecret: APP_SECRET,
    phoneNumberId: account.phoneNumberId,
    wabaId: account.wabaId,
    displayPhoneNumber: '+551130000000',
    businessName: 'Studio Aurora',
    graph,
    deliveryMs: 5,
  })
  app = Fastify()
  await app.register(simulator.plugin)
})

async function takeWebhook(request: IncomingMessage): Promise<number> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  const body = Buffer.concat(chunks)
  const signature = z.string().parse(request.headers['x-hub-signature-256'])
  if (!verifySignature(body, signature, APP_SECRET)) return 401
  if (productAnswers === 200) {
    for (const update of parseWebhook(JSON.parse(body.toString('utf8')))) updates.add(update)
  }
  return productAnswers
}

afterEach(async () => {
  await simulator.close()
  await app.close()
  await graph.close()
  product.closeAllConnections()
  product.close()
})

const channel = () =>
  createGraphChannel({ baseUrl: graph.url, version: 'v25.0', userAgent: 'agendou/test', timeoutMs: 5000 })

const answer = (choices: { id: string; title: string }[], messageId = 'message-1') =>
  channel().send({
    account,
    to: { kind: 'phone', phone: MARINA },
    content: { kind: 'choices', text: 'Que horas?', choices },
    messageId,
    locale: 'pt-BR',
  })

async function write(phone: string, payload: object) {
  const url = `/simulator/api/customers/${phone}/messages`
  return app.inject({ method: 'POST', url, payload })
}

const isStatus = (word: string) => (update: WebhookUpdate) =>
  update.kind === 'status' && update.status.status === word

describe('the simulated phone', () => {
  it('posts what a customer writes as a signed webhook, also for a number it never saw', async () => {
    const response = await write('5541999990000', { text: 'Oi! Tudo bem? 😊', name: 'Nova' })
    expect([response.statusCode, response.json()]).toMatchObject([201, { side: 'mine', status: 'delivered' }])
    expect(updates.items).toMatchObject([
      {
        kind: 'message',
        phoneNumberId: account.phoneNumberId,
        contact: { name: 'Nova', waId: '5541999990000' },
        message: { content: { type: 'text', body: 'Oi! Tudo bem? 😊' } },
      },
    ])
  })

  it('receives an answer and reports sent, delivered and read, with our id', async () => {
    const outcome = await answer([{ id: '10h', title: '10:00' }])
    await updates.waitFor(isStatus('delivered'))
    await app.inject({ method: 'POST', url: `/simulator/api/customers/${MARINA}/read` })
    expect(updates.items).toMatchObject([
      { status: { status: 'sent', messageId: 'message-1' } },
      { status: { status: 'delivered', messageId: 'message-1' } },
      { status: { status: 'read' }, contact: { waId: MARINA } },
    ])
    expect(outcome).toMatchObject({ kind: 'accepted', wamid: simulator.store.messages(MARINA)[0]?.id })
  })

  it('taps buttons and rows with the ids of the wire, quoting the question', async () => {
    await answer([{ id: '10h', title: '10:00' }])
    const four = ['a', 'b', 'c', 'd'].map((id) => ({ id, title: `Opção ${id}` }))
    await answer(four, 'message-2')
    await graph.waitForSend(({ messageId }) => messageId === 'message-2')
    const [buttons, list] = simulator.store.messages(MARINA)
    await write(MARINA, { replyTo: buttons?.id, optionId: 'c:10h' })
    await write(MARINA, { replyTo: list?.id, optionId: 'c:d' })
    expect(updates.items.filter(({ kind }) => kind === 'message')).toMatchObject([
      {
        message: {
          context: { wamid: buttons?.id },
          content: { type: 'button_reply', id: 'c:10h', title: '10:00' },
        },
      },
      {
        message: {
          context: { wamid: list?.id },
          content: { type: 'list_reply', id: 'c:d', title: 'Opção d' },
        },
      },
    ])
    expect((await write(MARINA, { replyTo: list?.id, optionId: 'c:none' })).statusCode).toBe(404)
  })

  it('shows read marks and typing when the product says so, and stops typing at the answer', async () => {
    const message = await simulator.sendText(MARINA, 'Oi')
    await channel().markRead(account, message.id, { typing: true })
    expect(simulator.store.messages(MARINA)).toMatchObject([{ status: 'read' }])
    expect(simulator.store.customer(MARINA)?.typing).toBe(true)
    await answer([{ id: '10h', title: '10:00' }])
    await graph.waitForSend()
    expect(simulator.store.customer(MARINA)).toMatchObject({ typing: false, unread: 1 })
  })

  it('marks a message that the product did not take, and sends it again with its own id', async () => {
    productAnswers = 503
    const failed = await simulator.sendText(MARINA, 'Oi')
    expect(failed.status).toBe('failed')
    productAnswers = 200
    const url = `/simulator/api/customers/${MARINA}/messages/${encodeURIComponent(failed.id)}/retry`
    expect((await app.inject({ method: 'POST', url })).json()).toMatchObject({
      id: failed.id,
      status: 'delivered',
    })
    expect(updates.items).toMatchObject([{ message: { wamid: failed.id } }])
  })

  it('posts a status again when the product was away', async () => {
    productAnswers = 503
    await answer([{ id: '10h', title: '10:00' }])
    productAnswers = 200
    await updates.waitFor(isStatus('delivered'))
    expect(updates.items.map((update) => update.kind)).toEqual(['status', 'status'])
  })

  it('shows nothing of another business’s number', async () => {
    const other = { ...account, tenantId: 'bora', phoneNumberId: '200000000000002' }
    const to = { kind: 'phone', phone: MARINA } as const
    const content = { kind: 'text', text: 'Oi' } as const
    await channel().send({ account: other, to, content, messageId: 'm', locale: 'pt-BR' })
    await graph.waitForSend()
    expect(simulator.store.messages(MARINA)).toEqual([])
  })

  it('serves the page and its parts, and refuses what is no customer', async () => {
    expect((await app.inject('/simulator')).headers.location).toBe('/simulator/')
    expect((await app.inject('/simulator/')).body).toContain('<title>Celular simulado')
    expect((await app.inject('/simulator/main.js')).statusCode).toBe(200)
    const post = (payload: object) => app.inject({ method: 'POST', url: '/simulator/api/customers', payload })
    expect((await post({ name: 'Júlia', phone: '+55 11 98765-0009' })).statusCode).toBe(201)
    expect((await post({ name: 'Júlia', phone: '5511987650009' })).json()).toEqual({ code: 'phone_taken' })
    expect((await post({ name: '', phone: 'x' })).statusCode).toBe(400)
  })

  it('streams the whole state first and then every change, and lets the server close', async () => {
    await app.listen({ port: 0, host: '127.0.0.1' })
    const address = z.object({ port: z.number() }).parse(app.server.address())
    const response = await fetch(`http://127.0.0.1:${address.port}/simulator/api/events`)
    const lines = response.body?.pipeThrough(new TextDecoderStream())
    let seen = ''
    const reading = (async () => {
      for await (const chunk of lines ?? []) seen += chunk
    })()
    await simulator.sendText(MARINA, 'ao vivo')
    await app.close()
    await reading
    expect(seen.startsWith('event: state\ndata: {"businessName":"Studio Aurora"')).toBe(true)
    expect(seen).toContain('ao vivo')
  })
})
