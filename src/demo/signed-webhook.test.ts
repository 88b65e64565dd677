import { describe, expect, it } from 'vitest'
import { verifySignature } from '../whatsapp/signature.ts'
import { parseWebhook } from '../whatsapp/webhook-schema.ts'
import {
  buttonReplyUpdate,
  echoUpdate,
  listReplyUpdate,
  signBody,
  statusUpdate,
  templateButtonUpdate,
  textMessageUpdate,
  valueUpdate,
  webhookBody,
} from './signed-webhook.ts'

const number = { wabaId: '1', phoneNumberId: '2', displayPhoneNumber: '+551130000000' }
const ana = { name: 'Ana', waId: '5511987654321', bsuid: 'BR.1' }

describe('webhook bodies made for tests and the demo', () => {
  it('are read by the product as what they are', () => {
    const item = { number, from: ana, wamid: 'wamid.1', atMs: 1_796_040_000_000, replyTo: 'wamid.0' }
    const body = webhookBody(
      textMessageUpdate({ ...item, text: 'Olá' }),
      buttonReplyUpdate({ ...item, id: 'c:1', title: '10:00' }),
      listReplyUpdate({ ...item, id: 'c:2', title: 'Corte' }),
      templateButtonUpdate({ ...item, payload: 'a:x', text: 'Confirmar' }),
      echoUpdate({ number, to: ana, text: 'Oi' }),
      statusUpdate({ number, to: ana, wamid: 'wamid.2', status: 'failed', messageId: 'm1' }),
      valueUpdate(number, 'user_preferences', { user_preferences: [{ wa_id: ana.waId, value: 'stop' }] }),
    )
    const context = { wamid: 'wamid.0' }
    const contact = { name: 'Ana', waId: ana.waId, bsuid: ana.bsuid }
    expect(parseWebhook(body)).toMatchObject([
      {
        kind: 'message',
        contact,
        message: { sentAtMs: item.atMs, context, content: { type: 'text', body: 'Olá' } },
      },
      { kind: 'message', message: { context, content: { type: 'button_reply', id: 'c:1' } } },
      { kind: 'message', message: { context, content: { type: 'list_reply', id: 'c:2' } } },
      { kind: 'message', message: { content: { type: 'template_button', payload: 'a:x' } } },
      { kind: 'echo', contact, message: { content: { type: 'text', body: 'Oi' } } },
      { kind: 'status', status: { status: 'failed', messageId: 'm1', errors: [{ code: 131026 }] } },
      { kind: 'preference', value: 'stop', contact: { waId: ana.waId } },
    ])
  })

  it('carry a signature that the product accepts', () => {
    const bytes = Buffer.from('{"a":1}')
    expect(verifySignature(bytes, signBody(bytes, 'secret'), 'secret')).toBe(true)
    expect(verifySignature(bytes, signBody(bytes, 'secret'), 'other')).toBe(false)
  })
})
