import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { lockConversation } from '../../src/conversations/conversation-row.ts'
import { drainOutbox } from '../../src/conversations/drain-outbox.ts'
import type { OutboundContent } from '../../src/conversations/outbound-channel.ts'
import { writeOutbound } from '../../src/conversations/outbox.ts'
import { applyStatus } from '../../src/conversations/statuses.ts'
import { startLoopbackGraphApi } from '../../src/demo/graph-api.ts'
import type { LoopbackGraphApi } from '../../src/demo/graph-api-types.ts'
import { loadSendState, resumeSends } from '../../src/tenancy/channel-sends.ts'
import { loadChannelAccount } from '../../src/tenancy/channels.ts'
import { createGraphChannel } from '../../src/whatsapp/graph-client.ts'
import {
  type ConversationHarness,
  createConversationHarness,
  freshPhone,
  type StaffedTenant,
} from '../support/conversation-harness.ts'
import { TEST_ENCRYPTION_KEY } from '../support/factories.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const REMINDER = { kind: 'template', name: 'lembrete', language: 'pt_BR', components: [] } as const

let world: ConversationHarness
let graph: LoopbackGraphApi

beforeAll(async () => {
  world = await createConversationHarness()
  graph = await startLoopbackGraphApi()
})
afterEach(async () => {
  graph.clearScript()
  for (const tenant of [world.one, world.other]) {
    await world.db.store.transact(tenant.id, (tx) => resumeSends(tx, world.clock.now()))
  }
  await world.db.store.unsafeTransact('test', (tx) => tx.sendBlock.deleteMany())
})
afterAll(async () => {
  await graph.close()
  await world.close()
})

async function write(tenant: StaffedTenant, conversationId: string, content: OutboundContent) {
  const { db, clock } = world
  return db.store.transact(tenant.id, async (tx) => {
    const conversation = await lockConversation(tx, conversationId)
    return writeOutbound(tx, { conversation, author: 'system', content, ownerEpoch: null, clock })
  })
}

async function conversationWith(content: OutboundContent | string, tenant = world.one): Promise<string> {
  const { conversationId } = await world.say(tenant, freshPhone(), 'oi')
  const written = typeof content === 'string' ? ({ kind: 'text', text: content } as const) : content
  await write(tenant, conversationId, written)
  return conversationId
}

function drain(conversationId: string, tenant = world.one, timeoutMs = 5_000) {
  const { db, clock } = world
  const channel = createGraphChannel({ baseUrl: graph.url, version: 'v25.0', userAgent: 'test', timeoutMs })
  return drainOutbox(
    {
      store: db.store,
      channel,
      clock,
      random: () => 0.5,
      pause: async (durationMs) => clock.advance(durationMs),
      loadAccount: (reader, channelId) => loadChannelAccount(reader, channelId, TEST_ENCRYPTION_KEY),
    },
    { tenantId: tenant.id, conversationId, signal: new AbortController().signal },
  )
}

async function last(conversationId: string, tenant = world.one) {
  return (await world.messages(tenant, conversationId)).at(-1)
}

function sendsOf(conversationText: string): number {
  return graph.sends.filter(({ text }) => text === conversationText).length
}

const state = (tenant = world.one) => world.db.store.read(tenant.id, loadSendState)
const alerts = async (tenant = world.one) =>
  (
    await world.db.store.read(tenant.id, (reader) => reader.channelEvent.findMany({ orderBy: { id: 'asc' } }))
  ).map(({ field, event }) => [field, event])

describe('an answer that was lost', () => {
  it.each([
    ['a time-out after the body', { kind: 'hang', accept: true }],
    ['a reset', { kind: 'reset', accept: true }],
    ['a gateway’s 502', { kind: 'http', status: 502, accept: true }],
  ] as const)('%s: the message is unknown until a status with our id tells', async (_name, fault) => {
    const conversationId = await conversationWith('perdida?')
    graph.script(fault)
    await drain(conversationId, world.one, 300)
    const message = await last(conversationId)
    expect(message).toMatchObject({ status: 'unknown' })
    const { wamid } = graph.sends.at(-1) ?? { wamid: '' }
    await world.db.store.transact(world.one.id, (tx) =>
      applyStatus(tx, {
        channelId: world.one.channelId,
        wamid,
        ourId: message?.id ?? '',
        status: 'delivered',
        at: world.clock.now(),
        errors: [],
      }),
    )
    world.clock.advance(11 * MINUTE_MS)
    const before = graph.attempts.length
    await drain(conversationId)
    expect(graph.attempts).toHaveLength(before)
    expect(await last(conversationId)).toMatchObject({ status: 'delivered' })
  })

  it('without any status is sent once more after ten minutes, not twice', async () => {
    const conversationId = await conversationWith('mais uma vez')
    graph.script({ kind: 'reset' })
    await drain(conversationId)
    world.clock.advance(10 * MINUTE_MS)
    graph.script({ kind: 'reset' })
    await drain(conversationId)
    world.clock.advance(60 * MINUTE_MS)
    const before = graph.attempts.length
    await drain(conversationId)
    expect(graph.attempts).toHaveLength(before)
  })
})

describe('a send that certainly did not happen', () => {
  it('is tried again when the connection was refused', async () => {
    const conversationId = await conversationWith('recusada')
    await graph.refuse()
    const { againAt } = await drain(conversationId)
    expect(againAt).toBeGreaterThan(world.clock.now())
    await graph.resume()
    world.clock.set(againAt ?? 0)
    await drain(conversationId)
    expect(await last(conversationId)).toMatchObject({ status: 'sent' })
    expect(sendsOf('recusada')).toBe(1)
  })

  it.each([1, 2, 131_000, 131_016, 131_057, 133_004])('%i is tried five times, then shown', async (code) => {
    const conversationId = await conversationWith('de novo')
    graph.script({ kind: 'error', code }, { times: 5 })
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      world.clock.set((await drain(conversationId)).againAt ?? world.clock.now())
    }
    expect(await last(conversationId)).toMatchObject({ status: 'failed', errorCode: code })
  })
})

describe('a refusal for rate', () => {
  it.each([
    [4, true],
    [80_007, false],
    [130_429, false],
  ])('%i holds back other conversations too (of every tenant: %s), and ends', async (code, everyone) => {
    const met = await conversationWith('primeira')
    const behind = await conversationWith('segunda')
    const elsewhere = await conversationWith('de outro', world.other)
    graph.script({ kind: 'error', code })
    await drain(met)
    const before = graph.attempts.length
    const { againAt } = await drain(behind)
    expect(graph.attempts).toHaveLength(before)
    expect(againAt).toBe(world.clock.now() + 2_500)
    await drain(elsewhere, world.other)
    expect(await last(elsewhere, world.other)).toMatchObject({ status: everyone ? 'pending' : 'sent' })
    world.clock.set(againAt ?? 0)
    for (const conversationId of [met, behind]) await drain(conversationId)
    expect(await last(met)).toMatchObject({ status: 'sent' })
    expect(await last(behind)).toMatchObject({ status: 'sent' })
    expect(await world.db.store.unsafeRead('test', (reader) => reader.sendBlock.count())).toBe(0)
  })

  it('131056 holds back that recipient alone, 4ˣ seconds', async () => {
    const met = await conversationWith('muito rápido')
    const behind = await conversationWith('outra pessoa')
    graph.script({ kind: 'error', code: 131_056 })
    expect((await drain(met)).againAt).toBe(world.clock.now() + 4_000)
    await drain(behind)
    expect(await last(behind)).toMatchObject({ status: 'sent' })
  })
})

describe('a closed window', () => {
  it('131047 inside our window is tried once more, then fails and is shown', async () => {
    const conversationId = await conversationWith('fechada?')
    graph.script({ kind: 'error', code: 131_047 }, { times: 2 })
    world.clock.set((await drain(conversationId)).againAt ?? 0)
    await drain(conversationId)
    expect(await last(conversationId)).toMatchObject({ status: 'failed', errorCode: 131_047 })
  })

  it('sends the template instead where there is one', async () => {
    const content = { kind: 'text', text: 'texto livre', fallback: REMINDER } as const
    const conversationId = await conversationWith(content)
    graph.script({ kind: 'error', code: 131_047 }, { times: 2 })
    world.clock.set((await drain(conversationId)).againAt ?? 0)
    await drain(conversationId)
    expect(graph.sends.at(-1)).toMatchObject({ type: 'template' })
    expect(await last(conversationId)).toMatchObject({
      type: 'template',
      status: 'sent',
      payload: { insteadOf: 'texto livre' },
    })
  })

  it('is known without asking: free text fails, what has a template leaves as it', async () => {
    const conversationId = await conversationWith('tarde demais')
    await write(world.one, conversationId, { kind: 'text', text: 'livre', fallback: REMINDER })
    world.clock.advance(DAY_MS)
    const before = graph.attempts.length
    await drain(conversationId)
    expect(graph.attempts.slice(before).map(({ type }) => type)).toEqual(['template'])
    expect((await world.messages(world.one, conversationId)).slice(1)).toMatchObject([
      { status: 'failed', errorCode: 131_047 },
      { status: 'sent', type: 'template' },
    ])
  })
})

describe('what stops more than its message', () => {
  it('131048 stops templates for closed windows on that number, tells the owner, and nothing else', async () => {
    const late = await conversationWith(REMINDER)
    const other = await conversationWith(REMINDER, world.other)
    world.clock.advance(DAY_MS)
    const answered = await conversationWith('resposta')
    const spam = await conversationWith(REMINDER)
    graph.script({ kind: 'error', code: 131_048 })
    await drain(spam)
    for (const conversationId of [late, answered]) await drain(conversationId)
    await drain(other, world.other)
    expect(await last(spam)).toMatchObject({ status: 'failed', errorCode: 131_048 })
    expect(await last(late)).toMatchObject({ status: 'failed', errorCode: 131_048 })
    expect(await last(answered)).toMatchObject({ status: 'sent' })
    expect(await last(other, world.other)).toMatchObject({ status: 'sent' })
    expect(await alerts()).toContainEqual(['proactive_stopped', '131048'])
  })

  it.each([
    0, 3, 10, 190, 200, 299, 368, 130_497, 131_005, 131_031, 131_037, 131_042, 131_045, 133_010, 133_015,
  ])(
    '%i pauses the number’s sends, keeps the queue, tells the owner; resuming wakes all of it',
    async (code) => {
      const met = await conversationWith('um')
      const behind = await conversationWith('dois')
      graph.script({ kind: 'error', code })
      expect(await drain(met)).toMatchObject({ againAt: null })
      expect(await drain(behind)).toMatchObject({ sent: [], againAt: null })
      expect(await state()).toMatchObject({ paused: { code } })
      expect(await state(world.other)).toMatchObject({ paused: null })
      expect((await alerts()).at(-1)).toEqual(['sends_paused', String(code)])
      await world.db.store.unsafeTransact(
        'test',
        (tx) => tx.$executeRaw`delete from graphile_worker._private_jobs`,
      )
      await world.db.store.transact(world.one.id, (tx) => resumeSends(tx, world.clock.now()))
      for (const conversationId of [met, behind]) {
        expect(await world.jobs(`drain:${conversationId}`)).toHaveLength(1)
        await drain(conversationId)
        expect(await last(conversationId)).toMatchObject({ status: 'sent' })
      }
    },
  )

  it('131050 opts the customer out of what they did not ask for', async () => {
    const conversationId = await conversationWith(REMINDER)
    graph.script({ kind: 'error', code: 131_050 })
    await drain(conversationId)
    const { customerId } = await world.conversation(world.one, conversationId)
    const customer = await world.db.store.read(world.one.id, (reader) =>
      reader.customer.findFirstOrThrow({ where: { id: customerId } }),
    )
    expect(customer.proactiveStoppedAt).not.toBeNull()
    expect(await last(conversationId)).toMatchObject({ status: 'failed', errorCode: 131_050 })
  })

  it.each([132_015, 132_016])('%i takes the template out of use, for this tenant', async (code) => {
    const met = await conversationWith(REMINDER)
    const behind = await conversationWith(REMINDER)
    const other = await conversationWith(REMINDER, world.other)
    graph.script({ kind: 'error', code })
    for (const conversationId of [met, behind]) await drain(conversationId)
    await drain(other, world.other)
    expect(await last(behind)).toMatchObject({ status: 'failed', errorCode: code })
    expect(await last(other, world.other)).toMatchObject({ status: 'sent' })
    expect(await state()).toMatchObject({ disabledTemplates: [{ name: 'lembrete', code }] })
    expect((await alerts()).at(-1)).toEqual(['template_disabled', String(code)])
  })
})

describe('a refusal for good', () => {
  it.each([131_026, 131_021, 131_030, 130_472, 131_049])('%i is shown and not tried again', async (code) => {
    const conversationId = await conversationWith('recusada de vez')
    const before = (await alerts()).length
    graph.script({ kind: 'error', code, details: 'why' })
    expect(await drain(conversationId)).toMatchObject({ againAt: null })
    expect(await last(conversationId)).toMatchObject({
      status: 'failed',
      errorCode: code,
      errorDetail: 'why',
    })
    expect(await alerts()).toHaveLength(before)
  })

  it.each([33, 100, 131_008, 131_009, 131_051, 131_053, 132_000, 132_001, 135_000, 987_654])(
    '%i is a dead letter with code and details, and an alert',
    async (code) => {
      const conversationId = await conversationWith('carta morta')
      graph.script({ kind: 'error', code, details: 'why' })
      expect(await drain(conversationId)).toMatchObject({ againAt: null })
      expect(await last(conversationId)).toMatchObject({
        status: 'failed',
        errorCode: code,
        errorDetail: 'why',
      })
      expect((await alerts()).at(-1)).toEqual(['send_failed', String(code)])
    },
  )
})

describe('the rates', () => {
  it('let a number send no more than 80 messages in any second', async () => {
    const conversations: string[] = []
    for (let index = 0; index < 12; index += 1) conversations.push(await conversationWith('ritmo'))
    world.clock.advance(1_000)
    const startedAt = world.clock.now()
    for (const conversationId of conversations) await drain(conversationId)
    expect(world.clock.now() - startedAt).toBe((conversations.length - 4) * 13)
  })

  it('let a person have 45 at once and then one in six seconds, in order', async () => {
    const conversationId = await conversationWith('nº 0')
    for (let index = 1; index < 47; index += 1) {
      await write(world.one, conversationId, { kind: 'text', text: `nº ${index}` })
    }
    const before = graph.sends.length
    const { againAt } = await drain(conversationId)
    expect(graph.sends.slice(before).map(({ text }) => text)).toEqual(
      Array.from({ length: 45 }, (_, index) => `nº ${index}`),
    )
    expect(againAt).toBeGreaterThan(world.clock.now() + 5_000)
    world.clock.set(againAt ?? 0)
    await drain(conversationId)
    expect(graph.sends.at(-1)?.text).toBe('nº 45')
  })
})
