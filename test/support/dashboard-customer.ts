import { DEMO_PHONE_NUMBER_ID, DEMO_WABA_ID, demoTenant } from '../../src/demo/demo-tenant.ts'
import {
  type InboundItem,
  messageUpdate,
  newWamid,
  postWebhook,
  type WebhookChange,
  webhookBody,
} from '../../src/demo/signed-webhook.ts'
import type { Demo } from '../../src/demo/start-demo.ts'

const NUMBER = {
  phoneNumberId: DEMO_PHONE_NUMBER_ID,
  wabaId: DEMO_WABA_ID,
  displayPhoneNumber: demoTenant.channel.displayPhoneNumber,
}

export type Extras = Pick<InboundItem, 'replyTo'> & {
  /** Fields beside the content, e.g. `referral`. */
  readonly fields?: Readonly<Record<string, unknown>>
}

/** A customer who sends whatever WhatsApp lets one send, not the words alone. */
export interface DashboardCustomer {
  readonly name: string
  /** @returns the message's id at the channel. */
  send(type: string, content: unknown, extras?: Extras): Promise<string>
  /** A file that the channel hands out under an id of its own. */
  sendFile(
    type: 'image' | 'document' | 'audio' | 'video' | 'sticker',
    file: { readonly bytes: Buffer; readonly mimeType: string },
    more?: Readonly<Record<string, unknown>>,
  ): Promise<string>
}

export function dashboardCustomer(demo: Demo, name: string, phone: string): DashboardCustomer {
  const post = async (change: WebhookChange) => {
    const url = `${demo.address}/webhooks/whatsapp`
    const { status } = await postWebhook(url, demo.config.whatsapp.appSecret, webhookBody(change))
    if (status !== 200) throw new Error(`the webhook answered ${status}`)
  }
  const send: DashboardCustomer['send'] = async (type, content, { fields, ...extras } = {}) => {
    const wamid = newWamid()
    const update = messageUpdate(
      { number: NUMBER, from: { name, waId: phone }, wamid, ...extras },
      type,
      content,
    )
    await post(fields === undefined ? update : withFields(update, fields))
    return wamid
  }
  return {
    name,
    send,
    sendFile: (type, { bytes, mimeType }, more = {}) => {
      const id = `media-${newWamid().slice(-12)}`
      demo.graph.addMedia({ id, mimeType, bytes })
      return send(type, { id, mime_type: mimeType, ...more })
    },
  }
}

function withFields(update: WebhookChange, fields: Readonly<Record<string, unknown>>): WebhookChange {
  const { messages } = update.value
  const list: unknown[] = Array.isArray(messages) ? messages : []
  return {
    ...update,
    value: { ...update.value, messages: list.map((message) => Object.assign({}, message, fields)) },
  }
}
