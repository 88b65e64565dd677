import type { Lexicon } from './lexicon-type.ts'
import { normalize, wordsOf } from './normalize.ts'

/**
 * The option that a text is the number of (`1`, `a segunda`, `2ª opção`, `opção 3`, `the last one`), from 1; null
 * when the text is anything else. `weekdays`: `segunda` by itself is Monday, not the second.
 */
export function choiceNumber(
  text: string,
  options: { count: number; weekdays: boolean; lexicon: Lexicon },
): number | null {
  const { count, weekdays, lexicon } = options
  const plain = normalize(text).replace(/[().,;:!]+$|^[(#]+|️?⃣/gu, '')
  if (lexicon.lastOption.test(plain)) return count
  const words = wordsOf(plain)
  if (words.length === 0 || words.length > 6) return null
  const fillers = new RegExp(`^(?:${lexicon.optionWords})$`)
  let found: number | null = null
  const named = words.some((word) => /^(?:opcao|opcion|option|item|numero|number)$/.test(word))
  for (const word of words) {
    const number = numberOf(word, lexicon, weekdays && !named)
    if (number === null && !fillers.test(word)) return null
    if (number === null) continue
    // `one` in `the second one` is a filler too.
    if (found !== null && !fillers.test(word)) return null
    found ??= number
  }
  return found !== null && found >= 1 && found <= count ? found : null
}

/** The number of a text that is a number and nothing else; null otherwise. */
export function bareNumber(text: string): number | null {
  const match = /^\s*(\d{1,2})\s*[.!]?\s*$/.exec(text)
  return match === null ? null : Number(match[1])
}

function numberOf(word: string, lexicon: Lexicon, weekdays: boolean): number | null {
  const digits = /^(\d{1,2})(?:a|o|st|nd|rd|th)?$/.exec(word)
  if (digits !== null) return Number(digits[1])
  if (weekdays && lexicon.weekdayOrdinals.has(word)) return null
  return lexicon.ordinals[word] ?? lexicon.numbers[word] ?? null
}
