import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { AppError } from '../../shared/app-error.ts'
import type { Simulator } from './simulator-contract.ts'

const PREFIX = '/simulator'
const HEARTBEAT_MS = 15_000

const phoneSchema = z
  .string()
  .transform((phone) => phone.replace(/\D/g, ''))
  .pipe(z.string().regex(/^[1-9]\d{9,14}$/))
const phoneParams = z.object({ phone: phoneSchema })
const messageParams = phoneParams.extend({ id: z.string().min(1) })
const customerBody = z.object({ name: z.string().trim().min(1).max(60), phone: phoneSchema })
const messageBody = z.union([
  z.object({ text: z.string().trim().min(1).max(4096), name: z.string().trim().min(1).max(60).optional() }),
  z.object({ replyTo: z.string().min(1), optionId: z.string().min(1) }),
])

/**
 * The simulator over HTTP: the page at `/simulator/`, live events at `/simulator/api/events`, and a JSON API
 * for scripted play:
 *
 * - `GET  /simulator/api/customers` → `{ items: ChatCustomer[] }`; `POST` `{ name, phone }` → 201
 * - `GET  /simulator/api/customers/:phone/messages` → `{ items: ChatMessage[] }`
 * - `POST /simulator/api/customers/:phone/messages` `{ text, name? }` or `{ replyTo, optionId }` → 201 with the
 *   message, after the product's webhook answered (`status` `delivered` or `failed`)
 * - `POST …/messages/:id/retry` → 200 with the message · `POST …/read` → 204
 */
export async function simulatorPlugin(app: FastifyInstance, simulator: Simulator): Promise<void> {
  await app.register((scope) => routes(scope, simulator), { prefix: PREFIX })
}

async function routes(app: FastifyInstance, simulator: Simulator): Promise<void> {
  hideFromDocs(app)
  app.setErrorHandler(async (error, _request, reply) => {
    const status = error instanceof z.ZodError ? 400 : error instanceof AppError ? 404 : 500
    const code = error instanceof AppError ? error.code : status === 400 ? 'invalid_request' : 'internal'
    await reply.status(status).send({ code })
  })
  app.get('', (_request, reply) => reply.redirect(`${PREFIX}/`))
  await app.register(fastifyStatic, {
    root: fileURLToPath(new URL('./public/', import.meta.url)),
    decorateReply: false,
    cacheControl: false,
  })
  customerRoutes(app, simulator)
  messageRoutes(app, simulator)
  eventRoute(app, simulator)
}

/** The simulator is no part of the product's API. */
function hideFromDocs(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    Object.assign(route, { schema: { ...route.schema, hide: true } })
  })
}

function customerRoutes(app: FastifyInstance, simulator: Simulator): void {
  app.get('/api/customers', () => ({ items: simulator.store.customers() }))
  app.post('/api/customers', async (request, reply) => {
    const { name, phone } = customerBody.parse(request.body)
    if (simulator.store.customer(phone) !== null) return reply.status(409).send({ code: 'phone_taken' })
    return reply.status(201).send(simulator.store.ensureCustomer(phone, name))
  })
  app.post('/api/customers/:phone/read', async (request, reply) => {
    await simulator.markRead(phoneParams.parse(request.params).phone)
    return reply.status(204).send()
  })
}

function messageRoutes(app: FastifyInstance, simulator: Simulator): void {
  app.get('/api/customers/:phone/messages', (request) => ({
    items: simulator.store.messages(phoneParams.parse(request.params).phone),
  }))
  app.post('/api/customers/:phone/messages', async (request, reply) => {
    const { phone } = phoneParams.parse(request.params)
    const body = messageBody.parse(request.body)
    const message =
      'text' in body
        ? await simulator.sendText(phone, body.text, body.name)
        : await simulator.choose(phone, body.replyTo, body.optionId)
    return reply.status(201).send(message)
  })
  app.post('/api/customers/:phone/messages/:id/retry', (request) => {
    const { phone, id } = messageParams.parse(request.params)
    return simulator.retry(phone, id)
  })
}

/** Server-sent events; a client that connects anew gets everything, so nothing needs replaying. */
function eventRoute(app: FastifyInstance, simulator: Simulator): void {
  const open = new Set<FastifyReply>()
  app.addHook('preClose', async () => {
    for (const reply of open) reply.raw.end()
  })
  app.get('/api/events', (request, reply) => {
    reply.hijack()
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    const write = (type: string, data: unknown): void => {
      reply.raw.write(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`)
    }
    write('state', snapshot(simulator))
    const stop = simulator.store.listen((event) => write(event.type, event))
    const heartbeat = setInterval(() => reply.raw.write(': alive\n\n'), HEARTBEAT_MS)
    open.add(reply)
    request.raw.once('close', () => {
      clearInterval(heartbeat)
      stop()
      open.delete(reply)
    })
  })
}

function snapshot(simulator: Simulator): unknown {
  const customers = simulator.store.customers().map((customer) => ({
    ...customer,
    messages: simulator.store.messages(customer.phone),
  }))
  return { businessName: simulator.businessName, customers }
}
