import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { applyStatus } from '../../src/conversations/statuses.ts'
import { createOutboundHarness, type OutboundHarness } from '../support/outbound-harness.ts'

const MINUTE_MS = 60_000

let world: OutboundHarness['world']
let graph: OutboundHarness['graph']
let outbound: OutboundHarness

beforeAll(async () => {
  outbound = await createOutboundHarness()
  ;({ world, graph } = outbound)
})
afterEach(() => outbound.reset())
afterAll(() => outbound.close())

describe('an answer that was lost', () => {
  it.each([
    ['a time-out after the body', { kind: 'hang', accept: true }],
    ['a reset', { kind: 'reset', accept: true }],
    ['a gateway’s 502', { kind: 'http', status: 502, accept: true }],
  ] as const)('%s: the message is unknown until a status with our id tells', async (_name, fault) => {
    const conversationId = await outbound.conversationWith('perdida?')
    graph.script(fault)
    await outbound.drain(conversationId, world.one, 300)
    const message = await outbound.last(conversationId)
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
    await outbound.drain(conversationId)
    expect(graph.attempts).toHaveLength(before)
    expect(await outbound.last(conversationId)).toMatchObject({ status: 'delivered' })
  })

  it('without any status is sent once more after ten minutes, not twice', async () => {
    const conversationId = await outbound.conversationWith('mais uma vez')
    graph.script({ kind: 'reset' })
    await outbound.drain(conversationId)
    world.clock.advance(10 * MINUTE_MS)
    graph.script({ kind: 'reset' })
    await outbound.drain(conversationId)
    world.clock.advance(60 * MINUTE_MS)
    const before = graph.attempts.length
    await outbound.drain(conversationId)
    expect(graph.attempts).toHaveLength(before)
  })

  it('is not sent a third time when the second was refused for a moment', async () => {
    const conversationId = await outbound.conversationWith('nunca três vezes')
    const before = graph.attempts.length
    graph.script({ kind: 'reset' })
    await outbound.drain(conversationId)
    world.clock.advance(10 * MINUTE_MS)
    graph.script({ kind: 'error', code: 131_000 })
    await outbound.drain(conversationId)
    for (let hour = 0; hour < 3; hour += 1) {
      world.clock.advance(60 * MINUTE_MS)
      await outbound.drain(conversationId)
    }
    expect(graph.attempts.length - before).toBe(2)
    expect(await outbound.last(conversationId)).toMatchObject({ status: 'unknown' })
  })
})

describe('a send that certainly did not happen', () => {
  it('is tried again when the connection was refused', async () => {
    const conversationId = await outbound.conversationWith('recusada')
    await graph.refuse()
    const { againAt } = await outbound.drain(conversationId)
    expect(againAt).toBeGreaterThan(world.clock.now())
    await graph.resume()
    world.clock.set(againAt ?? 0)
    await outbound.drain(conversationId)
    expect(await outbound.last(conversationId)).toMatchObject({ status: 'sent' })
    expect(graph.sends.filter(({ text }) => text === 'recusada').length).toBe(1)
  })

  it.each([1, 2, 131_000, 131_016, 131_057, 133_004])('%i is tried five times, then shown', async (code) => {
    const conversationId = await outbound.conversationWith('de novo')
    graph.script({ kind: 'error', code }, { times: 5 })
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      world.clock.set((await outbound.drain(conversationId)).againAt ?? world.clock.now())
    }
    expect(await outbound.last(conversationId)).toMatchObject({ status: 'failed', errorCode: code })
  })
})

describe('a refusal for rate', () => {
  it.each([
    [4, true],
    [80_007, false],
    [130_429, false],
  ])('%i holds back other conversations too (of every tenant: %s), and ends', async (code, everyone) => {
    const met = await outbound.conversationWith('primeira')
    const behind = await outbound.conversationWith('segunda')
    const elsewhere = await outbound.conversationWith('de outro', world.other)
    graph.script({ kind: 'error', code })
    await outbound.drain(met)
    const before = graph.attempts.length
    const { againAt } = await outbound.drain(behind)
    expect(graph.attempts).toHaveLength(before)
    expect(againAt).toBe(world.clock.now() + 2_500)
    await outbound.drain(elsewhere, world.other)
    expect(await outbound.last(elsewhere, world.other)).toMatchObject({
      status: everyone ? 'pending' : 'sent',
    })
    world.clock.set(againAt ?? 0)
    for (const conversationId of [met, behind]) await outbound.drain(conversationId)
    expect(await outbound.last(met)).toMatchObject({ status: 'sent' })
    expect(await outbound.last(behind)).toMatchObject({ status: 'sent' })
    expect(await world.db.store.unsafeRead('test', (reader) => reader.sendBlock.count())).toBe(0)
  })

  it('131056 holds back that recipient alone, 4ˣ seconds', async () => {
    const met = await outbound.conversationWith('muito rápido')
    const behind = await outbound.conversationWith('outra pessoa')
    graph.script({ kind: 'error', code: 131_056 })
    expect((await outbound.drain(met)).againAt).toBe(world.clock.now() + 4_000)
    await outbound.drain(behind)
    expect(await outbound.last(behind)).toMatchObject({ status: 'sent' })
  })
})

describe('a refusal for good', () => {
  it.each([131_026, 131_021, 131_030, 130_472, 131_049])('%i is shown and not tried again', async (code) => {
    const conversationId = await outbound.conversationWith('recusada de vez')
    const before = (await outbound.alerts()).length
    graph.script({ kind: 'error', code, details: 'why' })
    expect(await outbound.drain(conversationId)).toMatchObject({ againAt: null })
    expect(await outbound.last(conversationId)).toMatchObject({
      status: 'failed',
      errorCode: code,
      errorDetail: 'why',
    })
    expect(await outbound.alerts()).toHaveLength(before)
  })

  it.each([33, 100, 131_008, 131_009, 131_051, 131_053, 132_000, 132_001, 135_000, 987_654])(
    '%i is a dead letter with code and details, and an alert',
    async (code) => {
      const conversationId = await outbound.conversationWith('carta morta')
      graph.script({ kind: 'error', code, details: 'why' })
      expect(await outbound.drain(conversationId)).toMatchObject({ againAt: null })
      expect(await outbound.last(conversationId)).toMatchObject({
        status: 'failed',
        errorCode: code,
        errorDetail: 'why',
      })
      expect((await outbound.alerts()).at(-1)).toEqual(['send_failed', String(code)])
    },
  )
})

describe('the rates', () => {
  it('let a number send no more than 80 messages in any second', async () => {
    const conversations: string[] = []
    for (let index = 0; index < 12; index += 1) conversations.push(await outbound.conversationWith('ritmo'))
    world.clock.advance(1_000)
    const startedAt = world.clock.now()
    for (const conversationId of conversations) await outbound.drain(conversationId)
    expect(world.clock.now() - startedAt).toBe((conversations.length - 4) * 13)
  })

  it('let a person have 45 at once and then one in six seconds, in order', async () => {
    const conversationId = await outbound.conversationWith('nº 0')
    for (let index = 1; index < 47; index += 1) {
      await outbound.write(world.one, conversationId, { kind: 'text', text: `nº ${index}` })
    }
    const before = graph.sends.length
    const { againAt } = await outbound.drain(conversationId)
    expect(graph.sends.slice(before).map(({ text }) => text)).toEqual(
      Array.from({ length: 45 }, (_, index) => `nº ${index}`),
    )
    expect(againAt).toBeGreaterThan(world.clock.now() + 5_000)
    world.clock.set(againAt ?? 0)
    await outbound.drain(conversationId)
    expect(graph.sends.at(-1)?.text).toBe('nº 45')
  })
})
