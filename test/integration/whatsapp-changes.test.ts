import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MESSAGE_VIEW, toMessageDto } from '../../src/conversations/message-view.ts'
import type { TestTenant } from '../support/factories.ts'
import { answers, scriptedModel } from '../support/scripted-model.ts'
import { createWhatsappWorld, type WhatsappWorld } from '../support/whatsapp-world.ts'

let world: WhatsappWorld

beforeAll(async () => {
  world = await createWhatsappWorld()
})
afterAll(() => world.close())

/** The business wrote `wamid.OUT1` on its phone. */
const asOut1 = (json: string) => json.replace('wamid.ECHO1', 'wamid.OUT1')
const later = (json: string) => json.replaceAll('1796040000', '1796040060')

async function first(tenant: TestTenant) {
  const [message] = await world.db.store.read(tenant.id, (reader) =>
    reader.message.findMany({ include: MESSAGE_VIEW, orderBy: { seq: 'asc' }, take: 1 }),
  )
  if (message === undefined) throw new Error('no message')
  return { ...message, shown: toMessageDto(message, 'America/Sao_Paulo') }
}

describe('a reaction', () => {
  it('is shown on its message and taken back by an empty one; never a turn, never unread', async () => {
    const tenants = await world.tenants()
    const [one] = tenants
    await world.deliver(tenants, 'echo', { edit: asOut1 })
    expect(await world.deliver(tenants, 'reaction')).toEqual(['applied'])
    expect((await first(one)).shown.reactions).toEqual([{ author: 'customer', emoji: '👍🏽' }])
    expect(await world.deliver(tenants, 'reaction-removed', { edit: later })).toEqual(['applied'])
    expect((await first(one)).shown.reactions).toEqual([])
    const { id, unread } = await world.conversation(one)
    expect([unread, await world.turnInMs(id)]).toEqual([0, null])
    expect(await world.messages(one)).toHaveLength(1)
  })

  it('that is older than the one that stands changes nothing', async () => {
    const tenants = await world.tenants()
    await world.deliver(tenants, 'echo', { edit: asOut1 })
    await world.deliver(tenants, 'reaction-removed', { edit: later })
    expect(await world.deliver(tenants, 'reaction')).toEqual(['ignored'])
    expect((await first(tenants[0])).shown.reactions).toEqual([])
  })

  it('that is faster than its message waits for it; of the other tenant’s it stays away', async () => {
    const tenants = await world.tenants()
    const [one, other] = tenants
    expect(await world.deliver(tenants, 'reaction')).toEqual(['parked'])
    await world.deliver([other], 'echo', { edit: asOut1 })
    await world.deliver(tenants, 'echo', { edit: asOut1 })
    expect((await first(one)).shown.reactions).toHaveLength(1)
    expect((await first(other)).shown.reactions).toEqual([])
  })
})

describe('an edit', () => {
  it('changes the stored message, keeps what it replaced, and starts no turn of its own', async () => {
    const tenants = await world.tenants()
    const [one] = tenants
    await world.deliver(tenants, 'text')
    await world.runTurn(one, scriptedModel([answers('Oi!')]))
    expect(await world.deliver(tenants, 'edit', { edit: later })).toEqual(['applied'])
    const message = await first(one)
    expect(message.shown).toMatchObject({ text: 'Quero marcar corte e barba', editedAt: expect.any(String) })
    const change = await world.db.store.read(one.id, (reader) => reader.messageChange.findFirstOrThrow())
    expect(change.previous).toMatchObject({ text: 'Oi! Quero marcar um corte 💇‍♀️' })
    expect((await world.messages(one)).filter(({ awaitsTurn }) => awaitsTurn)).toEqual([])
  })

  it('that is faster than its message waits for it: the bot reads the newest words', async () => {
    const tenants = await world.tenants()
    await world.deliver(tenants, 'edit')
    await world.deliver(tenants, 'text')
    expect((await first(tenants[0])).text).toBe('Quero marcar corte e barba')
  })

  it('of what somebody else wrote is refused', async () => {
    const tenants = await world.tenants()
    await world.deliver(tenants, 'echo', { edit: asOut1 })
    const ofOut1 = (json: string) => json.replace('wamid.TEXT1', 'wamid.OUT1')
    for (const fixture of ['edit', 'revoke']) {
      expect(await world.deliver(tenants, fixture, { edit: ofOut1 })).toEqual(['ignored'])
    }
    expect((await first(tenants[0])).shown).toMatchObject({
      text: 'Oi Ana, aqui é a Paula',
      editedAt: null,
      revokedAt: null,
    })
  })
})

describe('a revocation', () => {
  it('empties the stored message, which nobody answers any more', async () => {
    const tenants = await world.tenants()
    const [one] = tenants
    await world.deliver(tenants, 'text')
    expect(await world.deliver(tenants, 'revoke', { edit: later })).toEqual(['applied'])
    expect(await first(one)).toMatchObject({ text: null, awaitsTurn: false })
    expect((await first(one)).shown.revokedAt).not.toBeNull()
    const nobody = scriptedModel([])
    expect(await world.runTurn(one, nobody)).toBeNull()
    nobody.assertPlayed()
  })

  it('that is faster than its message waits for it', async () => {
    const tenants = await world.tenants()
    await world.deliver(tenants, 'revoke')
    await world.deliver(tenants, 'text')
    expect(await first(tenants[0])).toMatchObject({ text: null, awaitsTurn: false })
  })
})

describe('what passed without us', () => {
  it('an echo takes the conversation over from the bot, and is no input of the model', async () => {
    const tenants = await world.tenants()
    const [one, other] = tenants
    await world.deliver(tenants, 'text')
    await world.deliver(tenants, 'echo')
    expect(await world.conversation(one)).toMatchObject({ status: 'assigned', assigneeId: null, unread: 0 })
    const nobody = scriptedModel([])
    expect(await world.runTurn(one, nobody)).toBeNull()
    nobody.assertPlayed()
    expect(await world.conversations(other)).toEqual([])
  })

  it('a standby message changes nothing of a conversation that the bot has', async () => {
    const tenants = await world.tenants()
    const [one] = tenants
    await world.deliver(tenants, 'text')
    await world.runTurn(one, scriptedModel([answers('Oi!')]))
    await world.deliver(tenants, 'standby')
    const conversation = await world.conversation(one)
    expect(conversation).toMatchObject({ status: 'bot', unread: 0 })
    expect((await world.messages(one)).filter(({ awaitsTurn }) => awaitsTurn)).toEqual([])
  })

  it('history is imported quietly: in its own time, with what is known of delivery, no take-over, no turn', async () => {
    const tenants = await world.tenants()
    const [one] = tenants
    await world.deliver(tenants, 'text')
    await world.deliver(tenants, 'history')
    await world.deliver(tenants, 'history-media')
    expect(await world.conversation(one)).toMatchObject({ status: 'bot', unread: 1 })
    const imported = (await world.messages(one)).slice(1)
    expect(imported.map(({ direction, status, awaitsTurn }) => [direction, status, awaitsTurn])).toEqual([
      ['in', 'received', false],
      ['out', expect.stringMatching(/sent|delivered|read/), false],
      ['out', 'sent', false],
    ])
    expect(imported[0]?.createdAt.getTime()).toBe(1_795_900_000_000)
    expect(await world.media(one)).toMatchObject([{ providerId: '800009' }])
  })
})
