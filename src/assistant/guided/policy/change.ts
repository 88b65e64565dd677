import { isDate } from '../../../scheduling/civil-date.ts'
import { clockOf, minutesOf, shortDay } from '../texts/texts.ts'
import { type Appointment, findCall, readAppointments, readRefusal } from '../tool-results.ts'
import { type Action, choice, MAX_CHOICES, offer, say } from './action.ts'
import { appointmentLines } from './appointment-lines.ts'
import { chooseStart } from './choose-start.ts'
import { menuEntry, offerHuman } from './menus.ts'
import { offerDays } from './offer-times.ts'
import { nameOf, professionalBy, serviceBy, type View } from './view.ts'

/** Which appointment, which day, which time, yes: asks for the first that is missing, then moves it. */
export function reschedule(view: View, notes: readonly string[]): Action {
  const { state, texts } = view
  const refusal = refusalOf(view, 'reschedule_appointment')
  if (refusal?.action !== undefined) return refusal.action
  const picked = pickAppointment(view, notes)
  if (!('appointment' in picked)) return picked
  const { appointment } = picked
  const { code } = appointment
  const service = serviceBy(appointment.service, view)
  if (service === null) return offerHuman(view, texts.refusals['unknown_service'] ?? texts.refused)
  const wanted = state.draft.professional ?? professionalBy(appointment.professional, view)?.key ?? null
  const professional = service.professionals.some(({ key }) => key === wanted) ? wanted : null
  const carried = { service: service.key, professional, code }
  const said = refusal === null ? notes : [...notes, refusal.note]
  const isOpen = state.draft.date === null || state.say === 'declined'
  if (isOpen) return offerDays([...said, texts.askNewDay], carried, view)
  const start = chooseStart(
    { ...carried, notes: said, isTaken: refusal !== null, askDay: texts.askNewDay },
    view,
  )
  if (start.kind === 'action') return start.action
  const moved = start.professional ?? professional
  if (state.isConfirmed) {
    const input = { code, starts_at: start.startsAt, ...(moved === null ? {} : { professional: moved }) }
    return { kind: 'call', name: 'reschedule_appointment', input }
  }
  const lines = appointmentLines({ ...appointment, starts_at: start.startsAt, professional: moved }, view)
  return offer(
    [...notes, texts.confirmMove(lines)],
    [
      choice('move', start.startsAt, texts.yes, { ...carried, professional: moved }),
      choice('no', 'move', texts.no, carried),
    ],
  )
}

/** Which appointment, yes: then it is cancelled, never before. */
export function cancel(view: View, notes: readonly string[]): Action {
  const { state, texts } = view
  const refusal = refusalOf(view, 'cancel_appointment')
  if (refusal !== null) return refusal.action ?? offerHuman(view, refusal.note)
  if (state.isConfirmed && state.draft.code !== null) {
    return { kind: 'call', name: 'cancel_appointment', input: { code: state.draft.code } }
  }
  const picked = pickAppointment(view, notes)
  if (!('appointment' in picked)) return picked
  const { appointment } = picked
  return offer(
    [...notes, texts.confirmCancel(appointmentLines(appointment, view))],
    [choice('cancel', appointment.code, texts.yes), choice('no', 'cancel', texts.no)],
  )
}

/** The appointment that is meant, by code, by day, or because there is only one; else the question. */
function pickAppointment(view: View, notes: readonly string[]): { appointment: Appointment } | Action {
  const { texts, state } = view
  const exchange = findCall(view.turn, 'list_my_appointments')
  if (exchange === null) return { kind: 'call', name: 'list_my_appointments', input: {} }
  const all = readAppointments(exchange)
  if (all === null) return say(texts.failure)
  if (all.length === 0)
    return offer([...notes, texts.noAppointments], [menuEntry('book', view), menuEntry('human', view)])
  const { code, oldDate } = state.draft
  const byCode = code === null ? undefined : all.find((appointment) => appointment.code === code)
  if (byCode !== undefined) return { appointment: byCode }
  const ofDay = oldDate === null ? all : all.filter(({ starts_at }) => starts_at.startsWith(oldDate))
  const meant = ofDay.length === 0 ? all : ofDay
  const [only, ...others] = meant
  if (only !== undefined && others.length === 0 && (ofDay.length > 0 || all.length === 1))
    return { appointment: only }
  const isMove = state.task === 'reschedule'
  const rows = meant.slice(0, MAX_CHOICES).map((appointment) => {
    const service = nameOf(appointment.service, serviceBy(appointment.service, view)) ?? ''
    const kind = isMove ? 'pick-move' : 'pick-cancel'
    return {
      ...choice(kind, appointment.code, shortStart(appointment.starts_at, view)),
      description: service,
    }
  })
  return offer([...notes, isMove ? texts.askWhichToMove : texts.askWhichToCancel], rows)
}

const OTHER_TIME_HELPS = new Set([
  'time_taken',
  'customer_busy',
  'too_soon',
  'too_far',
  'in_the_past',
  'closed_that_day',
  'outside_hours',
  'off_grid',
])

/** Why this turn's change was refused; with `action` when another time would not help. */
function refusalOf(view: View, name: string): { note: string; action?: Action } | null {
  const exchange = findCall(view.turn, name)
  const refusal = exchange === null ? null : readRefusal(exchange)
  if (refusal === null) return null
  const { texts } = view
  if (refusal.code === 'failure') return { note: texts.failure, action: say(texts.failure) }
  const note = texts.refusals[refusal.code] ?? texts.refused
  return OTHER_TIME_HELPS.has(refusal.code) ? { note } : { note, action: offerHuman(view, note) }
}

function shortStart(startsAt: string, { texts }: View): string {
  const date = startsAt.slice(0, 10)
  return isDate(date) ? `${shortDay(date, texts)} · ${clockOf(minutesOf(startsAt))}` : startsAt
}
