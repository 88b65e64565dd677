import type { AppointmentDto } from '../contracts/staff-api.ts'
import type { Locale } from '../shared/locale.ts'

/** What the channel itself says to a customer, without the model. WhatsApp's own marks: `*bold*`. */
export interface CustomerTexts {
  readonly stopped: string
  readonly confirmed: (appointment: string) => string
  readonly cancelled: (appointment: string) => string
  /** By the code of the refusal. */
  readonly refused: Readonly<Record<RefusalCode, string>>
  readonly at: string
  readonly with: string
  readonly code: string
}

export type RefusalCode = 'not_found' | 'already_cancelled' | 'change_too_late' | 'wrong_state'

const TEXTS: Readonly<Record<Locale, CustomerTexts>> = {
  'pt-BR': {
    stopped: 'Pronto: você não vai mais receber lembretes nossos. Se precisar de algo, é só escrever aqui.',
    confirmed: (appointment) => `Confirmado! ${appointment}`,
    cancelled: (appointment) => `Cancelado: ${appointment} Se quiser marcar outro horário, é só escrever.`,
    refused: {
      not_found: 'Não encontrei esse agendamento. Escreva aqui o que você precisa, por favor.',
      already_cancelled:
        'Esse agendamento já estava cancelado. Se quiser marcar outro horário, é só escrever.',
      change_too_late:
        'Já não dá para cancelar esse agendamento por aqui, falta pouco tempo. Escreva "atendente" para falar com uma pessoa.',
      wrong_state: 'Esse agendamento já passou. Se quiser marcar outro horário, é só escrever.',
    },
    at: 'às',
    with: 'com',
    code: 'código',
  },
  es: {
    stopped: 'Listo: no recibirá más recordatorios nuestros. Si necesita algo, escriba aquí.',
    confirmed: (appointment) => `¡Confirmado! ${appointment}`,
    cancelled: (appointment) => `Cancelado: ${appointment} Si quiere reservar otro horario, escriba aquí.`,
    refused: {
      not_found: 'No encontré esa cita. Escriba aquí lo que necesita, por favor.',
      already_cancelled: 'Esa cita ya estaba cancelada. Si quiere reservar otro horario, escriba aquí.',
      change_too_late:
        'Ya no se puede cancelar esa cita por aquí, falta poco tiempo. Escriba "asesor" para hablar con una persona.',
      wrong_state: 'Esa cita ya pasó. Si quiere reservar otro horario, escriba aquí.',
    },
    at: 'a las',
    with: 'con',
    code: 'código',
  },
  en: {
    stopped: 'Done: you will get no more reminders from us. If you need anything, just write here.',
    confirmed: (appointment) => `Confirmed! ${appointment}`,
    cancelled: (appointment) => `Cancelled: ${appointment} To book another time, just write here.`,
    refused: {
      not_found: 'I could not find that appointment. Please write what you need.',
      already_cancelled: 'That appointment was cancelled already. To book another time, just write here.',
      change_too_late:
        'That appointment can no longer be cancelled here, it is too soon. Write "person" to talk to somebody.',
      wrong_state: 'That appointment is over. To book another time, just write here.',
    },
    at: 'at',
    with: 'with',
    code: 'code',
  },
}

export function customerTexts(locale: Locale): CustomerTexts {
  return TEXTS[locale]
}

/** `*Corte de cabelo* com Ana, terça-feira, 01/12 às 10:00 (código K7M2QP).` */
export function appointmentSentence(locale: Locale, appointment: AppointmentDto): string {
  const words = TEXTS[locale]
  // The instant carries the tenant's own offset: its first half is the wall time.
  const wall = appointment.startsAt.slice(0, 16)
  const day = new Intl.DateTimeFormat(locale, {
    weekday: 'long',
    day: '2-digit',
    month: '2-digit',
    timeZone: 'UTC',
  }).format(new Date(`${wall}:00Z`))
  const { service, professional, code } = appointment
  return `*${service.name}* ${words.with} ${professional.name}, ${day} ${words.at} ${wall.slice(11)} (${words.code} ${code}).`
}
