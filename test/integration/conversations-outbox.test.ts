import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lockConversation } from '../../src/conversations/conversation-row.ts'
import { writeOutbound } from '../../src/conversations/outbox.ts'
import { takeNextRow } from '../../src/conversations/take-row.ts'
import { newId } from '../../src/shared/ids.ts'
import { resumeSends } from '../../src/tenancy/channel-sends.ts'
import {
  type ConversationHarness,
  createConversationHarness,
  freshPhone,
} from '../support/conversation-harness.ts'

const error = { code: 131_000, detail: 'something went wrong' }
const MINUTE_MS = 60_000

let world: ConversationHarness

beforeAll(async () => {
  world = await createConversationHarness()
})
afterAll(() => world.close())

async function conversationWith(...texts: string[]): Promise<string> {
  const { conversationId } = await world.say(world.one, freshPhone(), 'oi')
  for (const text of texts) await world.botSays(world.one, conversationId, text)
  world.channel.takeTexts()
  return conversationId
}

async function statusesOf(conversationId: string): Promise<string[]> {
  const messages = await world.messages(world.one, conversationId)
  return messages.filter(({ direction }) => direction === 'out').map(({ status }) => status)
}

describe('a message to a customer', () => {
  it('is written with its row and its job, and nothing leaves before the drain', async () => {
    const conversationId = await conversationWith('Olá!')
    expect(await statusesOf(conversationId)).toEqual(['pending'])
    expect(await world.jobs(`drain:${conversationId}`)).toMatchObject([{ task: 'drain_outbox' }])
    expect(world.channel.requests).toEqual([])
  })

  it('shows its readable text, with the choices beside it', async () => {
    const { db, one, clock } = world
    const conversationId = await conversationWith()
    await db.store.transact(one.id, async (tx) => {
      const conversation = await lockConversation(tx, conversationId)
      const choices = [{ id: 'corte', title: 'Corte', description: 'Com lavagem' }]
      const content = { kind: 'choices' as const, text: 'Qual serviço?', choices }
      const { ownerEpoch } = conversation
      await writeOutbound(tx, { conversation, author: 'bot', content, ownerEpoch, clock })
    })
    await world.drain(one, conversationId)
    expect(world.channel.requests.at(-1)).toMatchObject({
      content: { kind: 'choices', choices: [{ id: 'corte', title: 'Corte', description: 'Com lavagem' }] },
      locale: 'pt-BR',
      to: { kind: 'phone' },
    })
    expect((await world.messages(one, conversationId)).at(-1)).toMatchObject({
      type: 'interactive',
      text: 'Qual serviço?',
      payload: { choices: [{ id: 'corte' }] },
      status: 'sent',
    })
  })

  it('of an overtaken run is refused', async () => {
    const { db, one, clock } = world
    const conversationId = await conversationWith()
    const attempt = db.store.transact(one.id, async (tx) => {
      const conversation = await lockConversation(tx, conversationId)
      const content = { kind: 'text' as const, text: 'tarde' }
      const ownerEpoch = conversation.ownerEpoch - 1
      await writeOutbound(tx, { conversation, author: 'bot', content, ownerEpoch, clock })
    })
    await expect(attempt).rejects.toMatchObject({ code: 'owner_changed' })
  })
})

describe('the drain', () => {
  it('sends in order and keeps the order when the first fails retryably', async () => {
    const { one, channel, clock } = world
    const conversationId = await conversationWith('um', 'dois')
    channel.answerNext({ kind: 'retry', error, maxAttempts: 5 })
    const report = await world.drain(one, conversationId)
    expect(channel.takeTexts()).toEqual(['um'])
    expect(report.againAt).toBe(clock.now() + 1_000)
    expect(await world.jobs(`drain:${conversationId}`)).toMatchObject([{ runAt: report.againAt }])
    await world.botSays(one, conversationId, 'três')
    await world.drain(one, conversationId)
    expect(channel.takeTexts(), 'nothing passes the first').toEqual([])
    expect(await world.jobs(`drain:${conversationId}`)).toMatchObject([{ runAt: report.againAt }])
    clock.advance(1_000)
    await world.drain(one, conversationId)
    expect(channel.takeTexts()).toEqual(['um', 'dois', 'três'])
    expect(await statusesOf(conversationId)).toEqual(['sent', 'sent', 'sent'])
  })

  it('gives a message up after its attempts and goes on with the next', async () => {
    const { one, channel, clock } = world
    const conversationId = await conversationWith('um', 'dois')
    channel.answerNext({ kind: 'retry', error, maxAttempts: 2 }, { kind: 'retry', error, maxAttempts: 2 })
    await world.drain(one, conversationId)
    clock.advance(MINUTE_MS)
    await world.drain(one, conversationId)
    expect(channel.takeTexts()).toEqual(['um', 'um', 'dois'])
    expect(await world.messages(one, conversationId)).toMatchObject([
      {},
      { status: 'failed', errorCode: 131_000, errorDetail: 'something went wrong' },
      { status: 'sent', errorCode: null },
    ])
  })

  it('waits 4ˣ seconds for a recipient who gets too much', async () => {
    const { one, channel, clock } = world
    const conversationId = await conversationWith('um')
    const waits: number[] = []
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      channel.answerNext({ kind: 'backoff', scope: 'recipient', error })
      const { againAt } = await world.drain(one, conversationId)
      waits.push((againAt ?? 0) - clock.now())
      clock.set(againAt ?? 0)
    }
    expect(waits).toEqual([4_000, 16_000, 64_000])
  })

  it('is not held up by an unknown fate, and sends it once more when nothing was said for ten minutes', async () => {
    const { one, channel, clock } = world
    const conversationId = await conversationWith('um')
    channel.answerNext({ kind: 'unknown', error })
    const first = await world.drain(one, conversationId)
    expect(await statusesOf(conversationId)).toEqual(['unknown'])
    expect(first.againAt).toBe(clock.now() + 10 * MINUTE_MS)
    clock.advance(10 * MINUTE_MS)
    channel.answerNext({ kind: 'unknown', error })
    expect(await world.drain(one, conversationId)).toMatchObject({ againAt: null })
    clock.advance(60 * MINUTE_MS)
    await world.drain(one, conversationId)
    expect(channel.takeTexts(), 'once more, not twice').toEqual(['um', 'um'])
    expect(await statusesOf(conversationId)).toEqual(['unknown'])
  })

  it('sends what is behind an unknown one, which then is not repeated', async () => {
    const { one, channel, clock } = world
    const conversationId = await conversationWith('um', 'dois')
    channel.answerNext({ kind: 'unknown', error })
    await world.drain(one, conversationId)
    clock.advance(10 * MINUTE_MS)
    await world.drain(one, conversationId)
    expect(channel.takeTexts()).toEqual(['um', 'dois'])
    expect(await statusesOf(conversationId)).toEqual(['unknown', 'sent'])
  })

  it('finds a row in sending: the process died in the call, so its fate is unknown', async () => {
    const { db, one, channel, clock } = world
    const conversationId = await conversationWith('um', 'dois')
    await db.store.transact(one.id, async (tx) => {
      const conversation = await lockConversation(tx, conversationId)
      return takeNextRow(tx, conversation, { now: clock.now(), random: () => 0.5 })
    })
    await world.drain(one, conversationId)
    expect(channel.takeTexts()).toEqual(['dois'])
    expect(await statusesOf(conversationId)).toEqual(['unknown', 'sent'])
  })

  it('writes its outcome also when another drain took its row for dead', async () => {
    const { one, channel } = world
    const conversationId = await conversationWith('um', 'dois')
    channel.answerNext(async () => {
      await world.drain(one, conversationId)
      return { kind: 'accepted', wamid: 'wamid.slow' }
    })
    await world.drain(one, conversationId)
    expect(channel.takeTexts()).toEqual(['um', 'dois'])
    expect(await statusesOf(conversationId)).toEqual(['sent', 'sent'])
  })

  it('marks what is refused, with code and detail, and goes on', async () => {
    const { one, channel } = world
    const conversationId = await conversationWith('um', 'dois')
    const refused = { code: 131_026, detail: 'undeliverable' }
    channel.answerNext({
      kind: 'rejected',
      error: refused,
      alert: false,
      optOut: false,
      disableTemplate: false,
    })
    const report = await world.drain(one, conversationId)
    expect(report.sent.map(({ outcome }) => outcome.kind)).toEqual(['rejected', 'accepted'])
    expect(await world.messages(one, conversationId)).toMatchObject([
      {},
      { status: 'failed', errorCode: 131_026, errorDetail: 'undeliverable' },
      { status: 'sent' },
    ])
  })

  it('tries once more when the channel says the window is closed and it is not', async () => {
    const { one, channel, clock } = world
    const conversationId = await conversationWith('um')
    const closed = { kind: 'window_closed', error: { code: 131_047, detail: 're-engagement' } } as const
    channel.answerNext(closed, closed)
    clock.set((await world.drain(one, conversationId)).againAt ?? 0)
    await world.drain(one, conversationId)
    expect(channel.takeTexts()).toEqual(['um', 'um'])
    expect((await world.messages(one, conversationId)).at(-1)).toMatchObject({
      status: 'failed',
      errorCode: 131_047,
    })
  })

  it('keeps everything while the channel is paused, without using up attempts', async () => {
    const { one, channel, clock } = world
    const conversationId = await conversationWith('um', 'dois')
    for (let pause = 0; pause < 8; pause += 1) {
      channel.answerNext({ kind: 'pause_channel', error: { code: 190, detail: 'token expired' } })
      expect(await world.drain(one, conversationId)).toMatchObject({ againAt: null })
      await world.db.store.transact(one.id, (tx) => resumeSends(tx, clock.now()))
    }
    expect(await statusesOf(conversationId)).toEqual(['pending', 'pending'])
    channel.takeTexts()
    channel.answerNext({ kind: 'retry', error, maxAttempts: 2 })
    clock.set((await world.drain(one, conversationId)).againAt ?? 0)
    await world.drain(one, conversationId)
    expect(channel.takeTexts()).toEqual(['um', 'um', 'dois'])
  })

  it('waits when the channel has no usable token', async () => {
    const { db, one, channel } = world
    const conversationId = await conversationWith('um')
    const stored = await db.store.read(one.id, (reader) => reader.channel.findFirstOrThrow())
    const setToken = (accessTokenEncrypted: typeof stored.accessTokenEncrypted) =>
      db.store.transact(one.id, (tx) => tx.channel.updateMany({ data: { accessTokenEncrypted } }))
    await setToken(null)
    const report = await world.drain(one, conversationId)
    await setToken(stored.accessTokenEncrypted)
    expect(report.sent).toMatchObject([{ outcome: { kind: 'account_unusable' } }])
    expect(channel.takeTexts()).toEqual([])
    expect(await statusesOf(conversationId)).toEqual(['pending'])
  })

  it('stops between rows when it is told to, and comes back', async () => {
    const { one, channel, clock } = world
    const conversationId = await conversationWith('um', 'dois')
    const stop = new AbortController()
    channel.answerNext(async () => {
      stop.abort()
      return { kind: 'accepted', wamid: `wamid.${newId()}` }
    })
    expect(await world.drain(one, conversationId, stop.signal)).toMatchObject({ againAt: clock.now() })
    expect(channel.takeTexts()).toEqual(['um'])
    await world.drain(one, conversationId)
    expect(channel.takeTexts()).toEqual(['dois'])
  })

  it('has nothing to do for the conversation of another tenant', async () => {
    const { other, channel } = world
    const conversationId = await conversationWith('um')
    await expect(world.drain(other, conversationId)).rejects.toMatchObject({ code: 'not_found' })
    expect(channel.takeTexts()).toEqual([])
  })
})
