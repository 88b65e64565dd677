import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ANA, onlyUpdate, WEBHOOK_FIXTURES, webhookFixture } from '../../test/support/webhook-fixtures.ts'
import { parseWebhook } from './webhook-schema.ts'

const PHONE_NUMBER_ID = '106540352242922'

describe('everything that is not a customer writing', () => {
  it('tells echoes and standby from messages', () => {
    expect(onlyUpdate('echo', 'echo')).toMatchObject({ contact: { name: 'Ana Souza', ...ANA } })
    expect(onlyUpdate('standby', 'standby').message.content).toEqual({
      type: 'text',
      body: 'Falando com outro sistema',
    })
  })

  it('reads history with directions, keeps a malformed line, and says when it was declined', () => {
    const updates = parseWebhook(webhookFixture('history'))
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
    expect(onlyUpdate('history-media', 'history')).toMatchObject({
      direction: 'out',
      contact: { waId: ANA.waId },
    })
    expect(onlyUpdate('history-declined', 'error').error.code).toBe(2593109)
  })

  it('reads preferences and changed ids', () => {
    expect(onlyUpdate('user-preferences-stop', 'preference')).toMatchObject({ value: 'stop', contact: ANA })
    expect(onlyUpdate('user-preferences-resume', 'preference')).toMatchObject({ value: 'resume' })
    expect(onlyUpdate('user-id-update', 'identity')).toMatchObject({
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
      expect(onlyUpdate(name, 'account')).toMatchObject({
        event,
        phoneNumberId: null,
        wabaId: '102290129340398',
      })
    }
  })

  it('keeps errors without a message, and fields it does not know', () => {
    expect(onlyUpdate('value-errors', 'error').error).toMatchObject({
      code: 130429,
      detail: 'Rate limit hit',
    })
    expect(onlyUpdate('unknown-field', 'unknown')).toMatchObject({
      field: 'calls',
      phoneNumberId: PHONE_NUMBER_ID,
    })
  })
})

describe('a body as a whole', () => {
  it('never lets a malformed item take another with it, and routes each tenant by its own number', () => {
    const updates = parseWebhook(webhookFixture('batch-two-tenants-with-malformed'))
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
    for (const file of readdirSync(WEBHOOK_FIXTURES)) {
      const name = file.replace('.json', '')
      const malformed = parseWebhook(webhookFixture(name)).filter(({ kind }) => kind === 'malformed')
      expect([name, malformed.length > 0]).toEqual([name, /malformed|^history$/.test(name)])
    }
  })
})
