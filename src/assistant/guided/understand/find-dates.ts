import { addDays, isDate, isoWeekday } from '../../../scheduling/civil-date.ts'
import { compile } from './compile.ts'
import type { Lexicon } from './lexicon-type.ts'
import { MASK, take } from './normalize.ts'

export interface DateReading {
  /** Local today, `YYYY-MM-DD`. */
  today: string
  lexicon: Lexicon
  /** `12/03` is December 3rd. */
  monthFirst: boolean
}

export interface FoundDates {
  /** `YYYY-MM-DD`, in the order of the text. */
  dates: string[]
  /** The text without them. */
  rest: string
}

interface Hit {
  index: number
  length: number
  date: string
}

type Rule = (text: string, reading: DateReading) => Hit | null

/**
 * Dates in a normalised text. Without a year the next such day counts, today included; a plain weekday that is
 * today's means the one in seven days, for today has a word of its own.
 */
export function findDates(text: string, reading: DateReading): FoundDates {
  const hits: Hit[] = []
  let rest = text
  for (const rule of RULES) {
    // A text of dates only would otherwise be work without end.
    for (let count = 0; count < 4; count += 1) {
      const hit = rule(rest, reading)
      if (hit === null) break
      hits.push(hit)
      // The mask keeps the length, so that the places of later hits compare.
      rest =
        rest.slice(0, hit.index) +
        MASK.padEnd(hit.length).slice(0, hit.length) +
        rest.slice(hit.index + hit.length)
    }
  }
  hits.sort((a, b) => a.index - b.index)
  return { dates: [...new Set(hits.map((hit) => hit.date))], rest }
}

const RULES: readonly Rule[] = [
  isoDate,
  dayAndMonthName,
  numericDate,
  relativeDay,
  inDays,
  weekday,
  nextWeek,
  dayOfMonth,
]

function isoDate(text: string): Hit | null {
  const match = /\b(\d{4}-\d{2}-\d{2})\b/.exec(text)
  return match?.[1] !== undefined && isDate(match[1]) ? hitOf(match, match[1]) : null
}

function dayAndMonthName(text: string, { lexicon, today }: DateReading): Hit | null {
  const month = lexicon.months.join('|')
  const join = `(?:(?:${lexicon.dateJoin}) )?`
  const day = '(\\d{1,2})(?:o|a|st|nd|rd|th)?'
  const year = `(?:,? ${join}(\\d{4}))?`
  const dayFirst = compile(`\\b(?:dia )?${day} ${join}(${month})\\b${year}`).exec(text)
  if (dayFirst !== null) {
    const date = resolve(today, monthNumber(dayFirst[2], lexicon), dayFirst[1], dayFirst[3])
    if (date !== null) return hitOf(dayFirst, date)
  }
  const monthFirst = compile(`\\b(?:on )?(${month}) ${join}${day}\\b(?! ?(?:[:h]|am\\b|pm\\b))${year}`).exec(
    text,
  )
  if (monthFirst === null) return null
  const date = resolve(today, monthNumber(monthFirst[1], lexicon), monthFirst[2], monthFirst[3])
  return date === null ? null : hitOf(monthFirst, date)
}

function numericDate(text: string, { today, monthFirst }: DateReading): Hit | null {
  const match = /(?<![\d/.:-])(\d{1,2})([/.-])(\d{1,2})(?:\2(\d{4}|\d{2}))?(?![\d/:h]|[.-]\d)/.exec(text)
  if (match === null) return null
  const [, first, separator, second, year] = match
  // `15.30` is a time and `1-2` a number range; only a slash makes a date of two bare numbers.
  if (
    separator !== '/' &&
    year === undefined &&
    (second?.length !== 2 || first?.length !== 2 || separator === '.')
  ) {
    return null
  }
  const fullYear = year?.length === 2 ? `20${year}` : year
  const readings = monthFirst
    ? [
        [second, first],
        [first, second],
      ]
    : [
        [first, second],
        [second, first],
      ]
  for (const [day, month] of readings) {
    const date = resolve(today, Number(month), day, fullYear)
    if (date !== null) return hitOf(match, date)
  }
  return null
}

function relativeDay(text: string, { lexicon, today }: DateReading): Hit | null {
  for (const { pattern, days } of lexicon.relativeDays) {
    const match = pattern.exec(text)
    if (match !== null) return hitOf(match, addDays(today, days))
  }
  return null
}

function inDays(text: string, { lexicon, today }: DateReading): Hit | null {
  const days = lexicon.inDays.exec(text)
  const weeks = lexicon.inWeeks.exec(text)
  const match = days ?? weeks
  if (match === null) return null
  const word = match[1] ?? ''
  const count = lexicon.numbers[word] ?? (word === 'a' ? 1 : Number(word))
  return Number.isNaN(count) ? null : hitOf(match, addDays(today, count * (days === null ? 7 : 1)))
}

function weekday(text: string, { lexicon, today }: DateReading): Hit | null {
  const { this: near, next, after, nextWeek } = lexicon.weekday
  const pattern = compile(
    `\\b(?:(?<near>${near}) |(?<next>${next}) )?(?<day>${lexicon.weekdays.join('|')})\\b` +
      `(?:,? (?:(?<nextWeek>${nextWeek})|(?<after>${after}))\\b)?`,
  )
  const match = pattern.exec(text)
  const word = match?.groups?.['day']
  if (match === null || word === undefined) return null
  const target = lexicon.weekdays.findIndex((source) => compile(`^(?:${source})$`).test(word)) + 1
  const ahead = (target - isoWeekday(today) + 7) % 7
  const { near: isNear, next: isNext, nextWeek: isNextWeek } = match.groups ?? {}
  const inNextWeek = isNextWeek !== undefined || (isNext !== undefined && lexicon.nextMeans === 'next_week')
  if (inNextWeek) return hitOf(match, addDays(mondayOfNextWeek(today), target - 1))
  return hitOf(match, addDays(today, ahead === 0 && isNear === undefined ? 7 : ahead))
}

function nextWeek(text: string, { lexicon, today }: DateReading): Hit | null {
  const match = lexicon.nextWeek.exec(text)
  return match === null ? null : hitOf(match, mondayOfNextWeek(today))
}

function dayOfMonth(text: string, { lexicon, today }: DateReading): Hit | null {
  for (const pattern of lexicon.dayOfMonth) {
    const taken = take(text, pattern)
    const date = taken === null ? null : nextDayOfMonth(today, Number(taken.match[1]))
    if (taken !== null && date !== null) return hitOf(taken.match, date)
  }
  return null
}

/** The next day with this number, today included; null when no month has it. */
export function nextDayOfMonth(today: string, day: number): string | null {
  if (!Number.isInteger(day) || day < 1 || day > 31) return null
  const [year = 0, month = 1] = today.split('-').map(Number)
  for (let ahead = 0; ahead < 13; ahead += 1) {
    const index = month - 1 + ahead
    const date = isoOf(year + Math.floor(index / 12), (index % 12) + 1, day)
    if (date !== null && date >= today) return date
  }
  return null
}

function resolve(
  today: string,
  month: number,
  day: string | undefined,
  year: string | undefined,
): string | null {
  if (year !== undefined) return isoOf(Number(year), month, Number(day))
  const thisYear = Number(today.slice(0, 4))
  // Four years on, for February 29th.
  for (let ahead = 0; ahead <= 4; ahead += 1) {
    const date = isoOf(thisYear + ahead, month, Number(day))
    if (date !== null && date >= today) return date
  }
  return null
}

function isoOf(year: number, month: number, day: number): string | null {
  const date = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
  return isDate(date) ? date : null
}

function monthNumber(word: string | undefined, lexicon: Lexicon): number {
  return lexicon.months.findIndex((source) => compile(`^(?:${source})$`).test(word ?? '')) + 1
}

function mondayOfNextWeek(today: string): string {
  return addDays(today, 8 - isoWeekday(today))
}

function hitOf(match: RegExpExecArray, date: string): Hit {
  return { index: match.index, length: match[0].length, date }
}
