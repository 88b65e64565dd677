import { describe, expect, it } from 'vitest'
import type { Locale } from '../shared/locale.ts'
import type { HandoffProfile } from './first-reply-clock.ts'
import { noticeText } from './notice-text.ts'

const WEEKDAYS = { weekdays: [1, 2, 3, 4, 5], from: 8 * 60, to: 19 * 60 }

function profile(
  locale: Locale,
  hours: HandoffProfile['handoff']['hours'] = [WEEKDAYS],
  exceptions: HandoffProfile['exceptions'] = [],
): HandoffProfile {
  return {
    timeZone: 'America/Sao_Paulo',
    locale,
    handoff: { hours, firstReplyMinutes: 10, returnToQueueMinutes: 15 },
    exceptions,
  }
}

/** Wall time in São Paulo. */
const at = (wall: string) => Date.parse(`${wall}:00-03:00`)

describe('the notice of a handoff', () => {
  it('is one message: what was said, then who follows, then the way back to the bot', () => {
    expect(noticeText(profile('pt-BR'), at('2026-11-30T12:00'), ' Vou chamar alguém. ')).toBe(
      'Vou chamar alguém.\n\nUma pessoa da nossa equipe vai continuar o atendimento por aqui. ' +
        'Se preferir seguir com o assistente, envie *assistente*.',
    )
    expect(noticeText(profile('es'), at('2026-11-30T12:00'))).toMatch(/^Una persona de nuestro equipo/)
    expect(noticeText(profile('en'), at('2026-11-30T12:00'))).toMatch(/^A person from our team/)
  })

  it.each([
    ['pt-BR', '2026-11-30T07:00', 'volta hoje às 08:00'],
    ['pt-BR', '2026-11-30T19:00', 'volta amanhã às 08:00'],
    ['pt-BR', '2026-12-05T10:00', 'volta na segunda-feira às 08:00'],
    ['es', '2026-12-05T10:00', 'vuelve el lunes a las 08:00'],
    ['en', '2026-12-05T10:00', 'is back on Monday at 08:00'],
  ] as const)('in %s at %s says that the team %s', (locale, now, expected) => {
    expect(noticeText(profile(locale), at(now))).toContain(expected)
  })

  it('names the date when the weekday alone would mean today', () => {
    const mondays = [{ ...WEEKDAYS, weekdays: [1] }]
    expect(noticeText(profile('pt-BR', mondays), at('2026-11-30T20:00'))).toContain(
      'volta na segunda-feira, 07/12, às 08:00',
    )
    expect(noticeText(profile('en', mondays), at('2026-11-30T20:00'))).toContain('on Monday, 12/07, at 08:00')
  })

  it('skips a holiday, and heeds its special hours', () => {
    const day = (date: string, hours: { from: number; to: number }[]) => ({
      own: false,
      fromDate: date,
      toDate: date,
      hours,
    })
    const closed = [day('2026-12-25', [])]
    expect(noticeText(profile('pt-BR', [WEEKDAYS], closed), at('2026-12-24T20:00'))).toContain(
      'volta na segunda-feira às 08:00',
    )
    const special = [day('2026-12-25', [{ from: 540, to: 720 }])]
    expect(noticeText(profile('pt-BR', [WEEKDAYS], special), at('2026-12-24T20:00'))).toContain(
      'volta amanhã às 09:00',
    )
    expect(noticeText(profile('en', [], closed), at('2026-12-25T10:00'))).toContain(
      'is back tomorrow at 00:00',
    )
  })

  it('promises a person at any hour when the tenant set no hours', () => {
    expect(noticeText(profile('en', []), at('2026-11-30T03:00'))).toMatch(/^A person from our team/)
  })
})
