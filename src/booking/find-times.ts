import type { Reader } from '../db/index.ts'
import { chooseProfessional } from '../scheduling/choose-professional.ts'
import { findSlots } from '../scheduling/find-slots.ts'
import { spreadOverDay } from '../scheduling/spread-over-day.ts'
import { instantToWall, wallToInstant } from '../scheduling/time-zone.ts'
import type { Clock } from '../shared/clock.ts'
import type { CatalogProfessional } from '../tenancy/catalog.ts'
import type { BlockedTimes } from './blocked-time.ts'
import { rotationOf } from './choose-free.ts'
import { loadDayCounts } from './day-counts.ts'
import { explainNoTimes } from './explain-no-times.ts'
import { loadBlockedAhead, type Offer, type Wish } from './explain-refusal.ts'
import { isInPeriod } from './period.ts'
import { activeService, assertDate, candidatesFor } from './resolve.ts'
import { loadSetting, slotQuestion } from './setting.ts'
import type { Actor, Period } from './types.ts'

export interface FindTimesInput {
  /** Key of the service. */
  readonly service: string
  /** Local date `YYYY-MM-DD`. */
  readonly date: string
  /** Key of the professional; anybody when left out. */
  readonly professional?: string | undefined
  readonly period?: Period | undefined
}

export interface Times {
  /** At most 24, spread over the day, in order of time; each start once, with who would get it. */
  readonly times: readonly Offer[]
}

const MAX_TIMES = 24

/**
 * The free starts of one local date.
 * @throws DomainError when there is none: why, and the next date that has one; and for what is unknown
 */
export async function findTimes(
  reader: Reader,
  clock: Clock,
  actor: Actor,
  input: FindTimesInput,
): Promise<Times> {
  const setting = await loadSetting(reader, clock)
  const service = activeService(setting, input.service)
  const candidates = candidatesFor(setting, service, input.professional)
  assertDate(setting, input.date)
  const { timeZone } = setting.profile
  const start = wantedInstant(timeZone, input.date, input.period)
  const wish: Wish = { setting, service, candidates, start, limits: actor.kind }
  const blocked = await loadBlockedAhead(reader, wish)
  const free = freeByStart(wish, input.date, input.period, blocked)
  if (free.size === 0) throw explainNoTimes(wish, input.date, input.period, blocked)
  const professionalIds = candidates.map(({ id }) => id)
  const counts = await loadDayCounts(reader, { timeZone, date: input.date, professionalIds })
  const customerId = actor.kind === 'customer' ? actor.customerId : null
  const starts = spreadOverDay(
    [...free.keys()].sort((a, b) => a - b),
    MAX_TIMES,
  )
  return {
    times: starts.map((instant) => {
      const ranked = (free.get(instant) ?? []).map(({ id, key }) => ({
        key,
        appointmentsThatDay: counts.get(id) ?? 0,
      }))
      const chosen = chooseProfessional(ranked, rotationOf(customerId, instant))
      return { startsAt: instantToWall(timeZone, instant), professional: chosen?.key ?? '' }
    }),
  }
}

function freeByStart(
  { setting, service, candidates, limits }: Wish,
  date: string,
  period: Period | undefined,
  blocked: BlockedTimes,
): Map<number, CatalogProfessional[]> {
  const free = new Map<number, CatalogProfessional[]>()
  for (const candidate of candidates) {
    const question = slotQuestion(setting, service, candidate, blocked.get(candidate.id) ?? [])
    for (const { start } of findSlots({ ...question, limits, fromDate: date, toDate: date })) {
      if (!isInPeriod(setting.profile.timeZone, start, period)) continue
      free.set(start, [...(free.get(start) ?? []), candidate])
    }
  }
  return free
}

/** What "that day" or "that morning" means when the nearest other times are looked for. */
const WANTED_TIME: Readonly<Record<Period, string>> = {
  morning: '09:00',
  afternoon: '15:00',
  evening: '19:00',
}

function wantedInstant(timeZone: string, date: string, period: Period | undefined): number {
  const time = period === undefined ? '12:00' : WANTED_TIME[period]
  return wallToInstant(timeZone, `${date}T${time}`)?.instant ?? 0
}
