/**
 * The refusals of booking. Each holds the facts of its next step: in words (`message`, `suggestion`) in the
 * tenant's locale, and as data (`facts`), where times are wall times `YYYY-MM-DDTHH:MM` of the tenant, as the
 * tools accept them.
 */
import { instantToWall } from '../scheduling/time-zone.ts'
import { DomainError } from '../shared/app-error.ts'
import type { Locale } from '../shared/locale.ts'
import type { CatalogProfessional } from '../tenancy/catalog.ts'
import type { DomainText } from './domain-text.ts'
import { domainTexts } from './domain-texts.ts'
import type { Moment, Setting } from './setting.ts'

/** Every code that booking refuses with. */
export const BOOKING_ERROR_CODES = [
  'time_taken',
  'closed_that_day',
  'outside_hours',
  'off_grid',
  'too_soon',
  'too_far',
  'in_the_past',
  'invalid_start',
  'unknown_service',
  'unknown_professional',
  'professional_does_not_do_service',
  'limit_reached',
  'customer_busy',
  'not_found',
  'change_too_late',
  'already_cancelled',
  'wrong_state',
  'idempotency_mismatch',
] as const
export type BookingErrorCode = (typeof BOOKING_ERROR_CODES)[number]

export type Facts = Readonly<Record<string, unknown>>

export function bookingError(code: BookingErrorCode, text: DomainText, facts: Facts = {}): DomainError {
  return new DomainError(code, text.message, { suggestion: text.suggestion, facts })
}

export function invalidStart(setting: Setting): DomainError {
  return bookingError('invalid_start', textsOf(setting).invalidStart())
}

/** As {@link invalidStart}, and names the property of the request: only an instant can have seconds. */
export function notOnWholeMinute(setting: Setting): DomainError {
  const text = textsOf(setting).wholeMinutes('startsAt')
  const issues = [{ path: 'startsAt', message: text.message }]
  return bookingError('invalid_start', text, { issues })
}

export function unknownService(setting: Setting): DomainError {
  const services = setting.catalog.services.filter(({ active }) => active).map(({ key }) => key)
  return bookingError('unknown_service', textsOf(setting).unknownService(services.join(', ')), { services })
}

export function unknownProfessional(setting: Setting): DomainError {
  const professionals = setting.catalog.professionals.filter(({ active }) => active).map(({ key }) => key)
  const text = textsOf(setting).unknownProfessional(professionals.join(', '))
  return bookingError('unknown_professional', text, { professionals })
}

/** `named` is null when nobody was named and nobody does it. */
export function professionalDoesNotDoService(
  setting: Setting,
  named: CatalogProfessional | null,
  able: readonly CatalogProfessional[],
): DomainError {
  const professionals = able.map(({ key }) => key)
  const text = textsOf(setting).professionalDoesNotDoService(named?.name ?? null, professionals.join(', '))
  return bookingError('professional_does_not_do_service', text, { professionals })
}

export function limitReached(setting: Setting, codes: readonly string[]): DomainError {
  const limit = setting.profile.policy.maxActivePerCustomer
  const text = textsOf(setting).limitReached(limit, codes.join(', '))
  return bookingError('limit_reached', text, { limit, codes })
}

export function customerBusy(
  setting: Setting,
  conflict: { readonly code: string; readonly start: number; readonly end: number },
): DomainError {
  const { timeZone } = setting.profile
  const startsAt = instantToWall(timeZone, conflict.start)
  const endsAt = instantToWall(timeZone, conflict.end)
  const text = textsOf(setting).customerBusy(conflict.code, startsAt, endsAt)
  return bookingError('customer_busy', text, { code: conflict.code, startsAt, endsAt })
}

/** The same words for a code that never was, another customer's and another tenant's. */
export function appointmentNotFound(locale: Locale): DomainError {
  return bookingError('not_found', domainTexts(locale).notFound())
}

export function customerNotFound(setting: Setting): DomainError {
  return bookingError('not_found', textsOf(setting).unknownCustomer())
}

export function changeTooLate(setting: Moment): DomainError {
  const { changeNoticeMinutes } = setting.profile.policy
  return bookingError('change_too_late', textsOf(setting).changeTooLate(changeNoticeMinutes), {
    changeNoticeMinutes,
  })
}

export function alreadyCancelled(locale: Locale): DomainError {
  return bookingError('already_cancelled', domainTexts(locale).alreadyCancelled())
}

export function wrongState(locale: Locale, status: string): DomainError {
  return bookingError('wrong_state', domainTexts(locale).wrongState(status), { status })
}

export function idempotencyMismatch(locale: Locale): DomainError {
  return bookingError('idempotency_mismatch', domainTexts(locale).idempotencyMismatch())
}

function textsOf({ profile }: Moment) {
  return domainTexts(profile.locale)
}
