import { isDate } from '../scheduling/civil-date.ts'
import { wallToInstant } from '../scheduling/time-zone.ts'
import type { CatalogProfessional, CatalogService } from '../tenancy/catalog.ts'
import { invalidStart, professionalDoesNotDoService, unknownProfessional, unknownService } from './errors.ts'
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

/** The wanted instant. @throws DomainError `invalid_start` when it is no moment of the calendar. */
export function instantOf(setting: Setting, start: WantedStart): number {
  if ('instant' in start) {
    if (!Number.isSafeInteger(start.instant)) throw invalidStart(setting)
    return start.instant
  }
  const moment = wallToInstant(setting.profile.timeZone, start.wall)
  if (moment === null) throw invalidStart(setting)
  return moment.instant
}

/** @throws DomainError `invalid_start` when `date` is no day of the calendar. */
export function assertDate(setting: Setting, date: string): void {
  if (!isDate(date)) throw invalidStart(setting)
}
