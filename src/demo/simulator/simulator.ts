import { AppError } from '../../shared/app-error.ts'
import { type Clock, systemClock } from '../../shared/clock.ts'
import type { GraphRead, GraphSend, LoopbackGraphApi } from '../graph-api-types.ts'
import {
  buttonReplyUpdate,
  type InboundItem,
  listReplyUpdate,
  newWamid,
  statusUpdate,
  templateButtonUpdate,
  textMessageUpdate,
  type WebhookChange,
  type WebhookNumber,
} from '../signed-webhook.ts'
import { type ChatStore, createChatStore } from './chat-store.ts'
import { type RenderTemplate, readSend } from './read-send.ts'
import type { Simulator } from './simulator-contract.ts'
import { simulatorPlugin } from './simulator-plugin.ts'
import type { ChatCustomer, ChatMessage, ChatOption } from './simulator-types.ts'
import { createTypingIndicator, type TypingIndicator } from './typing-indicator.ts'
import { createWebhookDelivery, type WebhookDelivery } from './webhook-delivery.ts'

export interface SimulatorOptions extends WebhookNumber {
  /** The product's own webhook, e.g. `http://127.0.0.1:3000/webhooks/whatsapp`; asked for at each post. */
  readonly webhookUrl: () => string
  readonly appSecret: string
  readonly businessName: string
  /** The Graph API that the product sends to. */
  readonly graph: Pick<LoopbackGraphApi, 'onAccepted' | 'onRead'>
  readonly customers?: readonly { readonly name: string; readonly phone: string }[]
  readonly renderTemplate?: RenderTemplate
  readonly clock?: Clock
  /** From `sent` to `delivered`. Default 400. */
  readonly deliveryMs?: number
  /** A status that could not be posted, after retries. */
  readonly onError?: (error: unknown) => void
}

const DEFAULT_CUSTOMERS = [
  { name: 'Marina Alves', phone: '5511987650001' },
  { name: 'Rafael Nogueira', phone: '5521987650002' },
  { name: 'Dona Célia', phone: '5531987650003' },
] as const

const DELIVERY_MS = 400

/** @see Simulator */
export function createSimulator(options: SimulatorOptions): Simulator {
  const store = createChatStore()
  const typing = createTypingIndicator(store)
  const delivery = createWebhookDelivery(options)
  const clock = options.clock ?? systemClock
  const world: World = { options, clock, store, typing, delivery, posted: new Map() }
  for (const { phone, name } of options.customers ?? DEFAULT_CUSTOMERS) store.ensureCustomer(phone, name)
  const stopSends = options.graph.onAccepted((send) => receive(world, send))
  const stopReads = options.graph.onRead((read) => showRead(world, read))

  const simulator: Simulator = {
    plugin: (app) => simulatorPlugin(app, simulator),
    businessName: options.businessName,
    store,
    sendText: (phone, text, name) => sendText(world, store.ensureCustomer(phone, name ?? `+${phone}`), text),
    choose: (phone, messageId, optionId) => choose(world, phone, messageId, optionId),
    retry: (phone, messageId) => retry(world, phone, messageId),
    markRead: (phone) => markRead(world, phone),
    async close() {
      stopSends()
      stopReads()
      typing.close()
      await delivery.close()
    },
  }
  return simulator
}

interface World {
  readonly options: SimulatorOptions
  readonly clock: Clock
  readonly store: ChatStore
  readonly typing: TypingIndicator
  readonly delivery: WebhookDelivery
  /** What was posted for a message of a customer, by its id, to post it again. */
  readonly posted: Map<string, WebhookChange>
}

/** A message of the product arrives on the phone, which says so. */
function receive({ options, clock, store, typing, delivery }: World, send: GraphSend): void {
  if (send.phoneNumberId !== options.phoneNumberId) return
  const known = send.bsuid === null ? null : store.customerByBsuid(send.bsuid)
  const customer = known ?? (send.phone === null ? null : store.ensureCustomer(send.phone, `+${send.phone}`))
  if (customer === null) return
  typing.hide(customer.phone)
  store.put(customer.phone, readSend(send, options.renderTemplate ?? (() => null)))
  const item = {
    number: options,
    to: personOf(customer),
    wamid: send.wamid,
    ...(send.messageId === null ? {} : { messageId: send.messageId }),
  }
  for (const status of ['sent', 'delivered'] as const) {
    const waitMs = status === 'sent' ? 0 : (options.deliveryMs ?? DELIVERY_MS)
    void delivery.queue(customer.phone, () => [statusUpdate({ ...item, status, atMs: clock.now() })], waitMs)
  }
}

/** The product read a message, and so every one before it; it may also show that it is typing. */
function showRead({ store, typing }: World, read: GraphRead): void {
  const customer = store.ownerOf(read.wamid)
  if (customer === null) return
  for (const message of store.messages(customer.phone)) {
    const unseen = message.side === 'mine' && message.status !== 'read' && message.status !== 'failed'
    if (unseen) store.update(customer.phone, message.id, { status: 'read' })
    if (message.id === read.wamid) break
  }
  if (read.typing) typing.show(customer.phone)
}

async function markRead({ options, clock, store, delivery }: World, phone: string): Promise<void> {
  const customer = store.customer(phone)
  const unread = store.messages(phone).filter(({ side, status }) => side === 'theirs' && status !== 'read')
  if (customer === null || unread.length === 0) return
  for (const { id } of unread) store.update(phone, id, { status: 'read' })
  const item = { number: options, to: personOf(customer), status: 'read', atMs: clock.now() } as const
  await delivery.queue(customer.phone, () => unread.map(({ id }) => statusUpdate({ ...item, wamid: id })))
}

function sendText(world: World, customer: ChatCustomer, text: string): Promise<ChatMessage> {
  const message = newMessage(text, world.clock.now())
  return write(
    world,
    customer,
    message,
    textMessageUpdate({ ...itemOf(world.options, customer, message), text }),
  )
}

async function choose(
  world: World,
  phone: string,
  messageId: string,
  optionId: string,
): Promise<ChatMessage> {
  const customer = world.store.customer(phone)
  const asked = world.store.messages(phone).find(({ id }) => id === messageId)
  const option = asked?.choices?.options.find(({ id }) => id === optionId)
  if (customer === null || asked === undefined || option === undefined) {
    throw new AppError('unknown_option', 'that option is not on this phone')
  }
  const message = { ...newMessage(option.title, world.clock.now()), quotedId: messageId }
  world.store.update(phone, messageId, { chosenId: optionId })
  const change = choiceUpdate(asked, option, itemOf(world.options, customer, message))
  return write(world, customer, message, change)
}

async function retry(world: World, phone: string, messageId: string): Promise<ChatMessage> {
  const customer = world.store.customer(phone)
  const message = world.store.messages(phone).find(({ id }) => id === messageId)
  const change = world.posted.get(messageId)
  if (customer === null || message === undefined || change === undefined) {
    throw new AppError('unknown_message', 'that message was not written on this phone')
  }
  return write(world, customer, { ...message, status: 'sending' }, change)
}

async function write(
  { store, delivery, posted }: World,
  customer: ChatCustomer,
  message: ChatMessage,
  change: WebhookChange,
): Promise<ChatMessage> {
  posted.set(message.id, change)
  store.put(customer.phone, message)
  const status = (await delivery.post(change)) ? 'delivered' : 'failed'
  const current = store.messages(customer.phone).find(({ id }) => id === message.id) ?? message
  // The product may have marked it as read before its answer to the webhook arrived.
  if (status === 'delivered' && current.status === 'read') return current
  return store.update(customer.phone, message.id, { status }) ?? { ...message, status }
}

function newMessage(text: string, atMs: number): ChatMessage {
  const empty = { choices: null, chosenId: null, quotedId: null }
  return { id: newWamid(), side: 'mine', text, atMs, status: 'sending', ...empty }
}

function personOf(customer: ChatCustomer): { name: string; waId: string; bsuid: string } {
  return { name: customer.name, waId: customer.phone, bsuid: customer.bsuid }
}

function itemOf(number: WebhookNumber, customer: ChatCustomer, message: ChatMessage): InboundItem {
  const item = { number, from: personOf(customer), wamid: message.id, atMs: message.atMs }
  return message.quotedId === null ? item : { ...item, replyTo: message.quotedId }
}

/** What a tap sends depends on what was tapped: a button, a row, or a template's quick reply. */
function choiceUpdate(asked: ChatMessage, option: ChatOption, item: InboundItem): WebhookChange {
  switch (asked.choices?.kind) {
    case 'list': {
      const { id, title, description } = option
      return listReplyUpdate({ ...item, id, title, ...(description === null ? {} : { description }) })
    }
    case 'template_buttons':
      return templateButtonUpdate({ ...item, payload: option.id, text: option.title })
    default:
      return buttonReplyUpdate({ ...item, id: option.id, title: option.title })
  }
}
