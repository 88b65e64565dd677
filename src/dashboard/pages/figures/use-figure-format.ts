import { shortDuration } from '../../i18n/duration.ts'
import { useFormat } from '../../i18n/format.ts'
import { useLocale } from '../../i18n/texts.ts'
import { wallOf } from '../agenda/wall-time.ts'

/** How the figures are written; null, where nothing was measured, is a dash. */
export function useFigureFormat() {
  const format = useFormat()
  const { locale } = useLocale()
  const day = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', day: '2-digit', month: '2-digit' })
  const unless = (write: (value: number) => string) => (value: number | null) =>
    value === null ? '—' : write(value)
  return {
    count: (value: number) => format.number(value),
    duration: unless((seconds) => shortDuration(seconds * 1_000)),
    share: unless((share) => format.number(share, { style: 'percent', maximumFractionDigits: 0 })),
    /** The model is paid in dollars, whatever the tenant's currency; one answer costs a fraction of a cent. */
    dollars: (value: number) =>
      format.number(value, {
        style: 'currency',
        currency: 'USD',
        maximumFractionDigits: value !== 0 && Math.abs(value) < 1 ? 4 : 2,
      }),
    /** `25/11`, of a local date. */
    day: (date: string) => day.format(wallOf(date)),
  }
}
