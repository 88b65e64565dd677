import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aSalon, Dialogue, type DialogueOptions, type Salon } from '../../../test/support/guided-salon.ts'
import { LOOP_TEXTS } from '../../agent/texts.ts'
import { LOCALES } from '../../shared/locale.ts'
import { createGuidedModel } from './guided-model.ts'

const model = createGuidedModel()

function open(options: DialogueOptions = {}, salon: Partial<Salon> = {}): Dialogue {
  return new Dialogue(model, aSalon(salon), options)
}

function titles({ last }: Dialogue): string[] {
  return last.choices.map(({ title }) => title)
}

const KEPT = {
  code: 'ABC234',
  service: 'corte',
  professional: 'ana',
  starts_at: '2026-12-09T10:00',
  status: 'booked',
}

describe('changing', () => {
  it('lists the appointments', async () => {
    const dialogue = open({}, { appointments: [{ ...KEPT }] })
    await dialogue.say('meus horários')
    expect(dialogue.last.text).toContain('Corte de cabelo, quarta-feira, 09/12, às 10:00, com Ana (ABC234)')
    expect(titles(dialogue)).toContain('Remarcar')
  })

  it('asks before it cancels', async () => {
    const dialogue = open({}, { appointments: [{ ...KEPT }] })
    const asked = await dialogue.say('quero cancelar')
    expect(asked.calls.map(({ name }) => name)).not.toContain('cancel_appointment')
    await dialogue.say('não')
    expect(dialogue.salon.appointments).toHaveLength(1)
    await dialogue.say('cancelar meu horário')
    const cancelled = await dialogue.say('sim')
    expect(cancelled.text).toContain('cancelado')
    expect(dialogue.salon.appointments).toHaveLength(0)
  })

  it('asks which one when there are several, and takes the day or the code for an answer', async () => {
    const appointments = [{ ...KEPT }, { ...KEPT, code: 'XYZ789', starts_at: '2026-12-11T15:00' }]
    const dialogue = open({}, { appointments })
    await dialogue.say('cancelar')
    expect(titles(dialogue)).toEqual(['qua, 09/12 · 10:00', 'sex, 11/12 · 15:00'])
    await dialogue.say('o de sexta')
    expect(dialogue.last.choices[0]?.id).toBe('cancel:XYZ789')
    const other = open({}, { appointments })
    await other.say('cancelar')
    await other.say('abc234')
    expect(other.last.choices[0]?.id).toBe('cancel:ABC234')
  })

  it.each([
    ['pt-BR', 'remarcar para sexta às 15h', 'sim'],
    ['es', 'reprogramar mi cita para el viernes a las 15h', 'sí'],
    ['en', 'reschedule my appointment to friday at 3pm', 'yes'],
  ] as const)('%s: %s', async (locale, wish, yes) => {
    const dialogue = open({ locale }, { appointments: [{ ...KEPT }] })
    await dialogue.say(wish)
    expect(dialogue.last.choices[0]?.id).toBe('move:2026-12-11T15:00|ana|corte|ABC234')
    await dialogue.say(yes)
    expect(dialogue.salon.appointments).toMatchObject([{ code: 'ABC234', starts_at: '2026-12-11T15:00' }])
  })

  it('takes a change of mind after booking for a reschedule', async () => {
    const dialogue = open()
    await dialogue.say('corte amanhã às 15h com a Ana')
    await dialogue.tap('Sim')
    await dialogue.say('na verdade preciso mudar para sexta às 10')
    expect(dialogue.last.choices[0]?.id).toBe('move:2026-12-11T10:00|ana|corte|K2M2QP')
  })

  it('reschedules by taps', async () => {
    const dialogue = open({}, { appointments: [{ ...KEPT }] })
    await dialogue.say('remarcar')
    await dialogue.tap(3)
    await dialogue.tap('11:00 com Ana')
    await dialogue.tap('Sim')
    expect(dialogue.salon.appointments).toMatchObject([{ code: 'ABC234', starts_at: '2026-12-10T11:00' }])
  })
})

describe('people and limits', () => {
  it.each([
    ['pt-BR', 'quero falar com um atendente'],
    ['es', 'quiero hablar con una persona'],
    ['en', 'can I talk to a person?'],
  ] as const)('%s: "%s" goes to a person, with what is known', async (locale, wish) => {
    const dialogue = open({ locale })
    await dialogue.say('corte')
    const reply = await dialogue.say(wish)
    expect(reply.transferred).toBe(true)
    expect(JSON.stringify(reply.calls.at(-1)?.input)).toContain('Corte de cabelo')
  })

  it('says that it did not understand, and the second time offers a person', async () => {
    const dialogue = open()
    await dialogue.say('xyzzy plugh')
    expect(dialogue.last.text).toContain('não entendi')
    expect(titles(dialogue)).toContain('Marcar horário')
    await dialogue.say('frotz')
    expect(titles(dialogue)[0]).toBe('Falar com atendente')
    expect((await dialogue.say('sim')).transferred).toBe(true)
  })

  it('keeps the question when an answer to it is not understood', async () => {
    const dialogue = open()
    await dialogue.say('quero marcar um corte')
    await dialogue.say('xyzzy')
    expect(dialogue.last.text).toContain('não entendi')
    expect(dialogue.last.text).toContain('Para qual dia?')
  })

  it('says honestly what it cannot answer', async () => {
    const dialogue = open()
    await dialogue.say('qual é o endereço?')
    expect(dialogue.last.text).toContain('não sei responder')
  })

  it.each(['obrigado', 'tchau', 'valeu!'])('answers "%s" with a text', async (text) => {
    const reply = await open().say(text)
    expect(reply.choices).toEqual([])
    expect(reply.text).not.toBe('')
  })

  it('promises nothing when a tool is out of order', async () => {
    const dialogue = open()
    await dialogue.say('corte amanhã às 15h com a Ana')
    dialogue.salon.failNext.set('book_appointment', LOOP_TEXTS['pt-BR'].infrastructure)
    expect((await dialogue.tap('Sim')).text).toContain('Uma pessoa da equipe vai verificar')
  })

  it('says the same as numbered text when choices were refused', async () => {
    const dialogue = open()
    dialogue.salon.failNext.set('offer_choices', 'Entrada inválida.')
    const reply = await dialogue.say('oi')
    expect(reply.text).toContain('1. Marcar horário')
    await dialogue.say('1')
    expect(titles(dialogue)).toContain('Barba')
  })

  it('answers with text alone when no tool may be called', async () => {
    const response = await model.complete(
      {
        model: 'guided',
        max_tokens: 100,
        system: [],
        tools: [],
        tool_choice: { type: 'none' },
        messages: [{ role: 'user', content: [{ type: 'text', text: 'quero marcar' }] }],
      },
      { signal: AbortSignal.timeout(1000), runId: 'r', attemptIndex: 0 },
    )
    expect(response.stop_reason).toBe('end_turn')
    expect(response.content).toMatchObject([
      { type: 'text', text: expect.stringContaining('pessoa da equipe') },
    ])
  })

  it('makes ids that are unique for every run and step', async () => {
    const dialogue = open()
    for (const text of ['oi', 'oi', 'corte', 'oi', 'corte amanhã']) await dialogue.say(text)
    expect(new Set(dialogue.toolUseIds).size).toBe(dialogue.toolUseIds.length)
  })
})

it('ends every turn with an answer, whatever is written or tapped', async () => {
  const phrases = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.constantFrom(
      'sim',
      'não',
      '1',
      '2',
      'corte',
      'barba',
      'amanhã',
      'domingo',
      '15h',
      'às 10',
      'com a Ana',
      'remarcar',
      'cancelar',
      'meus horários',
      'outro dia',
      'mudar',
      'oi',
      'quero marcar',
      'de tarde',
      'Maria',
      'antes das 8h',
      'ontem',
      '01/01/2020',
      'yes',
      'no',
    ),
    fc.nat(9),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(phrases, { maxLength: 8 }),
      fc.constantFrom(...LOCALES),
      fc.boolean(),
      async (turns, locale, isKnown) => {
        const dialogue = open(
          { locale, customerName: isKnown ? 'Eva' : null },
          { appointments: [{ ...KEPT }] },
        )
        for (const turn of turns) {
          const isTap = typeof turn === 'number' && turn < dialogue.last.choices.length
          const reply = isTap ? await dialogue.tap(turn) : await dialogue.say(String(turn))
          expect(reply.transferred || reply.text !== '').toBe(true)
        }
      },
    ),
    { numRuns: 150 },
  )
}, 30_000)
