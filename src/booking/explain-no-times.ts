import { addDays } from '../scheduling/civil-date.ts'
import { exceptionOn, expandShifts } from '../scheduling/expand-shifts.ts'
import { findSlots } from '../scheduling/find-slots.ts'
import { localDate, startOfDay } from '../scheduling/time-zone.ts'
import type { DomainError } from '../shared/app-error.ts'
import type { BlockedTimes } from './blocked-time.ts'
import { domainTexts } from './domain-texts.ts'
import { bookingError } from './errors.ts'
import {
  describeRefusal,
  nameOffers,
  nearestOffers,
  nextDateFor,
  type Refused,
  type Wish,
} from './explain-refusal.ts'
import { isInPeriod } from './period.ts'
import { slotQuestion } from './setting.ts'
import type { Period } from './types.ts'

/** Why a local date (or a part of it) has no free start, with the nearest ones and the next date with one. */
export function explainNoTimes(
  wish: Wish,
  date: string,
  period: Period | undefined,
  blocked: BlockedTimes,
): DomainError {
  const { profile, now } = wish.setting
  const today = localDate(profile.timeZone, now)
  if (date < today) return describeRefusal(wish, blocked, [], 'in_the_past')
  if (wish.limits === 'customer' && date > addDays(today, profile.policy.maxAdvanceDays)) {
    return describeRefusal(wish, blocked, [], 'too_far')
  }
  if (hasStarts(wish, date, period, now)) {
    const nearest = nearestOffers(wish, blocked)
    const nextDate = nextDateFor(wish, blocked, date)
    const text = domainTexts(profile.locale).dayFull(date, nameOffers(nearest), nextDate)
    return bookingError('time_taken', text, { date, nearest, nextDate })
  }
  // As if it were asked long before the day: what is left then is only in the way of the notice.
  if (hasStarts(wish, date, period, startOfDay(profile.timeZone, today) - 1)) {
    return describeRefusal(wish, blocked, [], 'too_soon')
  }
  const refused = wish.candidates.map((candidate) => refusalOf(candidate, wish, date))
  const isClosed = refused.every(({ refusal }) => refusal.reason === 'closed_that_day')
  return describeRefusal(wish, blocked, refused, isClosed ? 'closed_that_day' : 'outside_hours')
}

/** Whether the date would have a start if nothing were booked and it were `now`. */
function hasStarts(wish: Wish, date: string, period: Period | undefined, now: number): boolean {
  const { setting, service, candidates } = wish
  const isReal = now === setting.now
  const limits = isReal ? wish.limits : 'staff'
  return candidates.some((candidate) => {
    const question = { ...slotQuestion(setting, service, candidate, []), now, limits }
    return findSlots({ ...question, fromDate: date, toDate: date }).some(({ start }) =>
      isInPeriod(setting.profile.timeZone, start, period),
    )
  })
}

function refusalOf(professional: Refused['professional'], { setting }: Wish, date: string): Refused {
  const { timeZone } = setting.profile
  const { hours, exceptions } = professional
  const open = expandShifts({ timeZone, hours, exceptions }, date, date)
  if (open.length > 0) return { professional, refusal: { ok: false, reason: 'outside_hours', date, open } }
  const closedBy = exceptionOn(exceptions, date) === null ? 'weekly_hours' : 'exception'
  return { professional, refusal: { ok: false, reason: 'closed_that_day', date, closedBy } }
}
