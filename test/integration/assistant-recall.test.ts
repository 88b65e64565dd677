import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { returnToBot, takeOver } from '../../src/handoff/ownership.ts'
import { type AssistantHarness, createAssistantHarness } from '../support/assistant-harness.ts'
import { freshPhone } from '../support/conversation-harness.ts'
import { handoffSteps } from '../support/handoff-steps.ts'
import { answers, calls, type ScriptLine, scriptedModel } from '../support/scripted-model.ts'

const book = (startsAt: string) =>
  calls(['toolu_book', 'book_appointment', { service: 'corte', professional: 'ana', starts_at: startsAt }])

describe('what a run did that broke off', () => {
  let world: AssistantHarness
  beforeAll(async () => {
    world = await createAssistantHarness()
  })
  afterAll(() => world.close())

  /** Books, and is interrupted while the model words the answer, as by a worker that stops. */
  async function bookAndBreakOff(phone: string, startsAt: string): Promise<string> {
    const { conversationId } = await world.say(world.one, phone, `corte ${startsAt}`)
    const interrupted = new AbortController()
    const hangs: ScriptLine = () => {
      queueMicrotask(() => interrupted.abort())
      return new Promise(() => undefined)
    }
    world.use(scriptedModel([book(startsAt), hangs]))
    const input = { tenantId: world.one.id, conversationId, signal: interrupted.signal }
    await expect(world.context.assistant.runTurn(input)).rejects.toMatchObject({ code: 'run_interrupted' })
    return conversationId
  }

  async function runsOf(conversationId: string) {
    const where = { tenantId: world.one.id, conversationId }
    return world.db.store.read(world.one.id, (reader) =>
      reader.run.findMany({ where, orderBy: { startedAt: 'asc' } }),
    )
  }

  it('is in the history of the next turn, when a person took over and gave back meanwhile', async () => {
    const phone = freshPhone()
    const conversationId = await bookAndBreakOff(phone, '2026-12-01T14:00')
    const steps = handoffSteps(world)
    await steps.act(takeOver, world.one.paula, conversationId)
    world.use(scriptedModel([]))
    expect(await world.turn(world.one, conversationId)).toMatchObject({ status: 'superseded', handoff: null })
    await steps.act(returnToBot, world.one.paula, conversationId)
    world.clock.advance(60_000)
    const model = scriptedModel([answers('Está marcado.')])
    world.use(model)
    await world.talk(world.one, phone, 'e aí?')
    model.assertPlayed()
    const asked = JSON.stringify(model.requests[0]?.messages)
    expect(asked).toContain('"name":"book_appointment"')
    expect(asked.match(/corte 2026-12-01T14:00/g)).toHaveLength(1)
    expect(await runsOf(conversationId)).toMatchObject([
      { status: 'superseded', steps: 1 },
      { status: 'completed' },
    ])
  })

  it('is in the history, and counted, when its workers died too often', async () => {
    const phone = freshPhone()
    const conversationId = await bookAndBreakOff(phone, '2026-12-02T14:00')
    const signal = AbortSignal.abort()
    for (let death = 0; death < 4; death += 1) {
      await expect(
        world.context.assistant.runTurn({ tenantId: world.one.id, conversationId, signal }),
      ).rejects.toMatchObject({ code: 'run_interrupted' })
    }
    const nobody = scriptedModel([])
    world.use(nobody)
    expect(await world.turn(world.one, conversationId)).toMatchObject({ stopReason: 'died_too_often' })
    expect(await runsOf(conversationId)).toMatchObject([{ status: 'failed', steps: 1 }])
    await world.drain(world.one, conversationId)
    expect(world.channel.takeTexts()).toHaveLength(1)
    await handoffSteps(world).act(returnToBot, world.one.paula, conversationId)
    world.clock.advance(60_000)
    const model = scriptedModel([answers('Está marcado.')])
    world.use(model)
    await world.talk(world.one, phone, 'e aí?')
    expect(JSON.stringify(model.requests[0]?.messages)).toContain('"name":"book_appointment"')
  })

  it('what cannot be stored or sent back is taken out of an answer before it is acted on', async () => {
    const phone = freshPhone()
    const bad = calls(['t1', 'list_\u0000services\ud83d', { 'a\u0000': '\ude00' }])
    const model = scriptedModel([bad, answers('Oi \u0000 de \ud83d novo'), answers('Tchau')])
    world.use(model)
    const { conversationId, texts } = await world.talk(world.one, phone, 'oi')
    expect(texts).toEqual(['Oi  de \ufffd novo'])
    world.clock.advance(60_000)
    await world.talk(world.one, phone, 'tchau')
    expect(model.requests).toHaveLength(3)
    expect(JSON.stringify(model.requests)).not.toMatch(/\\u0000|\\ud[89a-f]/)
    expect(await runsOf(conversationId)).toMatchObject([{ steps: 2 }, { steps: 1 }])
  })
})
