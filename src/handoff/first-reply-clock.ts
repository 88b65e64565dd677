import type { WeeklyHours } from '../scheduling/types.ts'
import { addWorkingMinutes, minutesWithinHours, nextOpening } from '../scheduling/working-hours.ts'
import type { TenantProfile } from '../tenancy/tenant-profile.ts'

/** The part of a tenant's profile that decides how long people may take; closed days are the business's own. */
export type HandoffProfile = Pick<TenantProfile, 'timeZone' | 'locale' | 'handoff' | 'exceptions'>

/** A tenant without hours for its people says nothing about when they rest. */
const ALWAYS: readonly WeeklyHours[] = [{ weekdays: [1, 2, 3, 4, 5, 6, 7], from: 0, to: 1_440 }]

/** When the first reply is due (epoch ms) for somebody who waits since `from`. */
export function firstReplyDueAt(profile: HandoffProfile, from: number): number | null {
  const { timeZone, handoff, exceptions } = profile
  return addWorkingMinutes(hoursOf(profile), timeZone, from, handoff.firstReplyMinutes, exceptions)
}

/** Seconds of working time between two instants (epoch ms). */
export function workingSeconds(profile: HandoffProfile, from: number, to: number): number {
  return minutesWithinHours(hoursOf(profile), profile.timeZone, from, to, profile.exceptions) * 60
}

/** The first instant from `now` on (epoch ms) at which people answer; `now` itself when they do already. */
export function teamIsBackAt(profile: HandoffProfile, now: number): number | null {
  return nextOpening(hoursOf(profile), profile.timeZone, now, profile.exceptions)
}

function hoursOf({ handoff }: HandoffProfile): readonly WeeklyHours[] {
  return handoff.hours.length === 0 ? ALWAYS : handoff.hours
}
