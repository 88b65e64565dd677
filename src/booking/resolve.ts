import { isDate } from '../scheduling/civil-date.ts'
import { MINUTE_MS } from '../scheduling/intervals.ts'
import { wallToInstant } from '../scheduling/time-zone.ts'
import type { CatalogProfessional, CatalogService } from '../tenancy/catalog.ts'
import {
  invalidStart,
  notOnWholeMinute,
  professionalDoesNotDoService,
  unknownProfessional,
  unknownService,
} from './errors.ts'
import type { Setting } from './setting.ts'
import type { WantedStart } from './types.ts'

/** @throws DomainError `unknown_service`, for one that is inactive too. */
export function activeService(setting: Setting, key: string): CatalogService {
  const service = setting.catalog.services.find((candidate) => candidate.key === key)
  if (service === undefined || !service.active) throw unknownService(setting)
  return service
}

/**
 * Who may be booked for a service: the one named, or without a name everybody active who does it.
 * @throws DomainError `unknown_professional`, `professional_does_not_do_service`
 */
export function candidatesFor(
  setting: Setting,
  service: CatalogService,
  key: string | undefined,
): readonly CatalogProfessional[] {
  const able = professionalsDoing(setting, service)
  if (key === undefined) {
    if (able.length === 0) throw professionalDoesNotDoService(setting, null, able)
    return able
  }
  const named = setting.catalog.professionals.find((candidate) => candidate.key === key)
  if (named === undefined || !named.active) throw unknownProfessional(setting)
  if (!able.includes(named)) throw professionalDoesNotDoService(setting, named, able)
  return [named]
}

export function professionalsDoing(setting: Setting, service: CatalogService): CatalogProfessional[] {
  return setting.catalog.professionals.filter(
    ({ active, serviceIds }) => active && serviceIds.has(service.id),
  )
}

/** Years that a business can mean: the days around their ends are dates of four digits too. */
const FIRST_DATE = '1900-01-01'
const LAST_DATE = '2999-12-31'
const FIRST_INSTANT = Date.parse('1900-01-01T00:00:00Z')
const LAST_INSTANT = Date.parse('3000-01-01T00:00:00Z')

/**
 * The wanted instant.
 * @throws DomainError `invalid_start` when it is no moment that a business can mean, or no whole minute.
 */
export function instantOf(setting: Setting, start: WantedStart): number {
  const instant =
    'instant' in start ? start.instant : wallToInstant(setting.profile.timeZone, start.wall)?.instant
  const isMeant =
    instant !== undefined &&
    Number.isSafeInteger(instant) &&
    instant >= FIRST_INSTANT &&
    instant < LAST_INSTANT
  if (!isMeant) throw invalidStart(setting)
  // Offsets had seconds once, so the minutes of a wall time are not always whole ones of UTC.
  if ('instant' in start && instant % MINUTE_MS !== 0) throw notOnWholeMinute(setting)
  return instant
}

/** @throws DomainError `invalid_start` when `date` is no day that a business can mean. */
export function assertDate(setting: Setting, date: string): void {
  if (!isDate(date) || date < FIRST_DATE || date > LAST_DATE) throw invalidStart(setting)
}
