import { formatDay } from './civil-date.ts'
import { findSlots } from './find-slots.ts'
import type { OfferLimits, Slot, SlotQuestion } from './types.ts'
import { dayStart, localDay } from './zone-offsets.ts'

export interface NearestSlotsInput extends SlotQuestion {
  readonly limits: OfferLimits
  /** The start somebody wanted, epoch milliseconds; free, past or too far, as it may be. */
  readonly wanted: number
  /** How many to find; 3 when left out. */
  readonly count?: number
}

/**
 * The free starts nearest to the wanted one, in order of time; of two equally near the earlier is
 * nearer. Looks no further than the horizon; for the staff, that many days past the wanted date too.
 */
export function nearestSlots(input: NearestSlotsInput): Slot[] {
  const { wanted, count = 3 } = input
  const { timeZone } = input.schedule
  const firstDay = localDay(timeZone, input.now)
  const lastDay = lastSearchDay(input, Math.max(firstDay, localDay(timeZone, wanted)))
  const middle = Math.min(Math.max(localDay(timeZone, wanted), firstDay), lastDay)
  let [low, high] = [middle, middle]
  let nearest = byDistance(slotsOfDays(input, middle, middle), wanted, count)
  for (let width = 1; low > firstDay || high < lastDay; width *= 2) {
    const furthest = nearest.at(-1)
    const leftBeyond = low > firstDay ? wanted - dayStart(timeZone, low) : Number.POSITIVE_INFINITY
    const rightBeyond = high < lastDay ? dayStart(timeZone, high + 1) - wanted : Number.POSITIVE_INFINITY
    const seen = Math.min(leftBeyond, rightBeyond)
    if (nearest.length === count && furthest !== undefined && Math.abs(furthest.start - wanted) <= seen) {
      break
    }
    const nextLow = Math.max(firstDay, low - width)
    const nextHigh = Math.min(lastDay, high + width)
    nearest = byDistance(
      [...slotsOfDays(input, nextLow, low - 1), ...nearest, ...slotsOfDays(input, high + 1, nextHigh)],
      wanted,
      count,
    )
    low = nextLow
    high = nextHigh
  }
  return nearest.sort((a, b) => a.start - b.start)
}

/** The last day number that a search from `day` on looks at. */
export function lastSearchDay(
  { schedule, policy, now, limits }: SlotQuestion & { limits: OfferLimits },
  day: number,
): number {
  const horizon = localDay(schedule.timeZone, now) + policy.maxAdvanceDays
  return limits === 'customer' ? horizon : Math.max(horizon, day + policy.maxAdvanceDays)
}

function slotsOfDays(input: NearestSlotsInput, firstDay: number, lastDay: number): Slot[] {
  return firstDay > lastDay
    ? []
    : findSlots({ ...input, fromDate: formatDay(firstDay), toDate: formatDay(lastDay) })
}

function byDistance(slots: Slot[], wanted: number, count: number): Slot[] {
  return slots
    .sort((a, b) => Math.abs(a.start - wanted) - Math.abs(b.start - wanted) || a.start - b.start)
    .slice(0, count)
}
