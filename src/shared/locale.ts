/** The languages that customers and staff are served in. */
export const LOCALES = ['pt-BR', 'es', 'en'] as const
export type Locale = (typeof LOCALES)[number]
