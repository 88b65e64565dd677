import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  buttonReplyUpdate,
  echoUpdate,
  textMessageUpdate,
  type WebhookNumber,
  webhookBody,
} from '../../src/demo/signed-webhook.ts'
import { signActionId } from '../../src/whatsapp/action-id.ts'
import type { TestTenant } from '../support/factories.ts'
import { ACTION_SECRET, createWhatsappWorld, type WhatsappWorld } from '../support/whatsapp-world.ts'

let world: WhatsappWorld

beforeAll(async () => {
  world = await createWhatsappWorld()
})
afterAll(() => world.close())

const numberOf = ({ document }: TestTenant): WebhookNumber => document.channel
const at = () => ({ atMs: world.clock.now() })

describe('the same updates in 20 bodies at once', () => {
  it.each([
    ['text', 1],
    ['echo', 1],
    ['image', 1],
    ['button-without-context', 2],
    ['history', 2],
    ['batch-two-people-crossed', 2],
  ])('%s has one effect', async (fixture, messages) => {
    const tenants = await world.tenants()
    await Promise.all(Array.from({ length: 20 }, () => world.deliver(tenants, fixture)))
    const [one, other] = tenants
    expect(await world.messages(one)).toHaveLength(messages)
    expect(await world.messages(other)).toEqual([])
    const people = fixture === 'batch-two-people-crossed' ? 2 : 1
    const customers = await world.db.store.read(one.id, (reader) => reader.customer.count())
    expect([customers, (await world.conversations(one)).length]).toEqual([people, people])
    expect(await world.media(one)).toHaveLength(fixture === 'image' ? 1 : 0)
  })

  it('a reaction and a status have one effect too', async () => {
    const tenants = await world.tenants()
    const [one] = tenants
    await world.deliver(tenants, 'echo', { edit: (json) => json.replace('wamid.ECHO1', 'wamid.OUT1') })
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        await world.deliver(tenants, 'reaction')
        await world.deliver(tenants, 'status-v25-bsuid')
      }),
    )
    const { changes, counts } = await world.db.store.read(one.id, async (reader) => ({
      changes: await reader.messageChange.count(),
      counts: await reader.deliveryCount.findMany(),
    }))
    expect(changes).toBe(1)
    expect(counts).toMatchObject([{ count: 1 }])
  })
})

describe('an update that fails', () => {
  it('takes no other with it, is tried again with the body, and is kept aside at the end', async () => {
    const [one, other] = await world.tenants()
    const id = signActionId(ACTION_SECRET, { name: 'cancel', payload: 'K7M2QP' })
    const from = { waId: '5511955550001' }
    const body = webhookBody(
      textMessageUpdate({ number: numberOf(one), from, text: 'antes', ...at() }),
      buttonReplyUpdate({
        number: numberOf(one),
        from: { waId: '5511955550002' },
        id,
        title: 'Cancelar',
        ...at(),
      }),
      textMessageUpdate({ number: numberOf(other), from, text: 'depois', ...at() }),
      echoUpdate({ number: numberOf(other), to: { waId: '5511955550003' }, text: 'eco', ...at() }),
    )
    const broken = () => Promise.reject(new Error('a fault of ours'))
    const deps = { booking: { confirm: broken, cancel: broken } }
    const eventId = await world.store(body)
    await expect(world.ingest(eventId, { deps })).rejects.toMatchObject({ code: 'updates_failed' })
    const texts = async (tenant: TestTenant) =>
      (await world.messages(tenant)).map(({ text }) => text).toSorted()
    const expected = { one: ['antes'], other: ['depois', 'eco'] }
    expect({ one: await texts(one), other: await texts(other) }).toEqual(expected)
    expect(await world.ingest(eventId, { deps, isLastAttempt: true })).toContain('failed')
    expect({ one: await texts(one), other: await texts(other) }).toEqual(expected)
    expect(await world.leftovers(eventId)).toEqual([
      { path: 'entry[1].changes[0].value.messages[0]', reason: 'failed' },
    ])
    expect(await world.ingest(eventId)).toEqual([])
  })
})
