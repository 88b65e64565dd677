import { describe, expect, it } from 'vitest'
import { ANA, onlyUpdate, webhookFixture } from '../../test/support/webhook-fixtures.ts'
import { parseWebhook } from './webhook-schema.ts'

describe('who wrote', () => {
  it('reads phone and BSUID, in new payloads and old ones', () => {
    expect(onlyUpdate('text', 'message').contact).toMatchObject({ name: 'Ana Souza', ...ANA })
    expect(onlyUpdate('text-v23-without-bsuid', 'message').contact).toMatchObject({
      waId: ANA.waId,
      bsuid: null,
    })
  })

  it('takes a BSUID alone, with the phone missing or empty', () => {
    expect(onlyUpdate('text-bsuid-only', 'message').contact).toEqual({
      name: 'Ana Souza',
      username: 'ana.souza',
      waId: null,
      bsuid: ANA.bsuid,
      parentBsuid: 'BR.ENT.55012938475610293847',
    })
    expect(onlyUpdate('text-empty-phone', 'message').contact).toMatchObject({ waId: null, bsuid: ANA.bsuid })
  })

  it('matches contacts by id and never by position', () => {
    const updates = parseWebhook(webhookFixture('batch-two-people-crossed'))
    const names = updates.map((update) => (update.kind === 'message' ? update.contact.name : null))
    expect(names).toEqual(['Ana Souza', 'Bia Lima'])
  })

  it('matches a Brazilian number with and without its ninth digit, and keeps the form it was given', () => {
    expect(onlyUpdate('text-without-ninth-digit', 'message').contact).toMatchObject({
      name: 'Ana Souza',
      waId: '551187654321',
    })
  })

  it('gives a message that names nobody to the only contact, and to nobody when there are two', () => {
    expect(onlyUpdate('text-nobody-named', 'message').contact.bsuid).toBe(ANA.bsuid)
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
