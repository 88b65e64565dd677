import { isDate } from '../../../scheduling/civil-date.ts'
import { longDay } from '../texts/texts.ts'
import type { Appointment } from '../tool-results.ts'
import { nameOf, professionalBy, serviceBy, type View } from './view.ts'

/** Service, day and time, professional, price and code of an appointment that a tool returned. */
export function appointmentLines(appointment: Appointment, view: View): string[] {
  const { texts } = view
  const service = serviceBy(appointment.service, view)
  const professional = nameOf(appointment.professional, professionalBy(appointment.professional, view))
  return [
    nameOf(appointment.service, service),
    whenLine(appointment.starts_at, view),
    professional === null ? null : texts.with(professional),
    appointment.price === undefined ? (service?.price ?? null) : appointment.price,
    texts.code(appointment.code),
  ].filter((line) => line !== null)
}

/** One line of a list: `• Corte, terça-feira, 08/12, às 15:00, com Ana (K7M2QP)`. */
export function appointmentSummary(appointment: Appointment, view: View): string {
  const professional = nameOf(appointment.professional, professionalBy(appointment.professional, view))
  const parts = [
    nameOf(appointment.service, serviceBy(appointment.service, view)),
    whenLine(appointment.starts_at, view),
    professional === null ? null : view.texts.with(professional),
  ]
  return `• ${parts.filter((part) => part !== null).join(', ')} (${appointment.code})`
}

function whenLine(startsAt: string, { texts }: View): string {
  const date = startsAt.slice(0, 10)
  return isDate(date) ? texts.at(longDay(date, texts), startsAt.slice(11, 16)) : startsAt
}
