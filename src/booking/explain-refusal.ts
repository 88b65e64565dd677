import type { SqlReader } from '../db/index.ts'
import type { StartRefusal } from '../scheduling/check-start.ts'
import { addDays } from '../scheduling/civil-date.ts'
import { nearestSlots } from '../scheduling/nearest-slots.ts'
import { nextDateWithSlot } from '../scheduling/next-date-with-slot.ts'
import { instantToWall, localDate } from '../scheduling/time-zone.ts'
import type { OfferLimits, Slot } from '../scheduling/types.ts'
import type { DomainError } from '../shared/app-error.ts'
import type { CatalogProfessional, CatalogService } from '../tenancy/catalog.ts'
import { type BlockedTimes, loadBlocked } from './blocked-time.ts'
import { domainTexts } from './domain-texts.ts'
import { bookingError } from './errors.ts'
import { type Setting, slotQuestion } from './setting.ts'

/** Somebody wanted a start of a service with any of some professionals. */
export interface Wish {
  readonly setting: Setting
  readonly service: CatalogService
  readonly candidates: readonly CatalogProfessional[]
  /** Epoch milliseconds. */
  readonly start: number
  readonly limits: OfferLimits
  /** The appointment that is to move, when it is one. */
  readonly appointmentId?: string | undefined
}

export interface Refused {
  readonly professional: CatalogProfessional
  readonly refusal: StartRefusal
}

/** A free start as facts and words name it. */
export interface Offer {
  readonly startsAt: string
  readonly professional: string
}

/** What says most when the candidates refuse for different reasons: the one that is nearest to a yes. */
const PRECEDENCE: readonly StartRefusal['reason'][] = [
  'time_taken',
  'off_grid',
  'too_soon',
  'outside_hours',
  'closed_that_day',
  'too_far',
  'in_the_past',
]

const OFFER_COUNT = 3
const DAY_MS = 86_400_000

/** Alternatives mostly lie so near to the wanted start; what is taken there is read with the rest. */
export const NEAR_MS = 2 * DAY_MS

/** Why none of the candidates can be had at the wanted start, with the next step that helps. */
export function explainRefusal(wish: Wish, refused: readonly Refused[], blocked: BlockedTimes): DomainError {
  const reasons = new Set(refused.map(({ refusal }) => refusal.reason))
  const reason = PRECEDENCE.find((candidate) => reasons.has(candidate)) ?? 'time_taken'
  return describeRefusal(wish, blocked, refused, reason)
}

/** The words and facts of one reason. `refused` tells the hours and closures, where the reason has some. */
export function describeRefusal(
  wish: Wish,
  blocked: BlockedTimes,
  refused: readonly Refused[],
  reason: StartRefusal['reason'],
): DomainError {
  const { profile, now } = wish.setting
  const texts = domainTexts(profile.locale)
  const { timeZone, policy } = profile
  const nearest = nearestOffers(wish, blocked)
  const named = nameOffers(nearest)
  switch (reason) {
    case 'time_taken':
      return bookingError(reason, texts.timeTaken(named), { nearest })
    case 'off_grid':
      return bookingError(reason, texts.offGrid(named), { nearest })
    case 'too_soon': {
      const earliest = nearest[0]?.startsAt ?? null
      return bookingError(reason, texts.tooSoon(policy.minNoticeMinutes, earliest), { earliest, nearest })
    }
    case 'too_far': {
      const lastDate = addDays(localDate(timeZone, now), policy.maxAdvanceDays)
      return bookingError(reason, texts.tooFar(lastDate), { lastDate })
    }
    case 'in_the_past':
      return bookingError(reason, texts.inThePast(instantToWall(timeZone, now), named), { nearest })
    case 'outside_hours': {
      const open = openHours(timeZone, refused)
      return bookingError(reason, texts.outsideHours(nameHours(open), named), { open, nearest })
    }
    case 'closed_that_day': {
      const date = localDate(timeZone, wish.start)
      const closedBy = closedByOf(refused)
      const nextDate = nextDateFor(wish, blocked, date)
      return bookingError(reason, texts.closedThatDay(date, closedBy, nextDate), { date, closedBy, nextDate })
    }
  }
}

/** What is taken from now to as far as an alternative may be looked for. */
export async function loadBlockedAhead(reader: SqlReader, wish: Wish): Promise<BlockedTimes> {
  const { profile, now } = wish.setting
  return loadBlocked(reader, {
    professionalIds: wish.candidates.map(({ id }) => id),
    firstStart: Math.min(now, wish.start),
    lastStart: Math.max(now, wish.start) + (profile.policy.maxAdvanceDays + 2) * DAY_MS,
    exceptAppointmentId: wish.appointmentId,
  })
}

/**
 * Whether what is taken within {@link NEAR_MS} of the wanted start says all that the explanation needs: the
 * nearest free starts lie in there, and no later date is asked for.
 */
export function isExplainedNearby(wish: Wish, refused: readonly Refused[], near: BlockedTimes): boolean {
  if (refused.some(({ refusal }) => refusal.reason === 'closed_that_day')) return false
  const nearest = nearestStarts(wish, near)
  return (
    nearest.length === OFFER_COUNT && nearest.every(({ start }) => Math.abs(start - wish.start) <= NEAR_MS)
  )
}

/** The free starts nearest to the wanted one over all candidates, each start once, in order of time. */
export function nearestOffers(wish: Wish, blocked: BlockedTimes): Offer[] {
  const { timeZone } = wish.setting.profile
  return nearestStarts(wish, blocked).map(({ start, professional }) => ({
    startsAt: instantToWall(timeZone, start),
    professional,
  }))
}

function nearestStarts(wish: Wish, blocked: BlockedTimes) {
  const byStart = new Map<number, Slot & { professional: string }>()
  for (const candidate of wish.candidates) {
    const question = questionOf(wish, candidate, blocked)
    for (const slot of nearestSlots({ ...question, wanted: wish.start, count: OFFER_COUNT })) {
      if (!byStart.has(slot.start)) byStart.set(slot.start, { ...slot, professional: candidate.key })
    }
  }
  return [...byStart.values()]
    .sort((a, b) => Math.abs(a.start - wish.start) - Math.abs(b.start - wish.start) || a.start - b.start)
    .slice(0, OFFER_COUNT)
    .sort((a, b) => a.start - b.start)
}

/** The first local date after `afterDate` on which any candidate has a free start, or null. */
export function nextDateFor(wish: Wish, blocked: BlockedTimes, afterDate: string): string | null {
  const dates = wish.candidates.flatMap((candidate) => {
    const date = nextDateWithSlot({ ...questionOf(wish, candidate, blocked), afterDate })
    return date === null ? [] : [date]
  })
  return dates.sort()[0] ?? null
}

/** `2026-12-07T10:00 (ana), …` */
export function nameOffers(offers: readonly Offer[]): string {
  return offers.map(({ startsAt, professional }) => `${startsAt} (${professional})`).join(', ')
}

function questionOf(wish: Wish, candidate: CatalogProfessional, blocked: BlockedTimes) {
  const { setting, service, limits } = wish
  return { ...slotQuestion(setting, service, candidate, blocked.get(candidate.id) ?? []), limits }
}

interface OpenHours {
  readonly professional: string
  readonly from: string
  readonly to: string
}

function openHours(timeZone: string, refused: readonly Refused[]): OpenHours[] {
  return refused.flatMap(({ professional, refusal }) =>
    refusal.reason === 'outside_hours'
      ? refusal.open.map(({ start, end }) => ({
          professional: professional.key,
          from: instantToWall(timeZone, start),
          to: instantToWall(timeZone, end),
        }))
      : [],
  )
}

function nameHours(open: readonly OpenHours[]): string {
  return open.map(({ professional, from, to }) => `${from} – ${to} (${professional})`).join(', ')
}

function closedByOf(refused: readonly Refused[]): 'exception' | 'weekly_hours' {
  const byException = refused.some(
    ({ refusal }) => refusal.reason === 'closed_that_day' && refusal.closedBy === 'exception',
  )
  return byException ? 'exception' : 'weekly_hours'
}
