import type { AvailabilityItem } from '../contracts/staff-api.ts'
import type { Reader } from '../db/index.ts'
import { findSlots } from '../scheduling/find-slots.ts'
import { endOfDay, formatOffsetInstant, startOfDay } from '../scheduling/time-zone.ts'
import type { OfferLimits } from '../scheduling/types.ts'
import { AppError } from '../shared/app-error.ts'
import type { Clock } from '../shared/clock.ts'
import { loadBlocked } from './blocked-time.ts'
import { activeService, assertDate, candidatesFor } from './resolve.ts'
import { loadSetting, slotQuestion } from './setting.ts'

export interface AvailabilityInput {
  /** Key of the service. */
  readonly service: string
  /** Key of the professional; everybody who does the service when left out. */
  readonly professional?: string | undefined
  /** Local dates `YYYY-MM-DD`, both included, at most 366 days. */
  readonly fromDate: string
  readonly toDate: string
  /** `staff` lifts notice and horizon; the past is never offered. */
  readonly limits: OfferLimits
}

const DAY_MS = 86_400_000
const MAX_RANGE_MS = 367 * DAY_MS

/**
 * Every free start of every professional, by time and then in the order of the tenant document.
 * @throws DomainError for what is unknown; AppError `range_too_long`
 */
export async function findAvailability(
  reader: Reader,
  clock: Clock,
  input: AvailabilityInput,
): Promise<AvailabilityItem[]> {
  const { fromDate, toDate, limits } = input
  const setting = await loadSetting(reader, clock)
  const service = activeService(setting, input.service)
  const candidates = candidatesFor(setting, service, input.professional)
  assertDate(setting, fromDate)
  assertDate(setting, toDate)
  const { timeZone } = setting.profile
  const firstStart = startOfDay(timeZone, fromDate)
  const lastStart = endOfDay(timeZone, toDate)
  if (lastStart - firstStart > MAX_RANGE_MS) {
    throw new AppError('range_too_long', 'at most 366 days can be asked for at once')
  }
  const blocked = await loadBlocked(reader, {
    professionalIds: candidates.map(({ id }) => id),
    firstStart,
    lastStart,
  })
  return candidates
    .flatMap((candidate) => {
      const question = slotQuestion(setting, service, candidate, blocked.get(candidate.id) ?? [])
      const professional = { key: candidate.key, name: candidate.name }
      return findSlots({ ...question, limits, fromDate, toDate }).map((slot) => ({ ...slot, professional }))
    })
    .sort((a, b) => a.start - b.start)
    .map(({ start, end, professional }) => ({
      startsAt: formatOffsetInstant(timeZone, start),
      endsAt: formatOffsetInstant(timeZone, end),
      professional,
    }))
}
