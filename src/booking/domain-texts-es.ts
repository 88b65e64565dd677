import type { DomainTexts } from './domain-text.ts'

const HUMAN = 'Ofrece pasar con una persona del equipo.'
const LIST = 'Consulta los horarios de otra fecha.'

function offer(nearest: string): string {
  return nearest === '' ? `No hay horario libre cerca. ${HUMAN}` : `Ofrece uno de estos: ${nearest}.`
}

function next(date: string | null): string {
  return date === null
    ? `No hay otra fecha con horario libre. ${HUMAN}`
    : `Próxima fecha con horario libre: ${date}.`
}

export const es: DomainTexts = {
  timeTaken: (nearest) => ({ message: 'Ese horario ya está ocupado.', suggestion: offer(nearest) }),
  dayFull: (date, nearest, nextDate) => ({
    message: `No hay horario libre el ${date} para lo que se pidió.`,
    suggestion: nearest === '' ? next(nextDate) : `${offer(nearest)} ${next(nextDate)}`,
  }),
  closedThatDay: (date, closedBy, nextDate) => ({
    message:
      closedBy === 'exception'
        ? `No se atiende el ${date}: la fecha está cerrada.`
        : `No se atiende el ${date}: no se trabaja ese día de la semana.`,
    suggestion: next(nextDate),
  }),
  outsideHours: (open, nearest) => ({
    message: `El servicio no cabe en el horario de atención${open === '' ? '' : `: ${open}`}.`,
    suggestion: offer(nearest),
  }),
  offGrid: (nearest) => ({ message: 'Ningún turno empieza en ese minuto.', suggestion: offer(nearest) }),
  tooSoon: (minutes, earliest) => ({
    message: `Hay que reservar con más de ${minutes} minutos de antelación.`,
    suggestion: earliest === null ? LIST : `El primer horario posible es ${earliest}.`,
  }),
  tooFar: (lastDate) => ({
    message: `La agenda solo está abierta hasta el ${lastDate}.`,
    suggestion: `Pide una fecha hasta el ${lastDate}.`,
  }),
  inThePast: (now, nearest) => ({
    message: `Ese momento ya pasó; ahora es ${now}.`,
    suggestion: offer(nearest),
  }),
  invalidStart: () => ({
    message: 'Esa fecha u hora no existe.',
    suggestion: 'Usa una fecha del calendario, en la forma AAAA-MM-DD o AAAA-MM-DDTHH:MM.',
  }),
  wholeMinutes: (field) => ({
    message: `${field}: las citas empiezan en un minuto entero.`,
    suggestion: 'Envía la hora sin segundos ni fracciones, por ejemplo 2026-12-07T09:00:00-03:00.',
  }),
  unknownService: (services) => ({
    message: 'No existe ese servicio.',
    suggestion: services === '' ? HUMAN : `Usa la clave de uno de estos: ${services}.`,
  }),
  unknownProfessional: (professionals) => ({
    message: 'No existe ese profesional.',
    suggestion: professionals === '' ? HUMAN : `Usa la clave de uno de estos: ${professionals}.`,
  }),
  professionalDoesNotDoService: (professional, others) => ({
    message: `${professional ?? 'Nadie'} ${professional === null ? 'hace' : 'no hace'} ese servicio.`,
    suggestion: others === '' ? HUMAN : `Lo hacen: ${others}.`,
  }),
  limitReached: (limit, codes) => ({
    message: `El cliente ya tiene ${limit} cita(s) futura(s), el máximo permitido: ${codes}.`,
    suggestion: 'Ofrece cambiar o cancelar una de ellas.',
  }),
  customerBusy: (code, from, to) => ({
    message: `El cliente ya tiene la cita ${code} de ${from} a ${to}.`,
    suggestion: 'Ofrece otro horario o cambia esa cita; si es para otra persona, indica su nombre.',
  }),
  notFound: () => ({
    message: 'No hay ninguna cita con ese código.',
    suggestion: 'Comprueba el código en la lista de citas del cliente.',
  }),
  unknownCustomer: () => ({
    message: 'No existe ese cliente.',
    suggestion: 'Comprueba los datos del cliente.',
  }),
  changeTooLate: (minutes) => ({
    message: `Faltan menos de ${minutes} minutos: por aquí ya no se cambia ni se cancela.`,
    suggestion: 'Pasa la conversación a una persona del equipo, que puede ayudar.',
  }),
  alreadyCancelled: () => ({
    message: 'Esa cita ya está cancelada.',
    suggestion: 'Si el cliente quiere volver, reserva una nueva.',
  }),
  wrongState: (status) => ({
    message: `Esa cita ya está cerrada (${status}) y no puede cambiar así.`,
    suggestion: 'Si hace falta, reserva una nueva.',
  }),
  idempotencyMismatch: () => ({
    message: 'Esa clave de idempotencia ya se usó con otra petición.',
    suggestion: 'Usa una clave nueva para una petición nueva.',
  }),
}
