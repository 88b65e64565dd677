import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LIMITS, splitText, truncate } from './limits.ts'

const FAMILY = '👨‍👩‍👧‍👦'

describe('splitText', () => {
  it('leaves a text that fits in one piece, formatted', () => {
    expect(splitText('**Oi!**')).toEqual(['*Oi!*'])
    expect(splitText('a'.repeat(LIMITS.text))).toHaveLength(1)
    expect(splitText('  \n ')).toEqual([])
  })

  it('splits at paragraphs before lines, lines before sentences, sentences before words', () => {
    const long = 'a'.repeat(30)
    expect(splitText(`${long}\n\n${long}\n${long}`, 70)).toEqual([long, `${long}\n${long}`])
    expect(splitText(`${long}. x\n${long} y`, 50)).toEqual([`${long}. x`, `${long} y`])
    expect(splitText(`${long}. b c ${long}`, 50)).toEqual([`${long}.`, `b c ${long}`])
    expect(splitText(`${long} ${long}`, 50)).toEqual([long, long])
  })

  it('never makes a part over the limit, never loses a word, never cuts a grapheme', () => {
    const word = fc.constantFrom('corte', 'ação', FAMILY, 'e\u0301', '🇧🇷', 'x'.repeat(70), '\n\n', '.\n')
    fc.assert(
      fc.property(fc.array(word, { maxLength: 80 }), fc.integer({ min: 40, max: 120 }), (words, limit) => {
        const text = words.join(' ')
        const parts = splitText(text, limit)
        const squeeze = (value: string): string => value.replace(/\s/g, '')
        expect(parts.every((part) => part.length > 0 && part.length <= limit)).toBe(true)
        expect(squeeze(parts.join(''))).toBe(squeeze(splitText(text, 1_000_000).join('')))
        expect(parts.some((part) => /^[\udc00-\udfff]|[\ud800-\udbff]$/.test(part))).toBe(false)
        expect(parts.some((part) => /^[\u200d\u0301]|\u200d$/.test(part))).toBe(false)
      }),
    )
  })
})

describe('truncate', () => {
  it('keeps what fits', () => {
    expect(truncate(' Corte ', 20)).toBe('Corte')
    expect(truncate('a'.repeat(20), 20)).toBe('a'.repeat(20))
  })

  it('cuts at a word when that loses little, else inside it', () => {
    expect(truncate('Corte de cabelo feminino', 20)).toBe('Corte de cabelo…')
    expect(truncate('Otorrinolaringologista', 20)).toBe('Otorrinolaringologi…')
  })

  it('never halves an emoji', () => {
    expect(truncate(`Oi ${FAMILY}${FAMILY}`, 15)).toBe(`Oi ${FAMILY}…`)
    expect(truncate(`Oi ${FAMILY}`, 8)).toBe('Oi…')
  })
})
