import { assertNever } from '../../../shared/assert-never.ts'
import type { Locale } from '../../../shared/locale.ts'
import { ENGLISH } from './lexicon-en.ts'
import { SPANISH } from './lexicon-es.ts'
import { PORTUGUESE } from './lexicon-pt.ts'
import type { Lexicon } from './lexicon-type.ts'

/** The words of a locale. */
export function lexiconOf(locale: Locale): Lexicon {
  switch (locale) {
    case 'pt-BR':
      return PORTUGUESE
    case 'es':
      return SPANISH
    case 'en':
      return ENGLISH
    default:
      return assertNever(locale)
  }
}
