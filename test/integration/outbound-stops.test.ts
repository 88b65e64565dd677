import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { resumeSends } from '../../src/tenancy/channel-sends.ts'
import { createOutboundHarness, type OutboundHarness } from '../support/outbound-harness.ts'

const DAY_MS = 24 * 60 * 60_000
const REMINDER = { kind: 'template', name: 'lembrete', language: 'pt_BR', components: [] } as const

let world: OutboundHarness['world']
let graph: OutboundHarness['graph']
let outbound: OutboundHarness

beforeAll(async () => {
  outbound = await createOutboundHarness()
  ;({ world, graph } = outbound)
})
afterEach(() => outbound.reset())
afterAll(() => outbound.close())

describe('what stops more than its message', () => {
  it('131048 stops templates for closed windows on that number, tells the owner, and nothing else', async () => {
    const late = await outbound.conversationWith(REMINDER)
    const other = await outbound.conversationWith(REMINDER, world.other)
    world.clock.advance(DAY_MS)
    const answered = await outbound.conversationWith('resposta')
    const spam = await outbound.conversationWith(REMINDER)
    graph.script({ kind: 'error', code: 131_048 })
    await outbound.drain(spam)
    for (const conversationId of [late, answered]) await outbound.drain(conversationId)
    await outbound.drain(other, world.other)
    expect(await outbound.last(spam)).toMatchObject({ status: 'failed', errorCode: 131_048 })
    expect(await outbound.last(late)).toMatchObject({ status: 'failed', errorCode: 131_048 })
    expect(await outbound.last(answered)).toMatchObject({ status: 'sent' })
    expect(await outbound.last(other, world.other)).toMatchObject({ status: 'sent' })
    expect(await outbound.alerts()).toContainEqual(['proactive_stopped', '131048'])
  })

  it.each([
    0, 3, 10, 190, 200, 299, 368, 130_497, 131_005, 131_031, 131_037, 131_042, 131_045, 133_010, 133_015,
  ])(
    '%i pauses the number’s sends, keeps the queue, tells the owner; resuming wakes all of it',
    async (code) => {
      const met = await outbound.conversationWith('um')
      const behind = await outbound.conversationWith('dois')
      graph.script({ kind: 'error', code })
      expect(await outbound.drain(met)).toMatchObject({ againAt: null })
      expect(await outbound.drain(behind)).toMatchObject({ sent: [], againAt: null })
      expect(await outbound.state()).toMatchObject({ paused: { code } })
      expect(await outbound.state(world.other)).toMatchObject({ paused: null })
      expect((await outbound.alerts()).at(-1)).toEqual(['sends_paused', String(code)])
      await world.db.store.unsafeTransact(
        'test',
        (tx) => tx.$executeRaw`delete from graphile_worker._private_jobs`,
      )
      await world.db.store.transact(world.one.id, (tx) => resumeSends(tx, world.clock.now()))
      for (const conversationId of [met, behind]) {
        expect(await world.jobs(`drain:${conversationId}`)).toHaveLength(1)
        await outbound.drain(conversationId)
        expect(await outbound.last(conversationId)).toMatchObject({ status: 'sent' })
      }
    },
  )

  it('131050 opts the customer out of what they did not ask for', async () => {
    const conversationId = await outbound.conversationWith(REMINDER)
    graph.script({ kind: 'error', code: 131_050 })
    await outbound.drain(conversationId)
    const { customerId } = await world.conversation(world.one, conversationId)
    const customer = await world.db.store.read(world.one.id, (reader) =>
      reader.customer.findFirstOrThrow({ where: { id: customerId } }),
    )
    expect(customer.proactiveStoppedAt).not.toBeNull()
    expect(await outbound.last(conversationId)).toMatchObject({ status: 'failed', errorCode: 131_050 })
  })

  it.each([132_015, 132_016])('%i takes the template out of use, for this tenant', async (code) => {
    const met = await outbound.conversationWith(REMINDER)
    const behind = await outbound.conversationWith(REMINDER)
    const other = await outbound.conversationWith(REMINDER, world.other)
    graph.script({ kind: 'error', code })
    for (const conversationId of [met, behind]) await outbound.drain(conversationId)
    await outbound.drain(other, world.other)
    expect(await outbound.last(behind)).toMatchObject({ status: 'failed', errorCode: code })
    expect(await outbound.last(other, world.other)).toMatchObject({ status: 'sent' })
    expect(await outbound.state()).toMatchObject({ disabledTemplates: [{ name: 'lembrete', code }] })
    expect((await outbound.alerts()).at(-1)).toEqual(['template_disabled', String(code)])
  })
})
