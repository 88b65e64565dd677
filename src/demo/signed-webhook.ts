import { createHmac, randomBytes } from 'node:crypto'

/** The number that a webhook is about: whose business it is. */
export interface WebhookNumber {
  readonly wabaId: string
  readonly phoneNumberId: string
  readonly displayPhoneNumber: string
}

/** The customer in Meta's words; leave out `waId` or `bsuid` for the shapes in which Meta does. */
export interface WebhookPerson {
  readonly name?: string
  readonly waId?: string
  readonly bsuid?: string
}

export interface InboundItem {
  readonly number: WebhookNumber
  readonly from: WebhookPerson
  /** Default: a new one. */
  readonly wamid?: string
  /** Meta's time, milliseconds; default now. */
  readonly atMs?: number
  /** The message this one answers. */
  readonly replyTo?: string
}

export interface StatusItem {
  readonly number: WebhookNumber
  readonly to: WebhookPerson
  readonly wamid: string
  readonly status: 'sent' | 'delivered' | 'read' | 'played' | 'failed'
  readonly atMs?: number
  /** Our id, echoed in `biz_opaque_callback_data`. */
  readonly messageId?: string
  readonly error?: { readonly code: number; readonly details: string }
}

/** One element of `entry[].changes[]`, with the account it belongs to. */
export interface WebhookChange {
  readonly wabaId: string
  readonly field: string
  readonly value: Readonly<Record<string, unknown>>
}

/** `X-Hub-Signature-256` for these bytes. */
export function signBody(body: string | Buffer, appSecret: string): string {
  return `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`
}

/**
 * Posts a body as Meta does, signed over the exact bytes, non-ASCII escaped. Resolves with the answer, whatever
 * it is. @throws what `fetch` throws when the address cannot be reached
 */
export async function postWebhook(url: string, appSecret: string, body: unknown): Promise<Response> {
  const bytes = escapeNonAscii(JSON.stringify(body))
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': signBody(bytes, appSecret) },
    body: bytes,
  })
}

/** Puts changes of any tenants and fields into one body, in the given order: a batch. */
export function webhookBody(...changes: readonly WebhookChange[]): Readonly<Record<string, unknown>> {
  return {
    object: 'whatsapp_business_account',
    entry: changes.map(({ wabaId, field, value }) => ({
      id: wabaId,
      time: Math.floor(Date.now() / 1000),
      changes: [{ field, value }],
    })),
  }
}

export function newWamid(): string {
  return `wamid.${randomBytes(21).toString('base64url')}`
}

export function textMessageUpdate(item: InboundItem & { readonly text: string }): WebhookChange {
  return messageUpdate(item, 'text', { body: item.text })
}

export function buttonReplyUpdate(
  item: InboundItem & { readonly id: string; readonly title: string },
): WebhookChange {
  const reply = { id: item.id, title: item.title }
  return messageUpdate(item, 'interactive', { type: 'button_reply', button_reply: reply })
}

export function listReplyUpdate(
  item: InboundItem & { readonly id: string; readonly title: string; readonly description?: string },
): WebhookChange {
  const reply = { id: item.id, title: item.title, ...optional('description', item.description) }
  return messageUpdate(item, 'interactive', { type: 'list_reply', list_reply: reply })
}

/** A tap on a template's quick-reply button. */
export function templateButtonUpdate(
  item: InboundItem & { readonly payload: string; readonly text: string },
): WebhookChange {
  return messageUpdate(item, 'button', { payload: item.payload, text: item.text })
}

/** A message of any type: `content` becomes the field named like the type. */
export function messageUpdate(item: InboundItem, type: string, content: unknown): WebhookChange {
  const message = {
    ...optional('from', item.from.waId),
    ...optional('from_user_id', item.from.bsuid),
    id: item.wamid ?? newWamid(),
    timestamp: seconds(item.atMs),
    type,
    ...optional(
      'context',
      item.replyTo && { from: digits(item.number.displayPhoneNumber), id: item.replyTo },
    ),
    [type]: content,
  }
  return valueUpdate(item.number, 'messages', { contacts: [contact(item.from)], messages: [message] })
}

/** A message that a person typed on the business's own phone. */
export function echoUpdate(item: {
  readonly number: WebhookNumber
  readonly to: WebhookPerson
  readonly text: string
  readonly wamid?: string
  readonly atMs?: number
}): WebhookChange {
  const echo = {
    from: digits(item.number.displayPhoneNumber),
    ...optional('to', item.to.waId),
    ...optional('to_user_id', item.to.bsuid),
    id: item.wamid ?? newWamid(),
    timestamp: seconds(item.atMs),
    type: 'text',
    text: { body: item.text },
  }
  return valueUpdate(item.number, 'smb_message_echoes', {
    contacts: [contact(item.to)],
    message_echoes: [echo],
  })
}

export function statusUpdate(item: StatusItem): WebhookChange {
  const status = {
    id: item.wamid,
    status: item.status,
    timestamp: seconds(item.atMs),
    ...optional('recipient_id', item.to.waId),
    ...optional('recipient_user_id', item.to.bsuid),
    ...optional('biz_opaque_callback_data', item.messageId),
    ...(item.status === 'failed'
      ? { errors: [statusError(item.error ?? { code: 131026, details: 'Message undeliverable' })] }
      : { pricing: { billable: true, pricing_model: 'PMP', type: 'regular', category: 'service' } }),
  }
  const contacts = item.status === 'failed' ? {} : { contacts: [contact(item.to)] }
  return valueUpdate(item.number, 'messages', { ...contacts, statuses: [status] })
}

/** Any other value with a number in it, e.g. `user_preferences`. */
export function valueUpdate(
  number: WebhookNumber,
  field: string,
  value: Readonly<Record<string, unknown>>,
): WebhookChange {
  const metadata = {
    display_phone_number: digits(number.displayPhoneNumber),
    phone_number_id: number.phoneNumberId,
  }
  return { wabaId: number.wabaId, field, value: { messaging_product: 'whatsapp', metadata, ...value } }
}

function contact(person: WebhookPerson): Readonly<Record<string, unknown>> {
  return {
    profile: { name: person.name ?? 'Cliente' },
    ...optional('wa_id', person.waId),
    ...optional('user_id', person.bsuid),
  }
}

function statusError(error: { readonly code: number; readonly details: string }): unknown {
  return {
    code: error.code,
    title: error.details,
    message: error.details,
    error_data: { details: error.details },
  }
}

function optional(key: string, value: unknown): Readonly<Record<string, unknown>> {
  return value === undefined || value === '' ? {} : { [key]: value }
}

function seconds(atMs: number = Date.now()): string {
  return String(Math.floor(atMs / 1000))
}

function digits(phone: string): string {
  return phone.replace(/\D/g, '')
}

/** Meta signs the escaped form, so a receiver that re-serialises the body gets another digest. */
function escapeNonAscii(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
