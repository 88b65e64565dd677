import { describe, expect, it } from 'vitest'
import { onlyUpdate } from '../../test/support/webhook-fixtures.ts'
import type { InboundContent } from './webhook-types.ts'

const PHONE_NUMBER_ID = '106540352242922'

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
    'interactive-flow-reply-object': {
      type: 'flow_reply',
      name: 'flow',
      body: 'Sent',
      responseJson: '{"flow_token":"t1","name":"Ana"}',
      response: { flow_token: 't1', name: 'Ana' },
    },
    'audio-file': media('audio', '800006', 'audio/mpeg', 'aGFzaDY=', {}),
    'unknown-type': { type: 'unknown' },
    'text-without-body': { type: 'unknown' },
  }

  it.each(Object.entries(contents))('reads %s', (name, content) => {
    const { message, phoneNumberId, wabaId } = onlyUpdate(name, 'message')
    expect(message.content).toEqual(content)
    expect({ phoneNumberId, wabaId }).toEqual({ phoneNumberId: PHONE_NUMBER_ID, wabaId: '102290129340398' })
  })

  it('keeps the errors of an unsupported message and the raw item of an unknown one', () => {
    expect(onlyUpdate('unsupported', 'message').message.content).toMatchObject({
      type: 'unsupported',
      errors: [{ code: 131051, detail: 'Message type is currently not supported.' }],
    })
    expect(onlyUpdate('unknown-type', 'message').message).toMatchObject({
      type: 'hologram',
      raw: { hologram: { depth: 3 } },
    })
  })

  it('keeps the time, the quoted message, forwarding and the advertisement', () => {
    const { message } = onlyUpdate('text-reply-forwarded-referral', 'message')
    expect(message.sentAtMs).toBe(1_796_040_000_000)
    expect(message.context).toMatchObject({
      wamid: 'wamid.OUT1',
      forwarded: true,
      frequentlyForwarded: false,
    })
    expect(message.referral).toMatchObject({ source_type: 'ad', ctwa_clid: 'clid1' })
  })

  it('marks a message of a group', () => {
    expect(onlyUpdate('text-group', 'message').message.groupId).toBe('120363040000000000')
    expect(onlyUpdate('text', 'message').message.groupId).toBeNull()
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
