import { describe, expect, it } from 'vitest'
import { dateInputFormat, writtenInDigits } from './date-input-format.ts'

describe('a date in digits', () => {
  it.each([
    ['pt-BR', 'DD/MM/YYYY', '09/12/2026'],
    ['es', 'DD/MM/YYYY', '09/12/2026'],
    ['en', 'MM/DD/YYYY', '12/09/2026'],
  ] as const)('is written in %s as its readers do', (locale, format, written) => {
    expect(dateInputFormat(locale)).toBe(format)
    expect(writtenInDigits('2026-12-09', locale)).toBe(written)
  })
})
