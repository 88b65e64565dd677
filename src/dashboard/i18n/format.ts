import { useMemo } from 'react'
import { useTenant } from '../auth/session.ts'
import { type UiLocale, useLocale } from './texts.ts'

/** How dates, times and money are written for whoever looks, in the tenant's time zone and currency. */
export interface Format {
  /** `14:05` */
  time(instant: string | number): string
  /** `seg., 7 de dez.` */
  day(instant: string | number): string
  /** `07/12/2026` */
  date(instant: string | number): string
  /** `segunda-feira, 7 de dezembro` */
  longDay(instant: string | number): string
  /** `7 dez., 14:05` */
  dayTime(instant: string | number): string
  /** `YYYY-MM-DD` of the tenant. */
  localDate(instant: string | number): string
  /** @param cents null reads as an empty text. */
  money(cents: number | null): string
  number(value: number, options?: Intl.NumberFormatOptions): string
}

export function useFormat(): Format {
  const { locale } = useLocale()
  const { timeZone, currency } = useTenant()
  return useMemo(() => createFormat(locale, timeZone, currency), [locale, timeZone, currency])
}

export function createFormat(locale: UiLocale, timeZone: string, currency: string): Format {
  const dates = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { timeZone, ...options })
    return (instant: string | number) => format.format(new Date(instant))
  }
  const iso = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  const money = new Intl.NumberFormat(locale, { style: 'currency', currency })
  return {
    time: dates({ hour: '2-digit', minute: '2-digit', hour12: false }),
    day: dates({ weekday: 'short', day: 'numeric', month: 'short' }),
    date: dates({ day: '2-digit', month: '2-digit', year: 'numeric' }),
    longDay: dates({ weekday: 'long', day: 'numeric', month: 'long' }),
    dayTime: dates({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hour12: false }),
    localDate: (instant) => iso.format(new Date(instant)),
    money: (cents) => (cents === null ? '' : money.format(cents / 100)),
    number: (value, options) => new Intl.NumberFormat(locale, options).format(value),
  }
}
