import { addDays, isoWeekday } from '../scheduling/civil-date.ts'
import { instantToWall } from '../scheduling/time-zone.ts'
import type { Locale } from '../shared/locale.ts'
import { type HandoffProfile, teamIsBackAt } from './first-reply-clock.ts'
import { RESUME_WORD } from './resume-bot.ts'

interface NoticeWords {
  readonly open: string
  readonly back: (when: string) => string
  readonly unknown: string
  readonly resume: (word: string) => string
  readonly today: (time: string) => string
  readonly tomorrow: (time: string) => string
  readonly onWeekday: (weekday: string, time: string) => string
  readonly onDate: (weekday: string, date: string, time: string) => string
  /** Monday first, as they stand in the sentence. */
  readonly weekdays: readonly string[]
  readonly date: (day: string, month: string) => string
}

const WORDS: Readonly<Record<Locale, NoticeWords>> = {
  'pt-BR': {
    open: 'Uma pessoa da nossa equipe vai continuar o atendimento por aqui.',
    back: (when) => `Nossa equipe volta ${when} e continua o atendimento por aqui.`,
    unknown: 'Nossa equipe continua o atendimento por aqui assim que possível.',
    resume: (word) => `Se preferir seguir com o assistente, envie *${word}*.`,
    today: (time) => `hoje às ${time}`,
    tomorrow: (time) => `amanhã às ${time}`,
    onWeekday: (weekday, time) => `${weekday} às ${time}`,
    onDate: (weekday, date, time) => `${weekday}, ${date}, às ${time}`,
    weekdays: [
      'na segunda-feira',
      'na terça-feira',
      'na quarta-feira',
      'na quinta-feira',
      'na sexta-feira',
      'no sábado',
      'no domingo',
    ],
    date: (day, month) => `${day}/${month}`,
  },
  es: {
    open: 'Una persona de nuestro equipo seguirá con la atención por aquí.',
    back: (when) => `Nuestro equipo vuelve ${when} y seguirá con la atención por aquí.`,
    unknown: 'Nuestro equipo seguirá con la atención por aquí lo antes posible.',
    resume: (word) => `Si prefiere seguir con el asistente, envíe *${word}*.`,
    today: (time) => `hoy a las ${time}`,
    tomorrow: (time) => `mañana a las ${time}`,
    onWeekday: (weekday, time) => `${weekday} a las ${time}`,
    onDate: (weekday, date, time) => `${weekday}, ${date}, a las ${time}`,
    weekdays: ['el lunes', 'el martes', 'el miércoles', 'el jueves', 'el viernes', 'el sábado', 'el domingo'],
    date: (day, month) => `${day}/${month}`,
  },
  en: {
    open: 'A person from our team will continue with you here.',
    back: (when) => `Our team is back ${when} and will continue with you here.`,
    unknown: 'Our team will continue with you here as soon as possible.',
    resume: (word) => `If you would rather go on with the assistant, send *${word}*.`,
    today: (time) => `today at ${time}`,
    tomorrow: (time) => `tomorrow at ${time}`,
    onWeekday: (weekday, time) => `${weekday} at ${time}`,
    onDate: (weekday, date, time) => `${weekday}, ${date}, at ${time}`,
    weekdays: [
      'on Monday',
      'on Tuesday',
      'on Wednesday',
      'on Thursday',
      'on Friday',
      'on Saturday',
      'on Sunday',
    ],
    date: (day, month) => `${month}/${day}`,
  },
}

/**
 * The one message of a handoff: what the model said, if anything, then who answers and when, then how to go
 * on with the bot. Inside the hours of the staff a person will follow; outside them it says when they are
 * back, in the tenant's time and language. Take-overs by staff or phone say nothing at all.
 */
export function noticeText(profile: HandoffProfile, now: number, modelText?: string): string {
  const words = WORDS[profile.locale]
  const backAt = teamIsBackAt(profile, now)
  let sentence = words.open
  if (backAt === null) sentence = words.unknown
  else if (backAt > now) sentence = words.back(whenText(profile, now, backAt))
  const said = modelText?.trim() ?? ''
  const notice = `${sentence} ${words.resume(RESUME_WORD[profile.locale])}`
  return said === '' ? notice : `${said}\n\n${notice}`
}

function whenText({ timeZone, locale }: HandoffProfile, now: number, at: number): string {
  const words = WORDS[locale]
  const today = instantToWall(timeZone, now).slice(0, 10)
  const wall = instantToWall(timeZone, at)
  const date = wall.slice(0, 10)
  const time = wall.slice(11)
  if (date === today) return words.today(time)
  if (date === addDays(today, 1)) return words.tomorrow(time)
  const weekday = words.weekdays[isoWeekday(date) - 1] ?? ''
  // A week ahead "on Monday" could be taken for today's.
  if (date < addDays(today, 7)) return words.onWeekday(weekday, time)
  return words.onDate(weekday, words.date(date.slice(8, 10), date.slice(5, 7)), time)
}
