import type { DomainTexts } from '../../booking/domain-text.ts'
import { domainTexts } from '../../booking/domain-texts.ts'
import type { BookingErrorCode } from '../../booking/errors.ts'
import { LOCALES } from '../../shared/locale.ts'

/** The domain code of a refusal as the tools' results have it: named in it, or told by booking's own words. */
export function refusalCode(text: string): BookingErrorCode | null {
  const named = NAMED.exec(text)?.[1]
  return (
    CODES.find((code) => code === named) ?? SIGNATURES.find(({ pattern }) => pattern.test(text))?.code ?? null
  )
}

/** Stand for what differs between two refusals of one kind. */
const ANY = '§'
const ANY_NUMBER = 987_654

const MESSAGES = {
  time_taken: (texts) => [texts.timeTaken(ANY), texts.dayFull(ANY, ANY, null)],
  closed_that_day: (texts) => [
    texts.closedThatDay(ANY, 'exception', null),
    texts.closedThatDay(ANY, 'weekly_hours', null),
  ],
  outside_hours: (texts) => [texts.outsideHours(ANY, ANY), texts.outsideHours('', ANY)],
  off_grid: (texts) => [texts.offGrid(ANY)],
  too_soon: (texts) => [texts.tooSoon(ANY_NUMBER, null)],
  too_far: (texts) => [texts.tooFar(ANY)],
  in_the_past: (texts) => [texts.inThePast(ANY, ANY)],
  unknown_service: (texts) => [texts.unknownService(ANY)],
  unknown_professional: (texts) => [texts.unknownProfessional(ANY)],
  professional_does_not_do_service: (texts) => [
    texts.professionalDoesNotDoService(ANY, ANY),
    texts.professionalDoesNotDoService(null, ANY),
  ],
  limit_reached: (texts) => [texts.limitReached(ANY_NUMBER, ANY)],
  customer_busy: (texts) => [texts.customerBusy(ANY, ANY, ANY)],
  not_found: (texts) => [texts.notFound()],
  change_too_late: (texts) => [texts.changeTooLate(ANY_NUMBER)],
  already_cancelled: (texts) => [texts.alreadyCancelled()],
} as const satisfies Partial<Record<BookingErrorCode, (texts: DomainTexts) => { message: string }[]>>

const CODES = [
  'time_taken',
  'closed_that_day',
  'outside_hours',
  'off_grid',
  'too_soon',
  'too_far',
  'in_the_past',
  'unknown_service',
  'unknown_professional',
  'professional_does_not_do_service',
  'limit_reached',
  'customer_busy',
  'not_found',
  'change_too_late',
  'already_cancelled',
] as const satisfies readonly (keyof typeof MESSAGES)[]

const NAMED = new RegExp(`\\b(${CODES.join('|')})\\b`)

const SIGNATURES = LOCALES.flatMap((locale) =>
  CODES.flatMap((code) =>
    MESSAGES[code](domainTexts(locale)).map(({ message }) => ({ code, pattern: patternOf(message) })),
  ),
)

function patternOf(message: string): RegExp {
  const escaped = message.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll(ANY, '[^\\n]{0,400}?').replaceAll(String(ANY_NUMBER), '\\d+')}`)
}
