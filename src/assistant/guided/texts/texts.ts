import { isoWeekday } from '../../../scheduling/civil-date.ts'
import { assertNever } from '../../../shared/assert-never.ts'
import type { Locale } from '../../../shared/locale.ts'
import { ENGLISH_TEXTS } from './texts-en.ts'
import { SPANISH_TEXTS } from './texts-es.ts'
import { PORTUGUESE_TEXTS } from './texts-pt.ts'
import type { Texts } from './texts-type.ts'

export type { Texts } from './texts-type.ts'

export function textsOf(locale: Locale): Texts {
  switch (locale) {
    case 'pt-BR':
      return PORTUGUESE_TEXTS
    case 'es':
      return SPANISH_TEXTS
    case 'en':
      return ENGLISH_TEXTS
    default:
      return assertNever(locale)
  }
}

/** `terça-feira, 08/12` for a date `YYYY-MM-DD`. */
export function longDay(date: string, texts: Texts): string {
  return texts.day(
    texts.weekdays[isoWeekday(date) - 1] ?? '',
    Number(date.slice(5, 7)),
    Number(date.slice(8, 10)),
  )
}

/** `ter, 08/12`: short enough for a row's title with a word before it. */
export function shortDay(date: string, texts: Texts): string {
  return texts.day(
    texts.weekdaysShort[isoWeekday(date) - 1] ?? '',
    Number(date.slice(5, 7)),
    Number(date.slice(8, 10)),
  )
}

/** `15:00` of minutes after midnight. */
export function clockOf(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}

/** Minutes after midnight of `YYYY-MM-DDTHH:MM`. */
export function minutesOf(startsAt: string): number {
  return Number(startsAt.slice(11, 13)) * 60 + Number(startsAt.slice(14, 16))
}
