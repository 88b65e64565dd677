import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseWebhook } from './webhook-schema.ts'
import type { InboundContent, WebhookUpdate } from './webhook-types.ts'

const FIXTURES = new URL('../../test/fixtures/whatsapp/', import.meta.url)
const PHONE_NUMBER_ID = '106540352242922'
const ANA = { waId: '5511987654321', bsuid: 'BR.81523470916342758019' }

function fixture(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`${name}.json`, FIXTURES), 'utf8'))
}

/** The member of the union that may have this kind (`Extract` wants the kind to be the only one). */
type OfKind<U, K> = U extends { kind: infer T } ? (K extends T ? U : never) : never

function only<K extends WebhookUpdate['kind']>(name: string, kind: K): OfKind<WebhookUpdate, K> {
  const updates = parseWebhook(fixture(name))
  expect(updates).toHaveLength(1)
  const isKind = (update: WebhookUpdate): update is OfKind<WebhookUpdate, K> => update.kind === kind
  const first = updates.find(isKind)
  if (first === undefined) throw new Error(`${name} holds a ${updates[0]?.kind}, not a ${kind}`)
  return first
}

describe('messages', () => {
  const contents: Record<string, InboundContent> = {
    text: { type: 'text', body: 'Oi! Quero marcar um corte 💇‍♀️' },
    'interactive-button-reply': { type: 'button_reply', id: 'c:10h', title: '10:00', description: null },
    'interactive-list-reply': {
      type: 'list_reply',
      id: 'c:corte',
      title: 'Corte de cabelo',
      description: '45 min · R$ 80,00',
    },
    'interactive-flow-reply': {
      type: 'flow_reply',
      name: 'flow',
      body: 'Sent',
      responseJson: '{"flow_token":"t1","name":"Ana"}',
      response: { flow_token: 't1', name: 'Ana' },
    },
    'interactive-flow-reply-not-json': {
      type: 'flow_reply',
      name: 'flow',
      body: 'Sent',
      responseJson: 'Ana, amanhã',
      response: null,
    },
    'button-template': {
      type: 'template_button',
      payload: 'a:confirm:K7M2QP:AAAAAAAAAAAAAAAAAAAAAA',
      text: 'Confirmar',
    },
    'button-without-context': { type: 'template_button', payload: 'SAIR', text: 'Sair' },
    image: media('image', '800001', 'image/jpeg', 'aGFzaDE=', { caption: 'Quero assim' }),
    document: media('document', '800002', 'application/pdf', 'aGFzaDI=', { filename: 'exame.pdf' }),
    audio: media('audio', '800003', 'audio/ogg; codecs=opus', 'aGFzaDM=', { voice: true }),
    video: media('video', '800004', 'video/mp4', 'aGFzaDQ=', {}),
    sticker: media('sticker', '800005', 'image/webp', 'aGFzaDU=', {}),
    contacts: {
      type: 'contacts',
      contacts: [
        { name: 'Bia Lima', phones: ['+55 21 97654-3210'] },
        { name: null, phones: ['+5531988887777'] },
      ],
    },
    location: {
      type: 'location',
      latitude: -23.55052,
      longitude: -46.633308,
      name: 'Estúdio',
      address: 'Rua Augusta, 100',
    },
    order: { type: 'order', itemCount: 2, text: 'Esses dois' },
    reaction: { type: 'reaction', wamid: 'wamid.OUT1', emoji: '👍🏽' },
    'reaction-removed': { type: 'reaction', wamid: 'wamid.OUT1', emoji: null },
    edit: { type: 'edit', wamid: 'wamid.TEXT1', text: 'Quero marcar corte e barba' },
    revoke: { type: 'revoke', wamid: 'wamid.TEXT1' },
    'system-changed-number': {
      type: 'system',
      event: 'user_changed_number',
      body: 'User Ana Souza changed from 5511987654321 to 5511912345678',
      newPhone: '5511912345678',
      newBsuid: null,
      newParentBsuid: null,
    },
    'system-changed-user-id': {
      type: 'system',
      event: 'user_changed_user_id',
      body: 'User ID changed',
      newPhone: null,
      newBsuid: 'BR.90017263548190270001',
      newParentBsuid: null,
    },
    'unknown-type': { type: 'unknown' },
    'text-without-body': { type: 'unknown' },
  }

  it.each(Object.entries(contents))('reads %s', (name, content) => {
    const { message, phoneNumberId, wabaId } = only(name, 'message')
    expect(message.content).toEqual(content)
    expect({ phoneNumberId, wabaId }).toEqual({ phoneNumberId: PHONE_NUMBER_ID, wabaId: '102290129340398' })
  })

  it('keeps the errors of an unsupported message and the raw item of an unknown one', () => {
    expect(only('unsupported', 'message').message.content).toMatchObject({
      type: 'unsupported',
      errors: [{ code: 131051, detail: 'Message type is currently not supported.' }],
    })
    expect(only('unknown-type', 'message').message).toMatchObject({
      type: 'hologram',
      raw: { hologram: { depth: 3 } },
    })
  })

  it('keeps the time, the quoted message, forwarding and the advertisement', () => {
    const { message } = only('text-reply-forwarded-referral', 'message')
    expect(message.sentAtMs).toBe(1_796_040_000_000)
    expect(message.context).toMatchObject({
      wamid: 'wamid.OUT1',
      forwarded: true,
      frequentlyForwarded: false,
    })
    expect(message.referral).toMatchObject({ source_type: 'ad', ctwa_clid: 'clid1' })
  })

  it('marks a message of a group', () => {
    expect(only('text-group', 'message').message.groupId).toBe('120363040000000000')
    expect(only('text', 'message').message.groupId).toBeNull()
  })
})

function media(
  type: 'image' | 'document' | 'audio' | 'video' | 'sticker',
  mediaId: string,
  mimeType: string,
  sha256: string,
  rest: { caption?: string; filename?: string; voice?: boolean },
): InboundContent {
  return { type, mediaId, mimeType, sha256, caption: null, filename: null, voice: false, ...rest }
}

describe('who wrote', () => {
  it('reads phone and BSUID, in new payloads and old ones', () => {
    expect(only('text', 'message').contact).toMatchObject({ name: 'Ana Souza', ...ANA })
    expect(only('text-v23-without-bsuid', 'message').contact).toMatchObject({ waId: ANA.waId, bsuid: null })
  })

  it('takes a BSUID alone, with the phone missing or empty', () => {
    expect(only('text-bsuid-only', 'message').contact).toEqual({
      name: 'Ana Souza',
      username: 'ana.souza',
      waId: null,
      bsuid: ANA.bsuid,
      parentBsuid: 'BR.ENT.55012938475610293847',
    })
    expect(only('text-empty-phone', 'message').contact).toMatchObject({ waId: null, bsuid: ANA.bsuid })
  })

  it('matches contacts by id and never by position', () => {
    const updates = parseWebhook(fixture('batch-two-people-crossed'))
    const names = updates.map((update) => (update.kind === 'message' ? update.contact.name : null))
    expect(names).toEqual(['Ana Souza', 'Bia Lima'])
  })

  it('matches a Brazilian number with and without its ninth digit, and keeps the form it was given', () => {
    expect(only('text-without-ninth-digit', 'message').contact).toMatchObject({
      name: 'Ana Souza',
      waId: '551187654321',
    })
  })

  it('gives a message that names nobody to the only contact, and to nobody when there are two', () => {
    expect(only('text-nobody-named', 'message').contact.bsuid).toBe(ANA.bsuid)
    const value = {
      contacts: [{ user_id: 'BR.1' }, { user_id: 'BR.2' }],
      messages: [{ id: 'wamid.X', type: 'text', text: { body: 'x' } }],
    }
    const [update] = parseWebhook({ entry: [{ id: '1', changes: [{ field: 'messages', value }] }] })
    expect(update).toMatchObject({ kind: 'message', contact: { waId: null, bsuid: null } })
  })

  it('does not take a contact of the same number with another BSUID', () => {
    const value = {
      contacts: [{ profile: { name: 'Previous owner' }, wa_id: '5511987654321', user_id: 'BR.1' }],
      messages: [
        { id: 'wamid.X', from: '5511987654321', from_user_id: 'BR.2', type: 'text', text: { body: 'x' } },
      ],
    }
    const [update] = parseWebhook({ entry: [{ id: '1', changes: [{ field: 'messages', value }] }] })
    expect(update).toMatchObject({ contact: { name: null, bsuid: 'BR.2' } })
  })
})

describe('statuses', () => {
  it('reads v23 and newer shapes alike', () => {
    const ours = '01939f5e-0000-7000-8000-000000000001'
    expect(only('status-v23', 'status')).toMatchObject({
      contact: { waId: ANA.waId, bsuid: null },
      status: { wamid: 'wamid.OUT1', status: 'sent', atMs: 1_796_040_100_000, messageId: ours },
    })
    expect(only('status-v25-bsuid', 'status')).toMatchObject({
      contact: { name: 'Ana Souza', ...ANA },
      status: { status: 'delivered', messageId: ours, pricing: { pricing_model: 'PMP' } },
    })
    expect(only('status-played', 'status').status.status).toBe('played')
  })

  it('keeps the order of the body and the errors of a failure', () => {
    const order = parseWebhook(fixture('status-read-before-delivered'))
    expect(order).toMatchObject([{ status: { status: 'read' } }, { status: { status: 'delivered' } }])
    expect(only('status-failed', 'status').status.errors).toMatchObject([
      { code: 131047, detail: expect.stringContaining('24 hours') },
    ])
  })

  it('reads a failure that names a BSUID alone, and the participant of a group', () => {
    expect(only('status-failed-bsuid-only', 'status').contact).toMatchObject({
      waId: null,
      bsuid: 'BR.40917263548190273645',
    })
    expect(only('status-group', 'status')).toMatchObject({
      contact: { waId: ANA.waId },
      status: { groupId: '120363040000000000' },
    })
  })
})

describe('everything that is not a customer writing', () => {
  it('tells echoes and standby from messages', () => {
    expect(only('echo', 'echo')).toMatchObject({ contact: { name: 'Ana Souza', ...ANA } })
    expect(only('standby', 'standby').message.content).toEqual({
      type: 'text',
      body: 'Falando com outro sistema',
    })
  })

  it('reads history with directions, keeps a malformed line, and says when it was declined', () => {
    const updates = parseWebhook(fixture('history'))
    expect(updates).toMatchObject([
      {
        kind: 'history',
        direction: 'in',
        deliveryStatus: 'read',
        contact: { ...ANA, username: 'ana.souza' },
      },
      { kind: 'history', direction: 'out', deliveryStatus: 'delivered', contact: ANA },
      { kind: 'malformed', raw: 'not a message' },
    ])
    expect(only('history-media', 'history')).toMatchObject({ direction: 'out', contact: { waId: ANA.waId } })
    expect(only('history-declined', 'error').error.code).toBe(2593109)
  })

  it('reads preferences and changed ids', () => {
    expect(only('user-preferences-stop', 'preference')).toMatchObject({ value: 'stop', contact: ANA })
    expect(only('user-preferences-resume', 'preference')).toMatchObject({ value: 'resume' })
    expect(only('user-id-update', 'identity')).toMatchObject({
      previousBsuid: ANA.bsuid,
      currentBsuid: 'BR.90017263548190270001',
      contact: { waId: ANA.waId },
    })
  })

  it('reads account updates, which carry no phone number id', () => {
    for (const [name, event] of [
      ['account-update', 'DISABLED_UPDATE'],
      ['template-status-update', 'PAUSED'],
      ['phone-quality-update', 'DOWNGRADE'],
    ] as const) {
      expect(only(name, 'account')).toMatchObject({ event, phoneNumberId: null, wabaId: '102290129340398' })
    }
  })

  it('keeps errors without a message, and fields it does not know', () => {
    expect(only('value-errors', 'error').error).toMatchObject({ code: 130429, detail: 'Rate limit hit' })
    expect(only('unknown-field', 'unknown')).toMatchObject({ field: 'calls', phoneNumberId: PHONE_NUMBER_ID })
  })
})

describe('a body as a whole', () => {
  it('never lets a malformed item take another with it, and routes each tenant by its own number', () => {
    const updates = parseWebhook(fixture('batch-two-tenants-with-malformed'))
    expect(updates.map(({ kind, path, phoneNumberId }) => [kind, path, phoneNumberId])).toEqual([
      ['message', 'entry[0].changes[0].value.messages[0]', PHONE_NUMBER_ID],
      ['malformed', 'entry[0].changes[0].value.messages[1]', PHONE_NUMBER_ID],
      ['malformed', 'entry[0].changes[0].value.messages[2]', PHONE_NUMBER_ID],
      ['message', 'entry[0].changes[0].value.messages[3]', PHONE_NUMBER_ID],
      ['status', 'entry[0].changes[0].value.statuses[0]', PHONE_NUMBER_ID],
      ['malformed', 'entry[0].changes[0].value.statuses[1]', PHONE_NUMBER_ID],
      ['malformed', 'entry[0].changes[1]', null],
      ['malformed', 'entry[0].changes[2]', null],
      ['malformed', 'entry[1]', null],
      ['message', 'entry[2].changes[0].value.messages[0]', '200000000000002'],
    ])
  })

  it('finds all of 1,000 updates', () => {
    const messages = Array.from({ length: 1000 }, (_, index) =>
      index % 10 === 0
        ? 'broken'
        : { id: `wamid.${index}`, from: '5511987654321', type: 'text', text: { body: 'x' } },
    )
    const updates = parseWebhook({
      entry: [{ id: '1', changes: [{ field: 'messages', value: { messages } }] }],
    })
    expect(updates.filter(({ kind }) => kind === 'message')).toHaveLength(900)
    expect(updates.filter(({ kind }) => kind === 'malformed')).toHaveLength(100)
  })

  it.each([[null], [[]], ['text'], [{}], [{ entry: {} }], [{ entry: [null, [], 1] }]])(
    'does not throw on %j',
    (body) => {
      expect(parseWebhook(body).every(({ kind }) => kind === 'unknown' || kind === 'malformed')).toBe(true)
    },
  )

  it('does not mistake a type named like an object property for a known one', () => {
    const messages = ['constructor', '__proto__', 'toString'].map((type) => ({
      id: 'wamid.P',
      from: '1',
      type,
    }))
    const updates = parseWebhook({
      entry: [{ id: '1', changes: [{ field: 'messages', value: { messages } }] }],
    })
    expect(updates).toMatchObject(messages.map(() => ({ message: { content: { type: 'unknown' } } })))
  })

  it('reads every fixture without a malformed update, but for the ones made to hold some', () => {
    for (const file of readdirSync(FIXTURES)) {
      const name = file.replace('.json', '')
      const malformed = parseWebhook(fixture(name)).filter(({ kind }) => kind === 'malformed')
      expect([name, malformed.length > 0]).toEqual([name, /malformed|^history$/.test(name)])
    }
  })
})
