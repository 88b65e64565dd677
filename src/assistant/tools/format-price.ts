import type { Locale } from '../../shared/locale.ts'

/** `R$ 80,00` for 8000 BRL in pt-BR; null for a service without a fixed price. */
export function formatPrice(cents: number | null, currency: string, locale: Locale): string | null {
  if (cents === null) return null
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency })
  // The space is a no-break one, which WhatsApp shows as any other but a search would not find.
  return format.format(cents / 100).replaceAll('\u00a0', ' ')
}
