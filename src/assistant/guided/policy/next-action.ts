import { assertNever } from '../../../shared/assert-never.ts'
import { EMPTY_DRAFT } from '../dialogue-state.ts'
import { findCall, readAppointment, readAppointments, readRefusal } from '../tool-results.ts'
import { type Action, offer, say } from './action.ts'
import { appointmentLines, appointmentSummary } from './appointment-lines.ts'
import { book } from './book.ts'
import { cancel, reschedule } from './change.ts'
import { greet, mainMenu, menuEntry, offerHuman } from './menus.ts'
import { pickService } from './pick-service.ts'
import { humanSummary } from './summary.ts'
import { serviceBy, type View } from './view.ts'

/** A turn that called more tools than any dialogue needs has gone astray. */
const MAX_CALLS = 6

/** What comes next in this turn: a call, or what the customer gets to see. */
export function nextAction(view: View): Action {
  const action = tellDone(view) ?? missingCatalogue(view) ?? react(view)
  const isStray = action.kind === 'call' && view.turn.calls.length >= MAX_CALLS
  return isStray ? offerHuman(view, view.texts.failure) : action
}

/** What was written in this turn is told before anything else. */
export function tellDone(view: View): Action | null {
  const { texts } = view
  const tellings = {
    book_appointment: texts.booked,
    reschedule_appointment: texts.moved,
    cancel_appointment: texts.cancelled,
  }
  for (const [name, tell] of Object.entries(tellings)) {
    const exchange = findCall(view.turn, name)
    if (exchange === null || exchange.isError) continue
    const appointment = readAppointment(exchange)
    return appointment === null ? say(tell([])) : say(tell(appointmentLines(appointment, view)))
  }
  return null
}

/** Words that mean nothing may name a service: the catalogue has to be known before saying so. */
function missingCatalogue(view: View): Action | null {
  const { state, turn, services } = view
  const isNeeded = state.task !== null || ['mine', 'services', 'unknown', 'question'].includes(state.say)
  const hasInput = turn.words !== '' || turn.taps.length > 0
  const isStale = turn.calls.some((call) => readRefusal(call)?.code === 'unknown_service')
  const exchange = findCall(turn, 'list_services')
  if (exchange === null && ((services === null && isNeeded && hasInput) || isStale)) {
    return { kind: 'call', name: 'list_services', input: {} }
  }
  return services === null && exchange?.isError ? say(view.texts.failure) : null
}

function react(view: View): Action {
  const { state, texts } = view
  switch (state.say) {
    case 'human':
      return { kind: 'transfer', summary: humanSummary(view) }
    case 'menu':
      return greet(view)
    case 'mine':
      return showAppointments(view)
    case 'services':
      return pickService({ ...view, state: { ...state, draft: EMPTY_DRAFT } }, [texts.servicesList])
    case 'price':
      return goOn(view, [priceOf(view)])
    case 'thanks':
      return say(texts.thanks)
    case 'bye':
      return say(texts.bye)
    case 'stopped':
      return say(texts.stopped)
    case 'kept':
      return say(texts.kept)
    case 'question':
      return state.task === null ? offerHuman(view, texts.question) : goOn(view, [texts.question])
    case 'unknown':
      return notUnderstood(view)
    case 'declined':
    case 'continue':
      return goOn(view, [])
    default:
      return assertNever(state.say)
  }
}

function goOn(view: View, notes: readonly string[]): Action {
  const { task } = view.state
  if (task === null) return mainMenu(view, ...notes)
  if (task === 'book') return book(view, notes)
  return task === 'reschedule' ? reschedule(view, notes) : cancel(view, notes)
}

/** Once: says so and asks again. The second time in a row: a person. */
function notUnderstood(view: View): Action {
  if (view.state.misses > 1) return offerHuman(view, view.texts.notUnderstoodAgain)
  return goOn(view, [view.texts.notUnderstood])
}

/** `Corte de cabelo · 45 min · R$ 80,00`; what is not known is not made up. */
function priceOf(view: View): string {
  const service = serviceBy(view.state.draft.service, view)
  if (service === null || service.price === null || service.price === undefined) return view.texts.question
  const minutes =
    service.minutes === null || service.minutes === undefined ? null : view.texts.minutes(service.minutes)
  return [service.name, minutes, service.price].filter((part) => part !== null).join(' · ')
}

function showAppointments(view: View): Action {
  const exchange = findCall(view.turn, 'list_my_appointments')
  if (exchange === null) return { kind: 'call', name: 'list_my_appointments', input: {} }
  const appointments = readAppointments(exchange)
  const { texts } = view
  if (appointments === null) return say(texts.failure)
  if (appointments.length === 0)
    return offer([texts.noAppointments], [menuEntry('book', view), menuEntry('human', view)])
  const lines = appointments.slice(0, MAX_LINES).map((appointment) => appointmentSummary(appointment, view))
  return offer(
    [texts.appointments(lines)],
    [menuEntry('reschedule', view), menuEntry('cancel', view), menuEntry('start', view)],
  )
}

/** Under three buttons WhatsApp takes 1,024 characters. */
const MAX_LINES = 8
