import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claim, returnToBot } from '../../src/handoff/ownership.ts'
import { type AssistantHarness, createAssistantHarness } from '../support/assistant-harness.ts'
import { freshPhone } from '../support/conversation-harness.ts'
import { handoffSteps } from '../support/handoff-steps.ts'
import { answers, calls, scriptedModel } from '../support/scripted-model.ts'

const STEP = (id: string) => calls([id, 'list_services', {}])

describe('a conversation that people gave back', () => {
  let world: AssistantHarness
  let steps: ReturnType<typeof handoffSteps>

  beforeAll(async () => {
    world = await createAssistantHarness({ env: { AGENT_MAX_STEPS: '2' } })
    steps = handoffSteps(world)
  })
  afterAll(() => world.close())

  /** Runs into its limit of steps, and so into the queue. */
  async function handedOff(phone: string): Promise<string> {
    const model = scriptedModel([STEP('t1'), STEP('t2'), answers('Uma pessoa termina com você.')])
    world.use(model)
    const { conversationId } = await world.talk(world.one, phone, 'quero tudo')
    const { status } = await world.conversation(world.one, conversationId)
    expect(status).toBe('queued')
    return conversationId
  }

  const handoffsOf = (conversationId: string) =>
    world.db.store.read(world.one.id, (reader) =>
      reader.handoff.findMany({ where: { conversationId }, orderBy: { requestedAt: 'asc' } }),
    )

  it.each(['from the queue', 'from a person'])(
    'returned %s, does not hand off again until the customer has said something new',
    async (from) => {
      const { one } = world
      const phone = freshPhone()
      const conversationId = await handedOff(phone)
      if (from === 'from a person') await steps.act(claim, one.owner, conversationId)
      await steps.act(returnToBot, one.owner, conversationId)
      const silent = scriptedModel([])
      world.use(silent)
      // A job that was queued before, or twice, finds nothing to do.
      for (const _ of [1, 2, 3]) expect(await world.turn(one, conversationId)).toBeNull()
      expect((await world.conversation(one, conversationId)).status).toBe('bot')
      expect(await handoffsOf(conversationId)).toHaveLength(1)

      world.use(scriptedModel([answers('Claro! Qual serviço?')]))
      const { texts } = await world.talk(one, phone, 'pode ser o corte mesmo')
      expect(texts).toEqual(['Claro! Qual serviço?'])
      expect(await handoffsOf(conversationId)).toHaveLength(1)

      await handedOff(phone)
      expect((await handoffsOf(conversationId)).map(({ reason, outcome }) => [reason, outcome])).toEqual([
        ['step_limit', 'returned'],
        ['step_limit', null],
      ])
    },
  )

  it('has a summary from the facts when the run could write none, and no model call for it', async () => {
    const phone = freshPhone()
    const model = scriptedModel([STEP('t1'), STEP('t2'), answers('Uma pessoa termina com você.')])
    world.use(model)
    const { conversationId } = await world.talk(world.one, phone, 'quero corte e barba no mesmo dia')
    model.assertPlayed()
    const [handoff] = await handoffsOf(conversationId)
    expect(handoff?.summary).toContain('quero corte e barba no mesmo dia')
    expect(handoff?.summary).toContain('list_services')
  })
})
