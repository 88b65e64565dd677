import { compile } from './compile.ts'
import type { Lexicon } from './lexicon-type.ts'
import { MASK, take } from './normalize.ts'

export type Period = 'morning' | 'afternoon' | 'evening'

export interface TimeWish {
  /** Minutes after midnight. */
  minutes: number
  /** `3` may be 03:00 or 15:00: what is free decides. */
  ambiguous: boolean
  /** `after` and `before` filter what is offered, `at` chooses. */
  bound: 'at' | 'after' | 'before'
}

/** The text in which each part of the day is one letter after `§`: `m`, `a`, `e`. */
export function markPeriods(text: string, lexicon: Lexicon): string {
  let marked = text
  for (const [letter, period] of PERIODS) {
    const pattern = lexicon.periods[period]
    for (let count = 0; count < 3; count += 1) {
      const match = pattern.exec(marked)
      if (match === null) break
      marked = `${marked.slice(0, match.index)}§${letter} ${marked.slice(match.index + match[0].length)}`
    }
  }
  return marked.replace(/ +/g, ' ')
}

export interface FoundTime {
  time: TimeWish | null
  period: Period | null
  rest: string
}

/** Time of day and part of the day in a text that `markPeriods` has gone over. */
export function findTime(text: string, lexicon: Lexicon): FoundTime {
  const period = PERIODS.find(([letter]) => text.includes(`§${letter}`))?.[1] ?? null
  const found = readClock(text, lexicon)
  if (found === null) return { time: null, period, rest: dropMarks(text) }
  const { hour, minutes, half } = found
  const resolved = resolveHour(hour, half, period, minutes)
  if (resolved === null) return { time: null, period, rest: dropMarks(text) }
  const total = (((resolved.hour * 60 + minutes) % 1440) + 1440) % 1440
  return {
    time: { minutes: total, ambiguous: resolved.ambiguous, bound: found.bound },
    // With an exact time the part of the day has done its work; with a bound it still filters.
    period: found.bound === 'at' ? null : period,
    rest: dropMarks(found.rest),
  }
}

const PERIODS: readonly (readonly [string, Period])[] = [
  ['m', 'morning'],
  ['a', 'afternoon'],
  ['e', 'evening'],
]

interface Clock {
  hour: number
  minutes: number
  /** `am`, `pm`, or null when nobody said. */
  half: 'am' | 'pm' | null
  bound: TimeWish['bound']
  rest: string
}

function readClock(text: string, lexicon: Lexicon): Clock | null {
  const { clock, numbers } = lexicon
  const number = `\\d{1,2}|${Object.keys(numbers).join('|')}`
  const sources = (list: readonly { source: string }[]) => list.map(({ source }) => source).join('|')
  const half = '(?: ?(?<half>[ap]\\.? ?m\\b\\.?))?'
  const at = `(?:\\b(?:${clock.at}) )?`
  const suffix = `(?<suffix>${sources(clock.suffixes)})`
  const prefix = `(?<prefix>${sources(clock.prefixes)})`
  const patterns = [
    `${at}${prefix}(?<hour>${number})\\b${half}`,
    `${at}(?<![\\d:/])(?<hour>\\d{1,2}) ?(?::|h|\\.) ?(?<minutes>[0-5]\\d)(?:h|hs|min)?(?![\\d/:])${half}`,
    `${at}\\b(?<hour>${number})(?: ?(?:${clock.unit}))? ${suffix}\\b${half}`,
    `${at}(?<![\\d:/])\\b(?<hour>${number}) ?(?<half>[ap]\\.? ?m\\b\\.?)`,
    `${at}\\b(?<hour>${number}) ?(?:${clock.unit})\\b${half}`,
    `\\b(?:${clock.at}) (?<hour>${number})\\b(?![/:])`,
    `\\b(?:${clock.after}|${clock.before}) (?<hour>${number})\\b(?![/:])`,
    `\\b(?<hour>${number}),? (?=§)`,
    `§. (?:\\w{1,3} )?(?<hour>${number})\\b(?![/:])`,
  ]
  const twelve = readTwelve(text, lexicon)
  if (twelve !== null) return twelve
  for (const source of patterns) {
    const taken = take(text, compile(source))
    if (taken === null) continue
    const groups = taken.match.groups ?? {}
    const hour = numbers[groups['hour'] ?? ''] ?? Number(groups['hour'])
    const minutes = groups['minutes'] === undefined ? 0 : Number(groups['minutes'])
    if (!(hour >= 0 && hour <= 24)) continue
    const extra = [...clock.suffixes, ...clock.prefixes].find(({ source: words }) =>
      compile(`^(?:${words})$`).test(groups['suffix'] ?? groups['prefix'] ?? ''),
    )
    return {
      hour,
      minutes: minutes + (extra?.minutes ?? 0),
      half: halfOf(groups['half']),
      bound: boundOf(text, taken.match, lexicon),
      rest: keepMarks(taken.match[0], taken.rest),
    }
  }
  return null
}

/** Noon and midnight, with what is added to them (`meio-dia e meia`). */
function readTwelve(text: string, lexicon: Lexicon): Clock | null {
  const { noon, midnight, suffixes } = lexicon.clock
  for (const [pattern, hour] of [
    [noon, 12],
    [midnight, 0],
  ] as const) {
    const taken = take(text, pattern)
    if (taken === null) continue
    const after = text.slice(taken.match.index + taken.match[0].length)
    const extra = suffixes.find(({ source }) => compile(`^ (?:${source})\\b`).test(after))
    const half = hour === 12 ? 'pm' : 'am'
    return {
      hour: 12,
      minutes: extra?.minutes ?? 0,
      half,
      bound: boundOf(text, taken.match, lexicon),
      rest: taken.rest,
    }
  }
  return null
}

function boundOf(text: string, match: RegExpExecArray, lexicon: Lexicon): TimeWish['bound'] {
  const { after, before } = lexicon.clock
  const head = `${text.slice(0, match.index)}${match[0]}`.slice(-40)
  const words = `(?:\\b\\w{1,3} ){0,2}\\S*${' ?(?:§. )?'}$`
  const near = compile(`\\b(?:(?<after>${after})|(?<before>${before})) ${words}`)
  const found = near.exec(head)?.groups
  if (found?.['after'] !== undefined) return 'after'
  return found?.['before'] !== undefined ? 'before' : 'at'
}

function resolveHour(
  hour: number,
  half: 'am' | 'pm' | null,
  period: Period | null,
  minutes: number,
): { hour: number; ambiguous: boolean } | null {
  if (hour === 24) return { hour: 0, ambiguous: false }
  if (hour > 12 || hour === 0) return { hour, ambiguous: false }
  if (half !== null) return { hour: (hour % 12) + (half === 'pm' ? 12 : 0), ambiguous: false }
  // A quarter to twelve in the morning is before noon, twelve in the morning midnight.
  if (period === 'morning') return { hour: hour === 12 && minutes >= 0 ? 0 : hour, ambiguous: false }
  if (period === 'afternoon') return { hour: (hour % 12) + 12, ambiguous: false }
  // Twelve at night is midnight.
  if (period === 'evening') return { hour: hour === 12 ? 0 : hour + 12, ambiguous: false }
  return { hour, ambiguous: hour < 12 }
}

function halfOf(word: string | undefined): 'am' | 'pm' | null {
  if (word === undefined) return null
  return word.startsWith('p') ? 'pm' : 'am'
}

function keepMarks(taken: string, rest: string): string {
  const marks = taken.match(/§./g)?.join(' ') ?? ''
  return marks === '' ? rest : `${rest} ${marks}`
}

function dropMarks(text: string): string {
  return text.replace(/§./g, MASK).replace(/ +/g, ' ')
}
