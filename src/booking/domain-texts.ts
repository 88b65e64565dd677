import type { Locale } from '../shared/locale.ts'
import type { DomainTexts } from './domain-text.ts'
import { en } from './domain-texts-en.ts'
import { es } from './domain-texts-es.ts'
import { ptBr } from './domain-texts-pt-br.ts'

const TEXTS: Readonly<Record<Locale, DomainTexts>> = { 'pt-BR': ptBr, es, en }

export function domainTexts(locale: Locale): DomainTexts {
  return TEXTS[locale]
}
