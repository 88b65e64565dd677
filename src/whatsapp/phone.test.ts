import { describe, expect, it } from 'vitest'
import { canonicalPhone } from './phone.ts'

describe('canonicalPhone', () => {
  it.each([
    ['a Brazilian mobile', '551187654321', '5511987654321'],
    ['a Mexican mobile', '5215512345678', '525512345678'],
    ['an Argentine mobile', '5491123456789', '541123456789'],
  ])('gives both spellings of %s one form', (_case, one, other) => {
    expect(canonicalPhone(one)).toBe(canonicalPhone(other))
  })

  it.each([['551130000000'], ['552125550000'], ['555140001111']])(
    'leaves the landline %s as it is',
    (phone) => {
      expect(canonicalPhone(phone)).toBe(phone)
    },
  )

  it.each([['14155550100'], ['351912345678'], ['5521'], ['']])(
    'leaves %s, of nobody else, as it is',
    (phone) => {
      expect(canonicalPhone(phone)).toBe(phone)
    },
  )

  it('reads a plus and separators', () => {
    expect(canonicalPhone('+55 (11) 8765-4321')).toBe('5511987654321')
  })

  it('changes nothing the second time', () => {
    for (const phone of ['551187654321', '5215512345678', '5491123456789', '551130000000']) {
      expect(canonicalPhone(canonicalPhone(phone))).toBe(canonicalPhone(phone))
    }
  })
})
