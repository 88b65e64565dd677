import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatText } from './format-text.ts'

describe('formatText', () => {
  it.each([
    ['**Corte** às 10h', '*Corte* às 10h'],
    ['__Corte__ às 10h', '*Corte* às 10h'],
    ['***Corte***', '*_Corte_*'],
    ['~~R$ 90~~ R$ 80', '~R$ 90~ R$ 80'],
    ['_talvez_ e *já em negrito*', '_talvez_ e *já em negrito*'],
    ['# Horários\n\nAmanhã', '*Horários*\n\nAmanhã'],
    ['## **Horários** ##', '*Horários*'],
    ['* um\n* dois\n  + três', '- um\n- dois\n  - três'],
    ['1. um\n2. dois', '1. um\n2. dois'],
    ['veja [o mapa](https://example.com/m)', 'veja o mapa: https://example.com/m'],
    ['[https://example.com](https://example.com)', 'https://example.com'],
    ['![foto](https://example.com/a.jpg "t")', 'foto: https://example.com/a.jpg'],
    ['<https://example.com>', 'https://example.com'],
    ['| Serviço | Preço |\n|---|---:|\n| Corte | R$ 80 |', '- Serviço · Preço\n- Corte · R$ 80'],
    ['um\n\n---\n\ndois', 'um\n\ndois'],
    ['um<br/>dois', 'um\ndois'],
    ['R\\$ 80', 'R$ 80'],
    ['use `**isto**` assim', 'use `**isto**` assim'],
    ['```ts\n# x\n```', '```\n# x\n```'],
    ['> citado', '> citado'],
    ['2 * 3 * 4 = 24', '2 * 3 * 4 = 24'],
    ['chave_de_nome e __init__.py', 'chave_de_nome e *init*.py'],
    ['  um  \r\n\r\n\r\n\r\ndois  ', 'um\n\ndois'],
  ])('turns %j into %j', (markdown, formatted) => {
    expect(formatText(markdown)).toBe(formatted)
  })

  it('changes nothing the second time, whatever the text', () => {
    const piece = fc.constantFrom(
      ...[
        '*',
        '**',
        '_',
        '__',
        '~~',
        '`',
        '```',
        '#',
        ' ',
        '\n',
        '|',
        '---',
        '- ',
        '[a](b)',
        '\\$',
        'olá',
        'x',
        '<br>',
      ],
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const once = formatText(pieces.join(''))
        expect(formatText(once)).toBe(once)
      }),
      { numRuns: 500 },
    )
  })
})
