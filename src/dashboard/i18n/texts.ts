import { createContext, useContext } from 'react'

export const UI_LOCALES = ['pt-BR', 'es', 'en'] as const
export type UiLocale = (typeof UI_LOCALES)[number]

/** One area's words in every language; Portuguese sets the shape that the others must have. */
export type Texts<Words> = Readonly<Record<UiLocale, Words>>

/** Holds the words of one area; the compiler asks for the same keys and arguments in each language. */
export function defineTexts<Words extends object>(pt: Words, es: Words, en: Words): Texts<Words> {
  return { 'pt-BR': pt, es, en }
}

export interface LocaleChoice {
  readonly locale: UiLocale
  readonly setLocale: (locale: UiLocale) => void
}

export const LocaleContext = createContext<LocaleChoice>({ locale: 'pt-BR', setLocale: () => {} })

export function useLocale(): LocaleChoice {
  return useContext(LocaleContext)
}

/** The words of an area in the language of whoever looks. */
export function useTexts<Words>(texts: Texts<Words>): Words {
  return texts[useLocale().locale]
}

export function isUiLocale(value: unknown): value is UiLocale {
  return UI_LOCALES.some((locale) => locale === value)
}

/** The language of the browser, for as long as nobody is logged in. */
export function browserLocale(): UiLocale {
  for (const language of navigator.languages) {
    const base = language.slice(0, 2).toLowerCase()
    if (base === 'pt') return 'pt-BR'
    if (base === 'es' || base === 'en') return base
  }
  return 'pt-BR'
}
