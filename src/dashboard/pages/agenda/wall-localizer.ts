import { DateLocalizer, type DateLocalizerSpec } from 'react-big-calendar'
import type { UiLocale } from '../../i18n/texts.ts'

/**
 * The calendar library's arithmetic on wall times (see `wall-time.ts`). Its own localizers work in the
 * browser's zone, where an hour of the tenant's may not exist.
 */
export function createWallLocalizer(locale: UiLocale, firstDayOfWeek: number): DateLocalizer {
  const spec: DateLocalizerSpec = {
    ...comparisons(firstDayOfWeek),
    firstOfWeek: () => firstDayOfWeek,
    format: (value) => String(value),
    formats: formatsOf(locale),
    // The library asks without a date too, and takes what comes.
    startOf: (date?: Date, unit?: string) => new Date(startOf(date?.getTime() ?? 0, unit, firstDayOfWeek)),
    endOf: (date, unit) => new Date(startOf(date.getTime(), unit, firstDayOfWeek) + lengthOf(unit) - 1),
    add: (date, count, unit) => new Date(date.getTime() + count * lengthOf(unit)),
    range: (start, end, unit = 'day') => {
      const step = lengthOf(unit)
      const count = Math.max(0, Math.floor((end.getTime() - start.getTime()) / step) + 1)
      return Array.from({ length: count }, (_, index) => new Date(start.getTime() + index * step))
    },
    diff: (one, other, unit) => Math.floor((other.getTime() - one.getTime()) / lengthOf(unit)),
    ceil: (date, unit) => {
      const floor = startOf(date.getTime(), unit, firstDayOfWeek)
      return new Date(floor === date.getTime() ? floor : floor + lengthOf(unit))
    },
    merge: (date, time) =>
      new Date(startOfDay(date.getTime()) + (time.getTime() - startOfDay(time.getTime()))),
    getSlotDate: (date, minutes, offset) =>
      new Date(startOfDay(date.getTime()) + (minutes + offset) * MINUTE),
    getTimezoneOffset: () => 0,
    getDstOffset: () => 0,
    getTotalMin: (start, end) => Math.floor((end.getTime() - start.getTime()) / MINUTE),
    getMinutesFromMidnight: (date) => Math.floor((date.getTime() - startOfDay(date.getTime())) / MINUTE),
    isSameDate: (one, other) => startOfDay(one.getTime()) === startOfDay(other.getTime()),
    startAndEndAreDateOnly: () => false,
  }
  return new DateLocalizer(spec)
}

const MINUTE = 60_000
const DAY = 1_440 * MINUTE

function startOfDay(epochMs: number): number {
  return Math.floor(epochMs / DAY) * DAY
}

/** Units come in the singular and in the plural. Of the views used here none asks for months. */
function lengthOf(unit: string | undefined): number {
  switch (unit?.replace(/s$/, '')) {
    case 'week':
      return 7 * DAY
    case 'day':
    case 'date':
      return DAY
    case 'hour':
      return 60 * MINUTE
    case 'minute':
      return MINUTE
    case 'second':
      return 1_000
    default:
      return 1
  }
}

function startOf(epochMs: number, unit: string | undefined, firstDayOfWeek: number): number {
  if (unit?.startsWith('week') === true) {
    const day = startOfDay(epochMs)
    return day - ((new Date(day).getUTCDay() - firstDayOfWeek + 7) % 7) * DAY
  }
  const length = lengthOf(unit)
  return Math.floor(epochMs / length) * length
}

function comparisons(firstDayOfWeek: number) {
  const at = (date: Date, unit?: string) => startOf(date.getTime(), unit, firstDayOfWeek)
  return {
    eq: (one: Date, other: Date, unit?: string) => at(one, unit) === at(other, unit),
    neq: (one: Date, other: Date, unit?: string) => at(one, unit) !== at(other, unit),
    lt: (one: Date, other: Date, unit?: string) => at(one, unit) < at(other, unit),
    lte: (one: Date, other: Date, unit?: string) => at(one, unit) <= at(other, unit),
    gt: (one: Date, other: Date, unit?: string) => at(one, unit) > at(other, unit),
    gte: (one: Date, other: Date, unit?: string) => at(one, unit) >= at(other, unit),
    inRange: (date: Date, min: Date, max: Date, unit = 'day') =>
      at(date, unit) >= at(min, unit) && at(date, unit) <= at(max, unit),
    min: (...dates: Date[]) => new Date(Math.min(...dates.map((date) => date.getTime()))),
    max: (...dates: Date[]) => new Date(Math.max(...dates.map((date) => date.getTime()))),
    continuesPrior: (start: Date, first: Date) => start.getTime() < first.getTime(),
    continuesAfter: (_start: Date, end: Date, last: Date) => end.getTime() > last.getTime(),
  }
}

function formatsOf(locale: UiLocale): NonNullable<DateLocalizerSpec['formats']> {
  const written = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options })
    return (date: Date) => format.format(date)
  }
  const time = written({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const day = written({ weekday: 'short', day: 'numeric' })
  const longDay = written({ weekday: 'long', day: 'numeric', month: 'long' })
  const range = ({ start, end }: { start: Date; end: Date }) => `${time(start)} – ${time(end)}`
  return {
    dayFormat: day,
    weekdayFormat: written({ weekday: 'short' }),
    dayHeaderFormat: longDay,
    dayRangeHeaderFormat: ({ start, end }) => `${longDay(start)} – ${longDay(end)}`,
    timeGutterFormat: time,
    selectRangeFormat: range,
    eventTimeRangeFormat: range,
    eventTimeRangeStartFormat: ({ start }) => `${time(start)} –`,
    eventTimeRangeEndFormat: ({ end }) => `– ${time(end)}`,
  }
}
