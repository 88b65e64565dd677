import { describe, expect, it } from 'vitest'
import { aSalon, Dialogue, type DialogueOptions, type Salon } from '../../../test/support/guided-salon.ts'
import { domainTexts } from '../../booking/domain-texts.ts'
import { createGuidedModel } from './guided-model.ts'

const model = createGuidedModel()

function open(options: DialogueOptions = {}, salon: Partial<Salon> = {}): Dialogue {
  return new Dialogue(model, aSalon(salon), options)
}

function titles({ last }: Dialogue): string[] {
  return last.choices.map(({ title }) => title)
}

describe('booking', () => {
  it('greets as an automatic menu and books by taps alone', async () => {
    const dialogue = open()
    const greeting = await dialogue.say('oi')
    expect(greeting.text).toContain('menu automático')
    expect(titles(dialogue)).toEqual(['Marcar horário', 'Meus horários', 'Falar com atendente'])
    await dialogue.tap('Marcar horário')
    expect(titles(dialogue)).toEqual(['Corte de cabelo', 'Barba'])
    await dialogue.tap('Corte de cabelo')
    expect(titles(dialogue).slice(0, 3)).toEqual(['Hoje · seg, 07/12', 'Amanhã · ter, 08/12', 'qua, 09/12'])
    await dialogue.tap(1)
    expect(titles(dialogue)).toContain('15:00 com Ana')
    const confirmation = await dialogue.tap('15:00 com Ana')
    expect(confirmation.text).toContain('terça-feira, 08/12, às 15:00')
    expect(titles(dialogue)).toEqual(['Sim', 'Não'])
    const booked = await dialogue.tap('Sim')
    expect(booked.calls).toEqual([
      {
        name: 'book_appointment',
        isError: false,
        input: { service: 'corte', professional: 'ana', starts_at: '2026-12-08T15:00' },
      },
    ])
    expect(booked.text).toBe(
      'Pronto, está marcado!\n\nCorte de cabelo\nterça-feira, 08/12, às 15:00\ncom Ana\nR$ 80,00\nCódigo: *K2M2QP*',
    )
  })

  it.each([
    ['pt-BR', 'quero marcar corte amanhã às 15h com a Ana', 'sim'],
    ['pt-BR', 'bom dia! queria agendar um corte com Ana, amanha, 3 da tarde', 'pode ser'],
    ['pt-BR', 'cortar cabelo amanhã 15:00 com a anna', '1'],
    ['es', 'quiero reservar un corte mañana a las 15h con Ana', 'sí'],
    ['es', 'Hola, corte mañana a las 3 de la tarde con ana', 'dale'],
    ['en', 'I want to book a corte tomorrow at 3pm with Ana', 'yes please'],
    ['en', 'corte tomorrow 15:00 with ana', 'That works for me'],
    ['pt-BR', 'I want to book a corte tomorrow at 3pm with Ana', 'Sim'],
  ] as const)('%s: takes everything in one message: %s', async (locale, wish, yes) => {
    const dialogue = open({ locale })
    const confirmation = await dialogue.say(wish)
    expect(confirmation.calls.map(({ name }) => name)).toEqual([
      'list_services',
      'list_available_times',
      'offer_choices',
    ])
    expect(confirmation.choices[0]?.id).toBe('book:2026-12-08T15:00|ana|corte')
    const booked = await dialogue.say(yes)
    expect(booked.calls.map(({ name }) => name)).toEqual(['book_appointment'])
    expect(dialogue.salon.appointments).toMatchObject([
      { service: 'corte', professional: 'ana', starts_at: '2026-12-08T15:00' },
    ])
    expect(booked.text).toContain('K2M2QP')
  })

  it('takes it in any order, a piece at a time', async () => {
    const dialogue = open()
    await dialogue.say('amanhã às 10')
    await dialogue.say('barba')
    expect(dialogue.last.choices[0]?.id).toBe('book:2026-12-08T10:00|bia|barba')
    await dialogue.say('não')
    expect(titles(dialogue)).toEqual(['Outro horário', 'Outro dia', 'Outro serviço', 'Não marcar'])
    await dialogue.say('melhor na sexta')
    expect(dialogue.last.choices[0]?.id).toBe('book:2026-12-11T10:00|bia|barba')
    await dialogue.say('não, às 16h30')
    expect(dialogue.last.choices[0]?.id).toBe('book:2026-12-11T16:30|bia|barba')
    await dialogue.say('isso')
    expect(dialogue.salon.appointments).toHaveLength(1)
  })

  it('understands numbers, ordinals and bare hours as answers', async () => {
    const dialogue = open()
    await dialogue.say('quero marcar')
    await dialogue.say('a segunda')
    await dialogue.say('dia 12')
    expect(dialogue.last.text).toContain('sábado, 12/12')
    await dialogue.say('10')
    expect(dialogue.last.choices[0]?.id).toBe('book:2026-12-12T10:00|bia|barba')
  })

  it('asks for a name when it knows none, and books for it', async () => {
    const dialogue = open({ customerName: null })
    const asked = await dialogue.say('corte amanhã às 15h com a Ana')
    expect(asked.text).toBe('Qual é o seu nome, por favor?')
    await dialogue.say('meu nome é João da Silva')
    expect(dialogue.last.text).toContain('em nome de João da Silva')
    const booked = await dialogue.tap('Sim')
    expect(booked.calls[0]?.input).toMatchObject({ for_name: 'João da Silva' })
  })

  it('offers the nearest other times for one that is not free', async () => {
    const dialogue = open({}, { taken: new Set(['2026-12-08T15:00|ana']) })
    await dialogue.say('corte amanhã às 15h com a Ana')
    expect(dialogue.last.text).toContain('Às 15:00 não há horário livre')
    expect(titles(dialogue)).toContain('14:00 com Ana')
  })

  it('offers other times when one is taken between the question and the yes', async () => {
    const dialogue = open()
    await dialogue.say('corte amanhã às 15h com a Ana')
    dialogue.salon.taken.add('2026-12-08T15:00|ana')
    const reply = await dialogue.tap('Sim')
    expect(reply.calls.map(({ name }) => name)).toEqual([
      'book_appointment',
      'list_available_times',
      'offer_choices',
    ])
    expect(reply.text).toContain('acabou de ser ocupado')
    await dialogue.tap('14:00 com Ana')
    await dialogue.tap('Sim')
    expect(dialogue.salon.appointments).toMatchObject([{ starts_at: '2026-12-08T14:00' }])
  })

  it('reads refusals that come as plain text of the tools', async () => {
    const dialogue = open()
    const { message, suggestion } = domainTexts('pt-BR').closedThatDay(
      '2026-12-08',
      'exception',
      '2026-12-10',
    )
    dialogue.salon.failNext.set('list_available_times', `${message} ${suggestion}`)
    await dialogue.say('corte amanhã')
    expect(dialogue.last.text).toContain('Horários livres em quinta-feira, 10/12')
    await dialogue.tap(0)
    dialogue.salon.failNext.set('book_appointment', domainTexts('pt-BR').limitReached(3, 'ABC234').message)
    await dialogue.tap('Sim')
    expect(dialogue.last.text).toContain('máximo de horários')
  })

  it('goes on to the next date that has a time, and says so', async () => {
    const dialogue = open()
    await dialogue.say('corte no domingo de manhã')
    expect(dialogue.last.text).toContain('Não há horário livre em domingo, 13/12')
    expect(dialogue.last.text).toContain('Horários livres em segunda-feira, 14/12')
  })

  it('filters by part of the day and by bounds', async () => {
    const dialogue = open()
    await dialogue.say('tem horário para corte amanhã à tarde?')
    expect(titles(dialogue)).toEqual(['14:00 com Ana', '15:00 com Ana', '16:30 com Ana', 'Outro dia'])
    await dialogue.say('depois das 15h')
    expect(titles(dialogue)).toEqual(['15:00 com Ana', '16:30 com Ana', 'Outro dia'])
  })

  it('says who does not do a service and goes on with who does', async () => {
    const dialogue = open()
    await dialogue.say('barba amanhã com a Ana')
    expect(dialogue.last.text).toContain('Ana não faz Barba')
    expect(titles(dialogue)).toContain('09:00 com Bianca')
  })

  it('pages through more times and more services than a list holds', async () => {
    const times = Array.from(
      { length: 22 },
      (_, index) => `${String(8 + Math.floor(index / 2)).padStart(2, '0')}:${index % 2 ? '30' : '00'}`,
    )
    const services = Array.from({ length: 14 }, (_, index) => ({
      key: `s${index}`,
      name: `Tratamento capilar completo ${index}`,
      minutes: 30,
      price: null,
      professionals: [{ key: 'ana', name: 'Ana' }],
    }))
    const dialogue = open({}, { times, services })
    await dialogue.say('quero marcar')
    expect(titles(dialogue)).toHaveLength(10)
    expect(new Set(titles(dialogue)).size).toBe(10)
    await dialogue.tap('Mais serviços')
    await dialogue.tap(4)
    await dialogue.say('amanhã')
    const seen = titles(dialogue).slice(0, 8)
    await dialogue.tap('Mais horários')
    seen.push(...titles(dialogue).slice(0, 8))
    await dialogue.tap('Mais horários')
    seen.push(...titles(dialogue).slice(0, -2))
    expect(new Set(seen).size).toBe(22)
    await dialogue.tap('Outro dia')
    expect(titles(dialogue)[0]).toBe('qua, 09/12')
  })

  it('takes a yes with a question behind it for a yes', async () => {
    const dialogue = open({ locale: 'en' })
    await dialogue.say('barba tomorrow at 10')
    await dialogue.say('Yes that works, is the barba any good?')
    expect(dialogue.salon.appointments).toHaveLength(1)
  })

  it('tells the price in the middle of a booking and goes on', async () => {
    const dialogue = open()
    await dialogue.say('quero marcar um corte')
    await dialogue.say('quanto custa?')
    expect(dialogue.last.text).toContain('Corte de cabelo · 45 min · R$ 80,00')
    expect(dialogue.last.text).toContain('Para qual dia?')
  })

  it('does not take a thanks for a yes, nor lets the booking fall', async () => {
    const dialogue = open()
    await dialogue.say('corte amanhã às 15h com a Ana')
    await dialogue.say('obrigada')
    expect(dialogue.last.text).toContain('Posso marcar?')
    expect(dialogue.salon.appointments).toHaveLength(0)
  })

  it('books a tapped confirmation although the history before it is gone', async () => {
    const dialogue = open()
    await dialogue.say('corte amanhã às 15h com a Ana')
    const yes = dialogue.last.choices[0]
    const later = open({}, {})
    later.last = { ...dialogue.last }
    const booked = await later.tap(yes?.title ?? '')
    expect(booked.calls.at(-1)).toMatchObject({ name: 'book_appointment', isError: false })
  })
})
