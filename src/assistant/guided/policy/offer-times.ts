import { addDays } from '../../../scheduling/civil-date.ts'
import { clockOf, longDay, minutesOf, shortDay } from '../texts/texts.ts'
import type { FreeTime } from '../tool-results.ts'
import type { TimeWish } from '../understand/find-time.ts'
import { type Action, type Choice, choice, MAX_CHOICES, offer } from './action.ts'
import { professionalBy, type View } from './view.ts'

export interface TimesOffer {
  date: string
  times: readonly FreeTime[]
  notes: readonly (string | null)[]
  /** The nearest to it are shown first. */
  near: number | null
  /** What the ids carry. */
  service: string
  professional: string | null
  code: string | null
}

/** A day's free times as a list, with the way to more of them and to another day. */
export function offerTimes(given: TimesOffer, view: View): Action {
  const { texts, state } = view
  const { date, service, professional, code } = given
  const starts = distinctStarts(given.times)
  const carried = { service, professional, code }
  const otherDay = choice('days', addDays(date, 1), texts.otherDay, carried)
  const all = starts.length <= MAX_CHOICES - 1
  const room = all ? MAX_CHOICES - 1 : MAX_CHOICES - 2
  const offset = all || state.offset >= starts.length ? 0 : state.offset
  const shown =
    given.near === null || all ? starts.slice(offset, offset + room) : nearest(starts, given.near, room)
  const rest = starts.length > offset + room ? offset + room : 0
  const more = all ? [] : [choice('times', `${date}~${rest}`, texts.moreTimes, carried)]
  const rows = shown.map((time) => timeChoice(time, given, view))
  return offer([...given.notes, texts.times(longDay(date, texts))], [...rows, ...more, otherDay])
}

/** Days to tap, from the first that may be asked for. */
export function offerDays(
  text: readonly (string | null)[],
  carried: { service: string; professional: string | null; code: string | null },
  view: View,
): Action {
  const { texts, state } = view
  const today = view.now.slice(0, 10)
  const first = state.daysFrom !== null && state.daysFrom > today ? state.daysFrom : today
  const rows = Array.from({ length: DAYS_SHOWN }, (_, index) => {
    const date = addDays(first, index)
    return choice('day', date, dayTitle(date, today, view), carried)
  })
  return offer(text, [...rows, choice('days', addDays(first, DAYS_SHOWN), texts.otherDay, carried)])
}

/** The free time that a wish means: an ambiguous hour takes the half of the day that has it. */
export function matchTime(times: readonly FreeTime[], wish: TimeWish): FreeTime | null {
  const at = (minutes: number) => times.find((time) => minutesOf(time.startsAt) === minutes) ?? null
  if (!wish.ambiguous) return at(wish.minutes)
  const early = at(wish.minutes)
  const late = at(wish.minutes + 12 * 60)
  return wish.minutes < EARLIEST_LIKELY ? (late ?? early) : (early ?? late)
}

/** What a wish most likely means when nothing is known of the free times. */
export function likelyMinutes(wish: TimeWish): number {
  return wish.ambiguous && wish.minutes < EARLIEST_LIKELY ? wish.minutes + 12 * 60 : wish.minutes
}

/** The times that a bound lets through; all of them for a wish that is no bound. */
export function withinBound(times: readonly FreeTime[], wish: TimeWish | null): FreeTime[] {
  if (wish === null || wish.bound === 'at') return [...times]
  const limit = likelyMinutes(wish)
  return times.filter(({ startsAt }) =>
    wish.bound === 'after' ? minutesOf(startsAt) >= limit : minutesOf(startsAt) <= limit,
  )
}

const DAYS_SHOWN = 7
/** Nobody means 3 in the night by `às 3`. */
const EARLIEST_LIKELY = 7 * 60

/** A start once: with its professional when only one is free then. */
function distinctStarts(times: readonly FreeTime[]): FreeTime[] {
  const byStart = new Map<string, FreeTime>()
  for (const time of times) {
    const known = byStart.get(time.startsAt)
    const isShared = known !== undefined && known.professional !== time.professional
    byStart.set(time.startsAt, isShared ? { ...time, professional: null } : time)
  }
  return [...byStart.values()].sort((a, b) => (a.startsAt < b.startsAt ? -1 : 1))
}

function nearest(starts: readonly FreeTime[], minutes: number, count: number): FreeTime[] {
  const distance = (time: FreeTime) => Math.abs(minutesOf(time.startsAt) - minutes)
  const chosen = new Set([...starts].sort((a, b) => distance(a) - distance(b)).slice(0, count))
  return starts.filter((time) => chosen.has(time))
}

function timeChoice(time: FreeTime, given: TimesOffer, view: View): Choice {
  const professional = time.professional ?? given.professional
  const name = professionalBy(professional, view)?.name
  const clock = clockOf(minutesOf(time.startsAt))
  const title = name === undefined ? clock : view.texts.timeWith(clock, name)
  return choice('time', time.startsAt, title, { professional, service: given.service, code: given.code })
}

function dayTitle(date: string, today: string, { texts }: View): string {
  const short = shortDay(date, texts)
  if (date === today) return `${texts.today} · ${short}`
  return date === addDays(today, 1) ? `${texts.tomorrow} · ${short}` : short
}
