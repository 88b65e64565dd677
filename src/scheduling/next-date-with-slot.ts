import { dayOf, formatDay } from './civil-date.ts'
import { findSlots } from './find-slots.ts'
import { lastSearchDay } from './nearest-slots.ts'
import type { OfferLimits, SlotQuestion } from './types.ts'
import { localDay } from './zone-offsets.ts'

export interface NextDateInput extends SlotQuestion {
  readonly limits: OfferLimits
  /** The local date `YYYY-MM-DD` after which to look. */
  readonly afterDate: string
}

/**
 * The first local date after `afterDate` with a start on offer, or null. Looks up to the horizon; for
 * the staff, that many days past `afterDate` too.
 */
export function nextDateWithSlot(input: NextDateInput): string | null {
  const { timeZone } = input.schedule
  const first = Math.max(dayOf(input.afterDate) + 1, localDay(timeZone, input.now))
  const last = lastSearchDay(input, first)
  // Mostly the next day or the next week has a time; the growing span keeps a full calendar cheap too.
  let span = 2
  for (let from = first; from <= last; from += span / 2) {
    const to = Math.min(last, from + span - 1)
    const slot = findSlots({ ...input, fromDate: formatDay(from), toDate: formatDay(to) })[0]
    if (slot !== undefined) {
      return formatDay(localDay(timeZone, slot.start))
    }
    span *= 2
  }
  return null
}
