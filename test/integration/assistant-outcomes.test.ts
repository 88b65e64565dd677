import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ModelError } from '../../src/agent/model-error.ts'
import { InfrastructureError } from '../../src/shared/app-error.ts'
import { type AssistantHarness, createAssistantHarness } from '../support/assistant-harness.ts'
import { breakableStore } from '../support/breakable-store.ts'
import { freshPhone } from '../support/conversation-harness.ts'
import { answers, calls, type ScriptLine, says, scriptedModel } from '../support/scripted-model.ts'

const LIMITS = {
  AGENT_MAX_STEPS: '5',
  AGENT_MAX_INPUT_TOKENS: '50000',
  AGENT_MAX_COST_USD: '0.01',
  AGENT_MAX_DURATION_MS: '60000',
}
const services = (id: string) => calls([id, 'list_services', {}])
const times = (id: string) => calls([id, 'list_available_times', { service: 'corte', date: '2026-12-01' }])
const mine = (id: string) => calls([id, 'list_my_appointments', {}])
const LAST_WORDS = 'Tenho às 10:00; uma pessoa termina com você.'

/** What a run ends with, what the customer reads before the notice (null: the notice alone), and the queue's reason. */
interface Row {
  readonly ends: string
  readonly lines: () => ScriptLine[]
  readonly said: string | null
  readonly reason: string
  readonly word: string
  /** Of the summary for the person; any words when left out. */
  readonly summary?: RegExp
}

describe('how a run ends, and what the customer and the queue get', () => {
  const database = breakableStore()
  let world: AssistantHarness

  beforeAll(async () => {
    world = await createAssistantHarness({ env: LIMITS, overrides: { store: database.wrap } })
  })
  afterAll(() => world.close())
  afterEach(() => database.mend())

  async function play(lines: readonly ScriptLine[]) {
    const model = scriptedModel(lines)
    world.use(model)
    const phone = freshPhone()
    const talk = await world.talk(world.one, phone, 'quero cortar amanhã')
    model.assertPlayed()
    const conversation = await world.conversation(world.one, talk.conversationId)
    const handoffs = await world.db.store.read(world.one.id, (reader) =>
      reader.handoff.findMany({ where: { conversationId: talk.conversationId } }),
    )
    return { ...talk, model, conversation, handoffs }
  }

  const rows: Row[] = [
    {
      ends: 'transfer_to_human',
      lines: () => [
        says('tool_use', [
          'Já chamo alguém.',
          { type: 'tool_use', id: 't1', name: 'transfer_to_human', input: { reason: 'r', summary: 's' } },
        ]),
      ],
      said: 'Já chamo alguém.',
      reason: 'customer_request',
      word: 'tool_call:transfer_to_human',
    },
    {
      ends: 'a refusal',
      lines: () => [{ ...says('refusal', []), stop_details: { category: 'bio' } }],
      said: null,
      reason: 'refusal',
      word: 'finish_reason:refusal',
      summary: /\(bio\)$/,
    },
    {
      ends: 'a tool call cut off twice',
      lines: () => [truncated('t1'), truncated('t2')],
      said: null,
      reason: 'truncated_tool_use',
      word: 'truncated_tool_use',
    },
    {
      ends: 'an unknown stop_reason',
      lines: () => [says('something_new', ['texto'])],
      said: null,
      reason: 'unknown_stop_reason',
      word: 'unknown_stop_reason',
    },
    {
      ends: 'the limit of steps',
      lines: () => [
        ...['t1', 't2'].map(services),
        ...['t3', 't4'].map(times),
        mine('t5'),
        answers(LAST_WORDS),
      ],
      said: LAST_WORDS,
      reason: 'step_limit',
      word: 'step_count:5',
    },
    {
      ends: 'the limit of input tokens',
      lines: () => [
        {
          ...services('t1'),
          usage: { input_tokens: 20_000, cache_read_input_tokens: 30_000, output_tokens: 5 },
        },
        answers(LAST_WORDS),
      ],
      said: LAST_WORDS,
      reason: 'token_limit',
      word: 'max_input_tokens:50000',
    },
    {
      ends: 'the cost of the run',
      lines: () => [
        { ...services('t1'), usage: { input_tokens: 10, output_tokens: 20_000 } },
        answers(LAST_WORDS),
      ],
      said: LAST_WORDS,
      reason: 'cost_limit',
      word: 'max_cost:0.01',
    },
    {
      ends: 'a limit whose last answer is empty',
      lines: () => [
        { ...services('t1'), usage: { input_tokens: 10, output_tokens: 20_000 } },
        says('end_turn', []),
      ],
      said: null,
      reason: 'cost_limit',
      word: 'max_cost:0.01',
    },
    {
      ends: 'the time of the run',
      lines: () => [
        () => {
          world.clock.advance(61_000)
          return services('t1')
        },
        answers(LAST_WORDS),
      ],
      said: LAST_WORDS,
      reason: 'time_limit',
      word: 'max_duration:60000',
    },
    {
      ends: 'a context window that is full with nothing left to drop',
      lines: () => [says('model_context_window_exceeded', [])],
      said: null,
      reason: 'context_window',
      word: 'context_window',
    },
    {
      ends: 'two empty answers',
      lines: () => [says('end_turn', []), says('end_turn', [])],
      said: null,
      reason: 'empty_answer',
      word: 'empty_answer',
    },
    {
      ends: 'thinking that used up both answers',
      lines: () => [thinking(), thinking()],
      said: null,
      reason: 'empty_answer',
      word: 'empty_answer',
    },
    {
      ends: 'a fourth pause in a row',
      lines: () => ['um', 'dois', 'três', 'quatro'].map((text) => says('pause_turn', [text])),
      said: null,
      reason: 'pause_limit',
      word: 'pause_limit',
    },
    {
      ends: 'a key that is not allowed',
      lines: () => [fails('not_allowed')],
      said: null,
      reason: 'model_unavailable',
      word: 'model_unavailable',
    },
    {
      ends: 'a request that the API refuses',
      lines: () => [fails('bad_request')],
      said: null,
      reason: 'model_error',
      word: 'model_error',
    },
  ]

  it.each(rows)(
    '$ends → $reason, in one message with the notice',
    async ({ lines, said, reason, word, summary }) => {
      const { concluded, texts, conversation, handoffs } = await play(lines())
      expect(concluded).toMatchObject({ status: 'stopped', stopReason: word, handoff: reason })
      expect(handoffs).toMatchObject([{ reason }])
      expect(handoffs[0]?.summary).toMatch(summary ?? /./)
      expect(conversation.status).toBe('queued')
      expect(texts).toHaveLength(1)
      if (said !== null) expect(texts[0]?.startsWith(said)).toBe(true)
      expect(texts[0]?.length).toBeGreaterThan((said ?? '').length + 20)
    },
  )

  it('an answer → the answer, and nothing in the queue', async () => {
    const { concluded, texts, conversation, handoffs } = await play([answers('Amanhã às 10:00?')])
    expect(concluded).toMatchObject({ status: 'completed', stopReason: 'end_turn', handoff: null })
    expect(texts).toEqual(['Amanhã às 10:00?'])
    expect(handoffs).toEqual([])
    expect(conversation.status).toBe('bot')
  })

  it('offer_choices → the text with its choices, and nothing in the queue', async () => {
    const choices = [{ id: 'a', title: '10:00' }]
    const model = scriptedModel([calls(['t1', 'offer_choices', { text: 'Qual?', choices }])])
    world.use(model)
    const { conversationId } = await world.say(world.one, freshPhone(), 'amanhã')
    expect(await world.turn(world.one, conversationId)).toMatchObject({
      stopReason: 'tool_call:offer_choices',
      handoff: null,
    })
    await world.drain(world.one, conversationId)
    expect(world.channel.requests.splice(0)).toMatchObject([
      { content: { kind: 'choices', text: 'Qual?', choices } },
    ])
  })

  it.each([
    ['a bug', () => new TypeError('kaputt')],
    ['an outage', () => new InfrastructureError('db_down', 'gone')],
  ])(
    'a tool that failed by %s → the answer first, then tool_failure with the answer counted as given',
    async (_by, error) => {
      const { concluded, texts, handoffs, model, conversation } = await play([
        () => {
          database.failNextRead(error())
          return services('t1')
        },
        answers('Vou mandar conferir.'),
      ])
      expect(JSON.stringify(model.requests[1]?.messages)).toContain('"is_error":true')
      expect(concluded).toMatchObject({ status: 'completed', handoff: 'tool_failure' })
      expect(handoffs).toMatchObject([{ reason: 'tool_failure' }])
      expect(texts).toHaveLength(1)
      expect(texts[0]?.startsWith('Vou mandar conferir.')).toBe(true)
      expect(conversation.status).toBe('queued')
      const waiting = await world.db.store.read(world.one.id, (reader) =>
        reader.message.count({ where: { conversationId: conversation.id, awaitsTurn: true } }),
      )
      expect(waiting).toBe(0)
    },
  )

  it('a run whose workers died five times → model_error, without another request', async () => {
    const { conversationId } = await world.say(world.one, freshPhone(), 'oi')
    const aborted = AbortSignal.abort()
    for (let death = 0; death < 5; death += 1) {
      const input = { tenantId: world.one.id, conversationId, signal: aborted }
      await expect(world.context.assistant.runTurn(input)).rejects.toMatchObject({ code: 'run_interrupted' })
    }
    const model = scriptedModel([])
    world.use(model)
    expect(await world.turn(world.one, conversationId)).toMatchObject({
      status: 'failed',
      stopReason: 'died_too_often',
      handoff: 'model_error',
    })
    await world.drain(world.one, conversationId)
    expect(world.channel.takeTexts()).toHaveLength(1)
    expect(model.requests).toEqual([])
  })

  it('an API that stays away → the guided model answers the turn', async () => {
    const { concluded, texts } = await play([fails('unreachable')])
    expect(concluded).toMatchObject({ handoff: null })
    expect(texts).toHaveLength(1)
  })

  it('and the other tenant has none of it', async () => {
    const rest = await world.db.store.read(world.other.id, (reader) => reader.handoff.count())
    expect(rest).toBe(0)
  })
})

function truncated(id: string): ScriptLine {
  return says('max_tokens', [{ type: 'tool_use', id, name: 'list_services', input: {} }])
}

function thinking(): ScriptLine {
  return says('max_tokens', [{ type: 'thinking', thinking: 'hm', signature: 'x' }])
}

function fails(kind: 'not_allowed' | 'bad_request' | 'unreachable'): ScriptLine {
  return () => {
    throw new ModelError(kind)
  }
}
