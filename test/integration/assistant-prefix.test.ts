import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ModelRequest } from '../../src/agent/types.ts'
import { lockConversation } from '../../src/conversations/conversation-row.ts'
import { writeOutbound } from '../../src/conversations/outbox.ts'
import { returnToBot, takeOver } from '../../src/handoff/ownership.ts'
import { LOCALES } from '../../src/shared/locale.ts'
import { type AssistantHarness, createAssistantHarness } from '../support/assistant-harness.ts'
import { freshPhone } from '../support/conversation-harness.ts'
import { createTenant } from '../support/factories.ts'
import { handoffSteps } from '../support/handoff-steps.ts'
import { isPrefix, prefixBytes, tokensOf } from '../support/prefix-bytes.ts'
import { answers, calls, type ScriptLine, scriptedModel } from '../support/scripted-model.ts'

/** What the API caches at least, tokens. */
const CACHE_MINIMUM = 1_024

const book = (id: string, startsAt: string) =>
  calls([id, 'book_appointment', { service: 'corte', professional: 'ana', starts_at: startsAt }])
const offer = (id: string) =>
  calls([id, 'offer_choices', { text: 'Qual horário?', choices: [{ id: 'a', title: '10:00' }] }])

describe('the request of a turn begins with the bytes of the one before', () => {
  let world: AssistantHarness
  beforeAll(async () => {
    world = await createAssistantHarness()
  })
  afterAll(() => world.close())

  /** Plays the lines as one conversation's model and gives its requests. */
  function script(lines: readonly ScriptLine[]): { requests: ModelRequest[]; assertPlayed(): void } {
    const model = scriptedModel(lines)
    world.use(model)
    return model
  }

  it('over turns with tools, a choice offered and tapped, and plain answers', async () => {
    const phone = freshPhone()
    const model = script([
      answers('Oi! O que posso fazer por você?'),
      calls(['t1', 'list_available_times', { service: 'corte', date: '2026-12-01' }]),
      offer('t2'),
      book('t3', '2026-12-01T10:00'),
      answers('Marcado.'),
      answers('Até amanhã.'),
    ])
    for (const text of ['oi', 'quero cortar amanhã', '10:00', 'obrigada']) {
      await world.talk(world.one, phone, text)
      world.clock.advance(60_000)
    }
    model.assertPlayed()
    expectEachToBeginTheNext(model.requests)
  })

  it('after a run that wrote and was overtaken by a person, who then gave the conversation back', async () => {
    const steps = handoffSteps(world)
    const phone = freshPhone()
    const { conversationId } = await world.say(world.one, phone, 'corte amanhã às 11h')
    const model = script([
      book('t1', '2026-12-01T11:00'),
      async () => {
        await steps.act(takeOver, world.one.paula, conversationId)
        return answers('Marcado.')
      },
      answers('Às ordens.'),
    ])
    expect(await world.turn(world.one, conversationId)).toMatchObject({ status: 'superseded', handoff: null })
    await world.drain(world.one, conversationId)
    expect(world.channel.takeTexts()).toEqual([])
    await world.db.store.transact(world.one.id, async (tx) =>
      writeOutbound(tx, {
        conversation: await lockConversation(tx, conversationId),
        author: 'staff',
        staffId: world.one.paula.id,
        content: { kind: 'text', text: 'Oi, aqui é a Paula' },
        ownerEpoch: null,
        clock: world.clock,
      }),
    )
    world.clock.advance(60_000)
    await steps.act(returnToBot, world.one.paula, conversationId)
    await world.talk(world.one, phone, 'deu certo?')
    model.assertPlayed()
    expectEachToBeginTheNext(model.requests)
    const last = JSON.stringify(model.requests.at(-1)?.messages)
    expect(last).toContain('book_appointment')
    expect(last).not.toContain('Marcado.')
    expect(last).toContain('<team>Oi, aqui é a Paula</team>')
    expect(last).toContain('A person of the team had this conversation')
  })

  it('and when the history is cut, it is cut once for many turns', async () => {
    const phone = freshPhone()
    const turns = 24
    const model = script(Array.from({ length: turns }, (_, index) => answers(`resposta ${index}`)))
    for (let index = 0; index < turns; index += 1) {
      await world.talk(world.one, phone, `${index} ${'palavras '.repeat(440)}`)
      world.clock.advance(60_000)
    }
    model.assertPlayed()
    const bytes = model.requests.map(prefixBytes)
    const cuts = bytes.slice(1).filter((later, index) => !isPrefix(bytes[index] ?? [], later))
    expect(cuts.length).toBeGreaterThan(0)
    expect(cuts.length).toBeLessThanOrEqual(2)
    for (const request of model.requests) {
      expect(request.messages[0]?.content[0]?.type).toBe('text')
    }
  })

  it.each(LOCALES)('and tools and system text alone are long enough to be cached (%s)', async (locale) => {
    const [one, other] = await Promise.all([
      createTenant(world.db.store, { locale }),
      createTenant(world.db.store, { locale }),
    ])
    const requests: ModelRequest[] = []
    for (const tenant of [one, other]) {
      const model = script([answers('ok')])
      const staffed = { ...world.one, ...tenant }
      await world.talk(staffed, freshPhone(), 'oi')
      requests.push(...model.requests)
    }
    const heads = requests.map(({ tools, system }) => prefixBytes({ tools, system, messages: [] }))
    for (const head of heads) expect(tokensOf(head)).toBeGreaterThanOrEqual(CACHE_MINIMUM)
    expect(heads[0]).toEqual(heads[1])
  })

  function expectEachToBeginTheNext(requests: readonly ModelRequest[]): void {
    const bytes = requests.map(prefixBytes)
    for (const [index, later] of bytes.slice(1).entries()) {
      expect(isPrefix(bytes[index] ?? [], later), `request ${index} begins request ${index + 1}`).toBe(true)
    }
  }
})
