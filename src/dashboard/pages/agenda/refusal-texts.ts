import { z } from 'zod'
import { ApiError } from '../../api/client.ts'
import { defineTexts } from '../../i18n/texts.ts'

/** What the calendar's rules said no with, in the reader's language; the server's words are the tenant's. */
export const refusalTexts = defineTexts(
  {
    time_taken: 'Esse horário já está ocupado.',
    customer_busy: 'O cliente já tem outro agendamento nesse horário.',
    closed_that_day: 'Está fechado nesse dia.',
    outside_hours: 'O serviço não cabe no horário de atendimento.',
    in_the_past: 'Esse momento já passou.',
    professional_does_not_do_service: 'Esse profissional não faz esse serviço.',
    unknown_service: 'Esse serviço não existe mais.',
    unknown_professional: 'Esse profissional não existe mais.',
    already_cancelled: 'Esse agendamento já foi cancelado.',
    wrong_state: 'Esse agendamento já terminou e não muda mais.',
    not_found: 'Esse agendamento não existe.',
    network: 'Sem conexão com o servidor.',
    nearest: (times: string) => `Livres por perto: ${times}.`,
  },
  {
    time_taken: 'Esa hora ya está ocupada.',
    customer_busy: 'El cliente ya tiene otra cita a esa hora.',
    closed_that_day: 'Ese día está cerrado.',
    outside_hours: 'El servicio no cabe en el horario de atención.',
    in_the_past: 'Ese momento ya pasó.',
    professional_does_not_do_service: 'Ese profesional no hace ese servicio.',
    unknown_service: 'Ese servicio ya no existe.',
    unknown_professional: 'Ese profesional ya no existe.',
    already_cancelled: 'Esa cita ya está cancelada.',
    wrong_state: 'Esa cita ya terminó y no cambia más.',
    not_found: 'Esa cita no existe.',
    network: 'Sin conexión con el servidor.',
    nearest: (times) => `Libres cerca: ${times}.`,
  },
  {
    time_taken: 'That time is taken.',
    customer_busy: 'The customer has another appointment at that time.',
    closed_that_day: 'Closed on that day.',
    outside_hours: 'The service does not fit into the opening hours.',
    in_the_past: 'That moment has passed.',
    professional_does_not_do_service: 'That professional does not do that service.',
    unknown_service: 'That service does not exist any more.',
    unknown_professional: 'That professional does not exist any more.',
    already_cancelled: 'That appointment is cancelled already.',
    wrong_state: 'That appointment is over and changes no more.',
    not_found: 'There is no such appointment.',
    network: 'The server cannot be reached.',
    nearest: (times) => `Free nearby: ${times}.`,
  },
)

const nearestSchema = z.array(z.object({ startsAt: z.string() }))
const FORCEABLE: ReadonlySet<string> = new Set(['closed_that_day', 'outside_hours', 'in_the_past'])

/** The reason, and the free times that the server names; its own words for a code that has none here. */
export function explainRefusal(error: Error, texts: (typeof refusalTexts)['en']): string {
  if (!(error instanceof ApiError)) return error.message
  const reason = reasonOf(error.code, texts) ?? error.message
  const nearest = nearestSchema.safeParse(error.body['nearest'])
  if (!nearest.success || nearest.data.length === 0) return reason
  const times = nearest.data.map(({ startsAt }) => startsAt.slice(5, 16).replace('T', ' '))
  return `${reason} ${texts.nearest(times.map(dayMonthTime).join(', '))}`
}

/** Whether the staff may insist (`force`). */
export function isForceable(error: Error): boolean {
  return error instanceof ApiError && FORCEABLE.has(error.code)
}

function reasonOf(code: string, texts: (typeof refusalTexts)['en']): string | undefined {
  const entry = Object.entries(texts).find(([key]) => key === code)?.[1]
  return typeof entry === 'string' ? entry : undefined
}

/** `12-07 09:00` → `07/12 09:00` */
function dayMonthTime(text: string): string {
  return `${text.slice(3, 5)}/${text.slice(0, 2)} ${text.slice(6)}`
}
