import { useLocation } from 'wouter'
import { useTenant } from '../../auth/session.ts'
import { useLocale } from '../../i18n/texts.ts'
import { addDays, dateOfWall, startOfWeek, wallAt } from './wall-time.ts'

export type AgendaView = 'day' | 'week'

/** What is shown, kept in the address: `/agenda/week/2026-12-07`. Without a date it is today of the tenant. */
export function useAgendaPlace() {
  const [location, navigate] = useLocation()
  const { timeZone } = useTenant()
  const { locale } = useLocale()
  const [, , viewPart, datePart = ''] = location.split('/')
  const today = dateOfWall(wallAt(timeZone, Date.now()))
  const view: AgendaView = viewPart === 'week' ? 'week' : 'day'
  const date = isDate(datePart) ? datePart : today
  const show = (next: AgendaView, day: string) => navigate(`/agenda/${next}/${day}`)
  return {
    view,
    date,
    today,
    /** The first day that is shown. */
    first: view === 'day' ? date : startOfWeek(date, locale === 'es' ? 1 : 0),
    show,
    step: (count: 1 | -1) => show(view, addDays(date, count * (view === 'day' ? 1 : 7))),
  }
}

function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
}
