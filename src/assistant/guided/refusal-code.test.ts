import { describe, expect, it } from 'vitest'
import { domainTexts } from '../../booking/domain-texts.ts'
import { LOCALES } from '../../shared/locale.ts'
import { refusalCode } from './refusal-code.ts'

describe.each(LOCALES)('refusals in %s', (locale) => {
  const texts = domainTexts(locale)
  it.each([
    ['time_taken', texts.timeTaken('2026-12-08T14:00, 2026-12-08T15:00')],
    ['time_taken', texts.dayFull('2026-12-08', '', '2026-12-09')],
    ['closed_that_day', texts.closedThatDay('2026-12-13', 'weekly_hours', '2026-12-14')],
    ['closed_that_day', texts.closedThatDay('2026-12-13', 'exception', null)],
    ['outside_hours', texts.outsideHours('09:00–12:00', '')],
    ['outside_hours', texts.outsideHours('', '')],
    ['off_grid', texts.offGrid('')],
    ['too_soon', texts.tooSoon(60, '2026-12-08T09:00')],
    ['too_far', texts.tooFar('2027-02-01')],
    ['in_the_past', texts.inThePast('2026-12-07T14:05', '')],
    ['unknown_service', texts.unknownService('corte')],
    ['unknown_professional', texts.unknownProfessional('ana')],
    ['professional_does_not_do_service', texts.professionalDoesNotDoService('Ana', 'bia')],
    ['professional_does_not_do_service', texts.professionalDoesNotDoService(null, '')],
    ['limit_reached', texts.limitReached(3, 'ABC234, XYZ789')],
    ['customer_busy', texts.customerBusy('ABC234', '2026-12-08T14:00', '2026-12-08T15:00')],
    ['not_found', texts.notFound()],
    ['change_too_late', texts.changeTooLate(120)],
    ['already_cancelled', texts.alreadyCancelled()],
  ])('knows %s by its words', (code, { message, suggestion }) => {
    expect(refusalCode(`${message} ${suggestion}`.trim())).toBe(code)
  })
})

it('knows a code by its name, and nothing in other words', () => {
  expect(refusalCode('{"error":"too_soon","message":"…"}')).toBe('too_soon')
  expect(refusalCode('Algo deu errado.')).toBeNull()
})
