import 'dayjs/locale/es'
import 'dayjs/locale/pt-br'
import { DatesProvider } from '@mantine/dates'
import { type PropsWithChildren, useEffect, useMemo, useState } from 'react'
import { browserLocale, isUiLocale, LocaleContext, type UiLocale } from './texts.ts'

const STORED = 'agendou.locale'

/**
 * The language: what this person chose in this browser, else the tenant's, else the browser's.
 * @param tenantLocale null as long as nobody is logged in.
 */
export function LocaleProvider({
  tenantLocale,
  children,
}: PropsWithChildren<{ tenantLocale: UiLocale | null }>) {
  const [chosen, setChosen] = useState(storedLocale)
  const locale = chosen ?? tenantLocale ?? browserLocale()
  useEffect(() => {
    document.documentElement.lang = locale
  }, [locale])
  const choice = useMemo(
    () => ({
      locale,
      setLocale: (next: UiLocale) => {
        localStorage.setItem(STORED, next)
        setChosen(next)
      },
    }),
    [locale],
  )
  return (
    <LocaleContext value={choice}>
      <DatesProvider settings={{ locale: locale.toLowerCase(), firstDayOfWeek: locale === 'es' ? 1 : 0 }}>
        {children}
      </DatesProvider>
    </LocaleContext>
  )
}

function storedLocale(): UiLocale | null {
  const stored = localStorage.getItem(STORED)
  return isUiLocale(stored) ? stored : null
}
