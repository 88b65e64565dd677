import { type UiLocale, useLocale } from './texts.ts'

/** How the date inputs write a date in digits: a format of Day.js, which the inputs take. */
export function dateInputFormat(locale: UiLocale): string {
  return locale === 'en' ? 'MM/DD/YYYY' : 'DD/MM/YYYY'
}

export function useDateInputFormat(): string {
  return dateInputFormat(useLocale().locale)
}

/** @param date `YYYY-MM-DD`; what the field shows for it. */
export function writtenInDigits(date: string, locale: UiLocale): string {
  const [year = '', month = '', day = ''] = date.split('-')
  return (locale === 'en' ? [month, day, year] : [day, month, year]).join('/')
}
