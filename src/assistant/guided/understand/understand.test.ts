import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LOCALES, type Locale } from '../../../shared/locale.ts'
import { choiceNumber } from './choice-number.ts'
import { findProfessional, findServices } from './find-names.ts'
import { lexiconOf } from './lexicon.ts'
import { understand } from './understand.ts'

/** A Monday. */
const TODAY = '2026-12-07'

function read(locale: Locale, text: string) {
  return understand(text, { lexicon: lexiconOf(locale), today: TODAY, monthFirst: false })
}

describe('dates', () => {
  it.each<[Locale, string, string]>([
    ['pt-BR', 'hoje', '2026-12-07'],
    ['pt-BR', 'amanhã', '2026-12-08'],
    ['pt-BR', 'amanha de manha', '2026-12-08'],
    ['pt-BR', 'depois de amanhã', '2026-12-09'],
    ['pt-BR', 'sexta', '2026-12-11'],
    ['pt-BR', 'sexta-feira à tarde', '2026-12-11'],
    ['pt-BR', 'sexta que vem', '2026-12-11'],
    ['pt-BR', 'na próxima sexta', '2026-12-11'],
    ['pt-BR', 'sexta da semana que vem', '2026-12-18'],
    ['pt-BR', 'segunda', '2026-12-14'],
    ['pt-BR', '6ª feira', '2026-12-11'],
    ['pt-BR', 'sábado', '2026-12-12'],
    ['pt-BR', 'semana que vem', '2026-12-14'],
    ['pt-BR', 'dia 12', '2026-12-12'],
    ['pt-BR', 'dia 5', '2027-01-05'],
    ['pt-BR', '12/03', '2027-03-12'],
    ['pt-BR', '12/12', '2026-12-12'],
    ['pt-BR', '12/12/2026', '2026-12-12'],
    ['pt-BR', '12/12/26 às 15h', '2026-12-12'],
    ['pt-BR', '12 de março', '2027-03-12'],
    ['pt-BR', 'dia 1º de janeiro', '2027-01-01'],
    ['pt-BR', 'daqui a 3 dias', '2026-12-10'],
    ['pt-BR', 'daqui a duas semanas', '2026-12-21'],
    ['es', 'hoy', '2026-12-07'],
    ['es', 'mañana', '2026-12-08'],
    ['es', 'mañana por la mañana', '2026-12-08'],
    ['es', 'pasado mañana', '2026-12-09'],
    ['es', 'viernes', '2026-12-11'],
    ['es', 'el viernes que viene', '2026-12-11'],
    ['es', 'miércoles', '2026-12-09'],
    ['es', 'el viernes de la semana que viene', '2026-12-18'],
    ['es', 'el 12', '2026-12-12'],
    ['es', 'el día 12', '2026-12-12'],
    ['es', '12 de marzo', '2027-03-12'],
    ['en', 'today', '2026-12-07'],
    ['en', 'tomorrow', '2026-12-08'],
    ['en', 'the day after tomorrow', '2026-12-09'],
    ['en', 'friday', '2026-12-11'],
    ['en', 'this friday', '2026-12-11'],
    ['en', 'next friday', '2026-12-18'],
    ['en', 'Thursday next week', '2026-12-17'],
    ['en', 'on the 12th', '2026-12-12'],
    ['en', '12th of this month', '2026-12-12'],
    ['en', 'March 12th', '2027-03-12'],
    ['en', 'the 12th of March', '2027-03-12'],
    ['en', 'this evening', '2026-12-07'],
    ['en', '2026-12-30', '2026-12-30'],
  ])('%s: %s is %s', (locale, text, date) => {
    expect(read(locale, text).dates).toEqual([date])
  })

  it('reads month and day in the order of the place', () => {
    const lexicon = lexiconOf('en')
    expect(understand('12/03', { lexicon, today: '2026-01-01', monthFirst: true }).dates).toEqual([
      '2026-12-03',
    ])
    expect(understand('25/03', { lexicon, today: '2026-01-01', monthFirst: true }).dates).toEqual([
      '2026-03-25',
    ])
  })

  it('keeps the order of several', () => {
    expect(read('pt-BR', 'remarcar o de amanhã para sexta').dates).toEqual(['2026-12-08', '2026-12-11'])
  })
})

describe('times', () => {
  it.each<[Locale, string, string]>([
    ['pt-BR', 'às 15h', '15:00'],
    ['pt-BR', '15h30', '15:30'],
    ['pt-BR', '15:30', '15:30'],
    ['pt-BR', '15.30', '15:30'],
    ['pt-BR', '15 h', '15:00'],
    ['pt-BR', '15hs', '15:00'],
    ['pt-BR', 'as 15 horas', '15:00'],
    ['pt-BR', '3 da tarde', '15:00'],
    ['pt-BR', 'três da tarde', '15:00'],
    ['pt-BR', '3 e meia da tarde', '15:30'],
    ['pt-BR', 'às 8 da noite', '20:00'],
    ['pt-BR', '9 da manhã', '09:00'],
    ['pt-BR', 'meio-dia', '12:00'],
    ['pt-BR', 'meio dia e meia', '12:30'],
    ['pt-BR', 'amanhã às 15h com a Ana', '15:00'],
    ['pt-BR', '12/12 às 10h', '10:00?'],
    ['pt-BR', 'às 3', '03:00?'],
    ['pt-BR', 'às nove', '09:00?'],
    ['pt-BR', 'depois das 15h', '15:00>'],
    ['pt-BR', 'a partir das 14h', '14:00>'],
    ['pt-BR', 'antes das 11h', '11:00?<'],
    ['es', 'a las 15h', '15:00'],
    ['es', 'a las 3 de la tarde', '15:00'],
    ['es', 'a las 3 y media de la tarde', '15:30'],
    ['es', 'a las cinco menos cuarto de la tarde', '16:45'],
    ['es', '11 de la mañana', '11:00'],
    ['es', 'mediodía', '12:00'],
    ['es', 'después de las 16', '16:00>'],
    ['en', '3pm', '15:00'],
    ['en', '3 p.m.', '15:00'],
    ['en', '3:30 pm', '15:30'],
    ['en', '15:00', '15:00'],
    ['en', 'at 3', '03:00?'],
    ['en', 'noon', '12:00'],
    ['en', 'eleven in the morning', '11:00'],
    ['en', 'half past 1 in the afternoon', '13:30'],
    ['en', 'a quarter to 6 in the evening', '17:45'],
    ['en', 'evening 5:30', '17:30'],
    ['en', 'morning 10', '10:00'],
    ['en', 'afternoon 3:45 on the 13th', '15:45'],
    ['en', '12 am', '00:00'],
    ['en', 'quarter to 12 in the morning', '11:45'],
    ['en', 'two pm', '14:00'],
    ['en', 'after 3pm', '15:00>'],
  ])('%s: %s is %s', (locale, text, expected) => {
    const { time } = read(locale, text)
    const clock = time === null ? '' : new Date(time.minutes * 60_000).toISOString().slice(11, 16)
    const bound = { at: '', after: '>', before: '<' }[time?.bound ?? 'at']
    expect(`${clock}${time?.ambiguous ? '?' : ''}${bound}`).toBe(expected)
  })

  it.each<[Locale, string, string | null]>([
    ['pt-BR', 'de manhã', 'morning'],
    ['pt-BR', 'amanhã de manhã', 'morning'],
    ['pt-BR', 'à tarde', 'afternoon'],
    ['pt-BR', 'hoje à noite', 'evening'],
    ['pt-BR', 'boa tarde', null],
    ['pt-BR', 'bom dia, quero marcar amanhã', null],
    ['pt-BR', 'mais tarde', null],
    ['es', 'mañana', null],
    ['es', 'mañana por la mañana', 'morning'],
    ['es', 'buenas tardes', null],
    ['es', 'por la noche', 'evening'],
    ['en', 'tomorrow afternoon', 'afternoon'],
    ['en', 'good morning', null],
    ['en', 'tonight', 'evening'],
  ])('%s: the part of the day in "%s" is %s', (locale, text, period) => {
    expect(read(locale, text).period).toBe(period)
  })
})

describe('intents', () => {
  it.each<[Locale, string, string | null]>([
    ['pt-BR', 'quero marcar corte amanhã às 15h com a Ana', 'book'],
    ['pt-BR', 'Quero agendar', 'book'],
    ['pt-BR', 'queria um horário', 'book'],
    ['pt-BR', 'tem horário amanhã?', 'availability'],
    ['pt-BR', 'tem algum horário livre?', 'availability'],
    ['pt-BR', 'meus horários', 'my_appointments'],
    ['pt-BR', 'o que tenho marcado?', 'my_appointments'],
    ['pt-BR', 'remarcar', 'reschedule'],
    ['pt-BR', 'preciso remarcar minha consulta', 'reschedule'],
    ['pt-BR', 'cancelar meu horário', 'cancel'],
    ['pt-BR', 'quero desmarcar', 'cancel'],
    ['pt-BR', 'não quero cancelar, quero remarcar', 'reschedule'],
    ['pt-BR', 'falar com atendente', 'human'],
    ['pt-BR', 'quero falar com uma pessoa', 'human'],
    ['pt-BR', 'marcar para outra pessoa', 'book'],
    ['pt-BR', 'quais os serviços?', 'services'],
    ['pt-BR', 'quanto custa o corte?', 'services'],
    ['pt-BR', 'menu', 'menu'],
    ['pt-BR', 'abacaxi', null],
    ['es', 'quiero reservar un corte', 'book'],
    ['es', 'mis citas', 'my_appointments'],
    ['es', 'reprogramar', 'reschedule'],
    ['es', 'cancelar mi cita', 'cancel'],
    ['es', 'hablar con una persona', 'human'],
    ['es', '¿hay hora mañana?', 'availability'],
    ['en', 'I want to book a haircut', 'book'],
    ['en', 'my appointments', 'my_appointments'],
    ['en', 'reschedule my appointment', 'reschedule'],
    ['en', 'cancel my booking', 'cancel'],
    ['en', 'talk to a person', 'human'],
    ['en', 'are there any openings tomorrow?', 'availability'],
  ])('%s: %s is %s', (locale, text, intent) => {
    expect(read(locale, text).intent).toBe(intent)
  })

  it.each<[Locale, string, string | null]>([
    ['pt-BR', 'sim', 'yes'],
    ['pt-BR', 'Pode ser!', 'yes'],
    ['pt-BR', '👍', 'yes'],
    ['pt-BR', 'não', 'no'],
    ['pt-BR', 'não, às 16h', 'no'],
    ['es', 'sí, claro', 'yes'],
    ['es', 'dale', 'yes'],
    ['en', "Yes, that's right.", 'yes'],
    ['en', 'That works for me', 'yes'],
    ['en', 'nope', 'no'],
    ['en', 'something else', null],
  ])('%s: %s answers %s', (locale, text, answer) => {
    expect(read(locale, text).answer).toBe(answer)
  })
})

describe('options', () => {
  it.each<[Locale, string, number | null]>([
    ['pt-BR', '1', 1],
    ['pt-BR', '2.', 2],
    ['pt-BR', 'a segunda', 2],
    ['pt-BR', '2ª opção', 2],
    ['pt-BR', 'opção 3', 3],
    ['pt-BR', 'quero a primeira', 1],
    ['pt-BR', 'a última', 4],
    ['pt-BR', '9', null],
    ['pt-BR', 'segunda às 15h', null],
    ['es', 'la segunda', 2],
    ['es', 'opción 2', 2],
    ['en', 'the second one', 2],
    ['en', 'two', 2],
    ['en', 'option 3', 3],
    ['en', 'at 3', null],
  ])('%s: %s is %s of 4', (locale, text, number) => {
    expect(choiceNumber(text, { count: 4, weekdays: false, lexicon: lexiconOf(locale) })).toBe(number)
  })

  it('takes a weekday for a weekday where days are meant', () => {
    const lexicon = lexiconOf('pt-BR')
    expect(choiceNumber('segunda', { count: 4, weekdays: true, lexicon })).toBeNull()
    expect(choiceNumber('segunda opção', { count: 4, weekdays: true, lexicon })).toBe(2)
  })
})

describe('names', () => {
  const services = ['Corte de cabelo', 'Corte e barba', 'Manicure', 'Pé e mão'].map((name) => ({
    key: name,
    name,
  }))
  const professionals = ['Ana', 'João Pedro', 'Dra. Marta'].map((name) => ({ key: name, name }))

  it.each<[string, string[]]>([
    ['quero manicure', ['Manicure']],
    ['manicura', ['Manicure']],
    ['corte e barba', ['Corte e barba']],
    ['corte', ['Corte de cabelo', 'Corte e barba']],
    ['cortar o cabelo', ['Corte de cabelo']],
    ['pe e mao', ['Pé e mão']],
    ['nada disso', []],
  ])('services in "%s"', (text, expected) => {
    expect(findServices(text, services, lexiconOf('pt-BR')).map(({ name }) => name)).toEqual(expected)
  })

  it.each<[string, string | null]>([
    ['com a ana', 'Ana'],
    ['com a anna', 'Ana'],
    ['joao', 'João Pedro'],
    ['com o joao', 'João Pedro'],
    ['com a doutora marta', 'Dra. Marta'],
    ['marca pra mim', null],
    ['com alguem', null],
  ])('the professional in "%s" is %s', (text, expected) => {
    expect(findProfessional(text, professionals, lexiconOf('pt-BR'))?.name ?? null).toBe(expected)
  })
})

it('never throws, whatever the text', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.constantFrom(...LOCALES),
      (text, locale) => {
        const { dates, time } = read(locale, text)
        for (const date of dates) expect(date).toMatch(/^\d{4}-\d{2}-\d{2}$/)
        if (time !== null) expect(time.minutes).toBeLessThan(1440)
        choiceNumber(text, { count: 5, weekdays: true, lexicon: lexiconOf(locale) })
      },
    ),
  )
})
