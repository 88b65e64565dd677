import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { takeOver } from '../../src/handoff/ownership.ts'
import {
  type ConversationHarness,
  createConversationHarness,
  freshPhone,
} from '../support/conversation-harness.ts'
import { handoffSteps } from '../support/handoff-steps.ts'
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

async function mine(phone: string): Promise<string> {
  const { conversationId } = await world.say(world.one, phone, 'Oi')
  await handoffSteps(world).act(takeOver, world.one.paula, conversationId)
  return conversationId
}

async function seenOf(id: string): Promise<unknown> {
  return (await paula('GET', `/v1/conversations/${id}`)).body['lastMessageAt']
}

it('a note with a key is kept once, also when ten of it come at once; another text under the key is refused', async () => {
  const id = await mine(freshPhone())
  const key = { 'idempotency-key': 'note-1' }
  const path = `/v1/conversations/${id}/notes`
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => paula('POST', path, { text: 'Só a linha vegetal' }, key)),
  )
  expect(new Set(answers.map(({ status, body }) => `${status} ${String(body['id'])}`)).size).toBe(1)
  expect(answers[0]?.status).toBe(201)
  expect(await paula('POST', path, { text: 'Outra' }, key)).toMatchObject({
    status: 422,
    body: { code: 'idempotency_mismatch' },
  })
  const notes = await world.db.store.read(world.one.id, (reader) =>
    reader.message.count({ where: { conversationId: id, direction: 'note' } }),
  )
  expect(notes).toBe(1)
  expect((await stranger('POST', path, { text: 'x' }, key)).status).toBe(404)
})

it('is resolved only by who has seen the newest message of the customer, when they say what they saw', async () => {
  const phone = freshPhone()
  const id = await mine(phone)
  const path = `/v1/conversations/${id}/resolve`
  const seenUntil = await seenOf(id)
  world.clock.advance(1_000)
  await world.say(world.one, phone, 'Mais uma coisa')
  expect(await paula('POST', path, { seenUntil })).toMatchObject({
    status: 409,
    body: { code: 'new_message' },
  })
  expect((await paula('POST', path, { seenUntil: 'ontem' })).status).toBe(400)
  expect((await stranger('POST', path, { seenUntil })).status).toBe(404)
  expect(await paula('POST', path, { seenUntil: await seenOf(id) })).toMatchObject({
    status: 200,
    body: { status: 'closed' },
  })
})

it('is resolved without a word on what was seen, as ever', async () => {
  const id = await mine(freshPhone())
  expect((await paula('POST', `/v1/conversations/${id}/resolve`)).body).toMatchObject({ status: 'closed' })
})
