import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { MESSAGE_VIEW, toMessageDto } from '../../src/conversations/message-view.ts'
import { changeProactive } from '../../src/conversations/proactive.ts'
import { applyTenantDocument, getTenantDocument } from '../../src/tenancy/apply-tenant-document.ts'
import { stopProactiveSends } from '../../src/tenancy/channel-sends.ts'
import { freshPhone } from '../support/conversation-harness.ts'
import { TEST_ENCRYPTION_KEY } from '../support/factories.ts'
import { createOutboundHarness, type OutboundHarness } from '../support/outbound-harness.ts'

const DAY_MS = 24 * 60 * 60_000
const REOPEN = { name: 'retomar_conversa', language: 'pt_BR' }

let world: OutboundHarness['world']
let graph: OutboundHarness['graph']
let outbound: OutboundHarness

/** `world.one` has a template for closed windows, `world.other` has none. */
beforeAll(async () => {
  outbound = await createOutboundHarness()
  ;({ world, graph } = outbound)
  await applyTenantDocument(
    world.db.store,
    { ...world.one.document, texts: { reopenTemplate: REOPEN } },
    { encryptionKey: TEST_ENCRYPTION_KEY, clock: world.clock },
  )
})
afterEach(() => outbound.reset())
afterAll(() => outbound.close())

/** What reached the Graph API since, accepted or not. */
async function attemptsDuring(act: () => Promise<unknown>): Promise<unknown[]> {
  const before = graph.attempts.length
  await act()
  return graph.attempts
    .slice(before)
    .map(({ type, body, text }) => (type === 'template' ? body['template'] : text))
}

async function optOut(conversationId: string): Promise<void> {
  const { customerId } = await world.conversation(world.one, conversationId)
  await world.db.store.transact(world.one.id, async (tx) => {
    const customer = await tx.customer.findFirstOrThrow({ where: { id: customerId } })
    await changeProactive(tx, customer, { stop: true, at: world.clock.now() })
  })
}

const LEFT = { name: REOPEN.name, language: { code: REOPEN.language }, components: [] }

describe('a text whose 24-hour window is closed', () => {
  it('leaves as the tenant’s template, known without asking, once however many wait; the rest are shown', async () => {
    const conversationId = await outbound.conversationWith('sua hora é às 10')
    await outbound.write(world.one, conversationId, {
      kind: 'choices',
      text: 'qual?',
      choices: [{ id: 'a', title: '10:00' }],
    })
    world.clock.advance(DAY_MS)
    expect(await attemptsDuring(() => outbound.drain(conversationId))).toEqual([LEFT])
    expect((await world.messages(world.one, conversationId)).slice(1)).toMatchObject([
      { status: 'sent', type: 'template', text: REOPEN.name, payload: { insteadOf: 'sua hora é às 10' } },
      { status: 'failed', type: 'interactive', errorCode: 131_047 },
    ])
    const [, shown] = await world.db.store.read(world.one.id, (reader) =>
      reader.message.findMany({ where: { conversationId }, include: MESSAGE_VIEW, orderBy: { seq: 'asc' } }),
    )
    if (shown === undefined) throw new Error('nothing is shown')
    expect(toMessageDto(shown, 'America/Sao_Paulo')).toMatchObject({ insteadOf: 'sua hora é às 10' })
  })

  it('leaves as the template again in a later window, after the customer wrote', async () => {
    const phone = freshPhone()
    const { conversationId } = await world.say(world.one, phone, 'oi')
    for (const text of ['um', 'dois']) {
      await outbound.write(world.one, conversationId, { kind: 'text', text })
      world.clock.advance(DAY_MS)
      expect(await attemptsDuring(() => outbound.drain(conversationId))).toEqual([LEFT])
      await world.say(world.one, phone, 'voltei')
    }
  })

  it('fails and is shown where the tenant has no template', async () => {
    const conversationId = await outbound.conversationWith('tarde demais', world.other)
    world.clock.advance(DAY_MS)
    expect(await attemptsDuring(() => outbound.drain(conversationId, world.other))).toEqual([])
    expect(await outbound.last(conversationId, world.other)).toMatchObject({
      status: 'failed',
      errorCode: 131_047,
    })
  })

  it('by the channel’s word alone is tried once more, then leaves as the template', async () => {
    const conversationId = await outbound.conversationWith('texto livre')
    graph.script({ kind: 'error', code: 131_047 }, { times: 2 })
    world.clock.set((await outbound.drain(conversationId)).againAt ?? 0)
    expect(await attemptsDuring(() => outbound.drain(conversationId))).toEqual(['texto livre', LEFT])
    expect(await outbound.last(conversationId)).toMatchObject({
      type: 'template',
      status: 'sent',
      payload: { insteadOf: 'texto livre' },
    })
  })

  it('by the channel’s word alone, without a template, is tried once more, then fails and is shown', async () => {
    const conversationId = await outbound.conversationWith('fechada?', world.other)
    graph.script({ kind: 'error', code: 131_047 }, { times: 2 })
    world.clock.set((await outbound.drain(conversationId, world.other)).againAt ?? 0)
    await outbound.drain(conversationId, world.other)
    expect(await outbound.last(conversationId, world.other)).toMatchObject({
      status: 'failed',
      errorCode: 131_047,
    })
  })

  it('by the channel’s word, when the template went out already, ends', async () => {
    const conversationId = await outbound.conversationWith('um')
    await outbound.write(world.one, conversationId, { kind: 'text', text: 'dois' })
    graph.script({ kind: 'error', code: 131_047 }, { times: 10 })
    for (let run = 0; run < 6; run += 1) {
      const { againAt } = await outbound.drain(conversationId)
      if (againAt === null) break
      world.clock.set(againAt)
    }
    const { againAt } = await outbound.drain(conversationId)
    expect(againAt).toBeNull()
    expect((await world.messages(world.one, conversationId)).slice(1)).toMatchObject([
      { status: 'failed' },
      { status: 'failed', errorCode: 131_047 },
    ])
  })

  it('is not replaced for a customer who asked for nothing of the kind, nor while the number may send none', async () => {
    const asked = await outbound.conversationWith('quem pediu para parar')
    const behind = await outbound.conversationWith('qualquer um')
    await optOut(asked)
    world.clock.advance(DAY_MS)
    expect(await attemptsDuring(() => outbound.drain(asked))).toEqual([])
    expect(await outbound.last(asked)).toMatchObject({ status: 'failed', errorCode: 131_050 })
    const now = world.clock.now()
    await world.db.store.transact(world.one.id, (tx) =>
      stopProactiveSends(tx, { channelId: world.one.channelId, startedAt: now, now }),
    )
    expect(await attemptsDuring(() => outbound.drain(behind))).toEqual([])
    expect(await outbound.last(behind)).toMatchObject({ status: 'failed', errorCode: 131_048 })
  })

  it('whose template’s fate is unknown is not followed by another one', async () => {
    const conversationId = await outbound.conversationWith('perdida')
    world.clock.advance(DAY_MS)
    graph.script({ kind: 'reset', accept: true })
    await outbound.drain(conversationId)
    expect(await outbound.last(conversationId)).toMatchObject({
      status: 'unknown',
      type: 'template',
      payload: { insteadOf: 'perdida' },
    })
    await outbound.write(world.one, conversationId, { kind: 'text', text: 'mais uma' })
    expect(await attemptsDuring(() => outbound.drain(conversationId))).toEqual([])
  })
})

describe('the template for closed windows', () => {
  it('is part of the tenant document, off when it is left out', async () => {
    const { store } = world.db
    const read = async (slug: string) => (await getTenantDocument(store, slug))?.texts
    expect(await read(world.one.slug)).toEqual({ reopenTemplate: REOPEN })
    expect(await read(world.other.slug)).toBeUndefined()
    const options = { encryptionKey: TEST_ENCRYPTION_KEY, clock: world.clock }
    await applyTenantDocument(store, world.one.document, options)
    expect(await read(world.one.slug)).toBeUndefined()
    await applyTenantDocument(store, { ...world.one.document, texts: { reopenTemplate: REOPEN } }, options)
  })
})
