import { longDay } from '../texts/texts.ts'
import { findCall, readRefusal, type Service } from '../tool-results.ts'
import { type Action, choice, offer, say } from './action.ts'
import { chooseStart, type Start } from './choose-start.ts'
import { menuEntry, offerHuman } from './menus.ts'
import { offerDays } from './offer-times.ts'
import { pickService } from './pick-service.ts'
import { professionalBy, type View } from './view.ts'

/** Service, day, time, name, yes: asks for the first that is missing, then books. */
export function book(view: View, notes: readonly string[]): Action {
  const { state, texts, services } = view
  const { draft } = state
  const service = services?.find(({ key }) => key === draft.service) ?? null
  if (service === null) {
    const professional = draft.professional === null ? null : professionalBy(draft.professional, view)
    const which = draft.serviceCandidates.length > 0 ? texts.askWhichService : texts.askService
    return pickService(view, [
      ...notes,
      professional === null ? which : texts.professionalDoes(professional.name),
    ])
  }
  const professional = professionalOf(service, view)
  if (professional === 'other') return otherProfessional(service, view, notes)
  if (state.say === 'declined') return askWhatToChange(view, service, notes)
  const carried = { service: service.key, professional: professional?.key ?? null, code: null }
  const refusal = bookingRefusal(view)
  if (refusal?.ends) return refusal.action
  const said = refusal === null ? notes : [...notes, refusal.note]
  if (draft.date === null) return offerDays([...said, texts.askDay], carried, view)
  const start = chooseStart(
    { ...carried, notes: said, isTaken: refusal !== null, askDay: texts.askDay },
    view,
  )
  return start.kind === 'start' ? settle(service, start, view, notes) : start.action
}

/** Everything is known but perhaps the name and the yes. */
function settle(service: Service, start: Start, view: View, notes: readonly string[]): Action {
  const { texts, state, customerName } = view
  const name = customerName ?? state.name
  if (name === null) return say(...notes, texts.askName)
  const professional = start.professional
  if (state.isConfirmed) {
    const input = {
      service: service.key,
      starts_at: start.startsAt,
      ...(professional === null ? {} : { professional }),
      ...(customerName === null ? { for_name: name } : {}),
    }
    return { kind: 'call', name: 'book_appointment', input }
  }
  const date = start.startsAt.slice(0, 10)
  const shown = professionalBy(professional, view)
  const lines = [
    `*${service.name}*`,
    texts.at(longDay(date, texts), start.startsAt.slice(11)),
    shown === null ? null : texts.with(shown.name),
    service.price ?? null,
    customerName === null ? texts.forName(name) : null,
  ].filter((line) => line !== null)
  return offer(
    [...notes, texts.confirmBooking(lines)],
    [
      choice('book', start.startsAt, texts.yes, { professional, service: service.key }),
      choice('no', 'book', texts.no, { professional, service: service.key }),
    ],
  )
}

/** The professional that is wanted, the only one there is, or null for anybody; `other`: does not do the service. */
function professionalOf(service: Service, { state }: View): { key: string } | null | 'other' {
  const wanted = state.draft.professional
  const [only, ...others] = service.professionals
  if (wanted === null) return others.length === 0 ? (only ?? null) : null
  return (
    service.professionals.find(({ key }) => key === wanted) ??
    (service.professionals.length === 0 ? { key: wanted } : 'other')
  )
}

/** Goes on with whoever does it, and says so. */
function otherProfessional(service: Service, view: View, notes: readonly string[]): Action {
  const wanted = professionalBy(view.state.draft.professional, view)
  const note =
    wanted === null
      ? view.texts.refusals['unknown_professional']
      : view.texts.professionalDoesNot(wanted.name, service.name)
  const draft = { ...view.state.draft, professional: null, isOffered: false }
  return book({ ...view, state: { ...view.state, draft, isConfirmed: false } }, [
    ...notes,
    note ?? view.texts.refused,
  ])
}

function askWhatToChange({ texts }: View, service: Service, notes: readonly string[]): Action {
  const carried = { service: service.key }
  return offer(
    [...notes, texts.declined],
    [
      choice('edit', 'time', texts.editTime, carried),
      choice('edit', 'day', texts.editDay, carried),
      choice('edit', 'service', texts.editService),
      choice('edit', 'stop', texts.stop),
    ],
  )
}

type Refusal = { ends: true; action: Action } | { ends: false; note: string; action?: never }

/** Why this turn's booking was refused: either the end of it, or a note over other times. */
function bookingRefusal(view: View): Refusal | null {
  const exchange = findCall(view.turn, 'book_appointment')
  const refusal = exchange === null ? null : readRefusal(exchange)
  if (refusal === null) return null
  const { texts } = view
  if (refusal.code === 'failure') return { ends: true, action: say(texts.failure) }
  const note = texts.refusals[refusal.code] ?? texts.refused
  if (refusal.code === 'limit_reached') {
    return { ends: true, action: offer([note], [menuEntry('mine', view), menuEntry('human', view)]) }
  }
  if (refusal.code === 'unknown') return { ends: true, action: offerHuman(view, note) }
  return { ends: false, note }
}
