import type { Locale } from '../../shared/locale.ts'
import type { Appointment, Service } from './tool-results.ts'

/** What words are read against. */
export interface Surroundings {
  locale: Locale
  /** Local now, `YYYY-MM-DDTHH:MM`. */
  now: string
  monthFirst: boolean
  services: readonly Service[]
  appointments: readonly Appointment[]
  hasAppointments: boolean
  /** What was offered last, in order. */
  offer: readonly { id: string; title: string }[]
  /** The customer was asked for a name. */
  isNameAsked: boolean
}
