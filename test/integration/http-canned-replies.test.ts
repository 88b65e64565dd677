import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fillPlaceholders } from '../../src/conversations/canned-replies.ts'
import { newId } from '../../src/shared/ids.ts'
import {
  type ConversationHarness,
  createConversationHarness,
  freshPhone,
} from '../support/conversation-harness.ts'
import { loggedIn, type Send, testApp } from '../support/http-harness.ts'

let world: ConversationHarness
let app: FastifyInstance
let paula: Send
let stranger: Send

beforeAll(async () => {
  world = await createConversationHarness()
  app = await testApp(world.db.store, { clock: world.clock })
  paula = await loggedIn(app, world.one.slug, 'paula@example.com')
  stranger = await loggedIn(app, world.other.slug, 'paula@example.com')
})
afterAll(async () => {
  await app.close()
  await world.close()
})

describe('canned replies', () => {
  it('are made, changed, listed by shortcut and deleted, in one tenant alone', async () => {
    const made = await paula('POST', '/v1/canned-replies', { shortcut: 'tchau', text: 'Até logo!' })
    expect(made).toMatchObject({ status: 201, body: { shortcut: 'tchau', text: 'Até logo!' } })
    expect(Object.keys(made.body)).toEqual(['id', 'shortcut', 'text'])
    const url = `/v1/canned-replies/${String(made.body['id'])}`
    expect(await paula('POST', '/v1/canned-replies', { shortcut: 'ola', text: 'Olá!' })).toMatchObject({
      status: 201,
    })
    expect((await paula('GET', '/v1/canned-replies')).body['items']).toMatchObject([
      { shortcut: 'ola' },
      { shortcut: 'tchau' },
    ])
    expect((await paula('PUT', url, { text: 'Tchau!' })).body).toMatchObject({
      shortcut: 'tchau',
      text: 'Tchau!',
    })
    expect((await paula('PATCH', url, { shortcut: 'ate' })).body).toMatchObject({ shortcut: 'ate' })
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      const body = method === 'PUT' ? { text: 'x' } : undefined
      expect((await stranger(method, url, body)).status).toBe(404)
    }
    expect((await paula('GET', url)).body).toMatchObject({ text: 'Tchau!' })
    expect((await paula('DELETE', url)).status).toBe(204)
    for (const gone of [url, `/v1/canned-replies/${newId()}`, '/v1/canned-replies/nonsense']) {
      expect((await paula('GET', gone)).status).toBe(404)
    }
  })

  it('have a shortcut of their own in the tenant, also when two are made at once', async () => {
    const body = { shortcut: 'preco', text: 'R$ 80' }
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => paula('POST', '/v1/canned-replies', body)),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409])
    expect((await stranger('POST', '/v1/canned-replies', body)).status).toBe(201)
    const other = await paula('POST', '/v1/canned-replies', { shortcut: 'preco2', text: 'x' })
    const taken = await paula('PUT', `/v1/canned-replies/${String(other.body['id'])}`, { shortcut: 'preco' })
    expect(taken).toMatchObject({ status: 409, body: { code: 'shortcut_taken' } })
  })

  it('refuse what nobody could fill in or type', async () => {
    const unknown = { shortcut: 'a', text: 'Olá {{nome}}' }
    expect(await paula('POST', '/v1/canned-replies', unknown)).toMatchObject({
      status: 422,
      body: { code: 'unknown_placeholder' },
    })
    for (const body of [{ shortcut: 'A b', text: 'x' }, { shortcut: 'ok', text: ' ' }, { text: 'x' }]) {
      expect((await paula('POST', '/v1/canned-replies', body)).status).toBe(400)
    }
  })

  it('read in a conversation with the customer, the business, who writes and what is booked', async () => {
    const { one } = world
    const { conversationId } = await world.say(one, freshPhone(), 'oi', { profileName: 'Carla Souza' })
    const { customerId } = await world.conversation(one, conversationId)
    const text =
      '{{customer_first_name}}, aqui é {{staff_name}} do {{ business_name }}: {{next_appointment}} com ' +
      '{{next_appointment_professional}} ({{next_appointment_code}})'
    await paula('POST', '/v1/canned-replies', { shortcut: 'lembrete', text })
    const read = async () => {
      const { body } = await paula('GET', `/v1/conversations/${conversationId}/canned-replies`)
      return JSON.stringify(body['items'])
    }
    expect(await read()).toContain(
      '"missing":["next_appointment","next_appointment_professional","next_appointment_code"]',
    )
    const { body } = await paula('POST', '/v1/appointments', {
      service: 'corte',
      professional: 'ana',
      startsAt: '2026-12-07T10:00:00-03:00',
      customer: { id: customerId },
    })
    expect(await read()).toContain(
      `Carla, aqui é paula do Studio Aurora: segunda-feira, 07/12, 10:00 com Ana (${String(body['code'])})`,
    )
    expect((await stranger('GET', `/v1/conversations/${conversationId}/canned-replies`)).status).toBe(404)
  })

  it('leave a placeholder without a value where it stands, and take values letter for letter', () => {
    expect(fillPlaceholders('{{customer_name}} $& {{staff_name}}', { staff_name: '$1 {{x}}' })).toEqual({
      filled: '{{customer_name}} $& $1 {{x}}',
      missing: ['customer_name'],
    })
  })
})
