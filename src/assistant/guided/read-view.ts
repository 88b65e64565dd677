import { z } from 'zod'
import type { HistoryMessage } from '../../agent/types.ts'
import type { Locale } from '../../shared/locale.ts'
import { applyInput } from './apply-input.ts'
import { applyOutcome, INITIAL_STATE } from './dialogue-state.ts'
import type { View } from './policy/view.ts'
import { readTurns, type Turn } from './read-turns.ts'
import { textsOf } from './texts/texts.ts'
import { readAppointments, readServices } from './tool-results.ts'

/** Everything that the messages say, as of the newest one. Messages without a customer's give the greeting. */
export function readView(messages: readonly HistoryMessage[], fallback: Locale): View {
  const turns = readTurns(messages)
  const last = turns.at(-1) ?? { context: {}, taps: [], words: '', calls: [], text: '' }
  const locale = last.context.locale ?? fallback
  const texts = textsOf(locale)
  const calls = turns.flatMap((turn) => turn.calls)
  const services =
    calls.flatMap((call) => known(call.name === 'list_services' ? readServices(call) : null)).at(-1) ?? null
  const appointments = calls.flatMap((call) =>
    known(call.name === 'list_my_appointments' ? readAppointments(call) : null),
  )
  const now = last.context.now ?? EPOCH
  const isBooked = calls.some(
    ({ name, result, isError }) => name === 'book_appointment' && result !== null && !isError,
  )
  let state = INITIAL_STATE
  for (const [index, turn] of turns.entries()) {
    const before = turns[index - 1]
    state = applyInput(state, turn, {
      locale,
      now: turn.context.now ?? now,
      monthFirst: locale === 'en' && (last.context.timeZone ?? '').startsWith('America/'),
      services: services ?? [],
      appointments: appointments.flat(),
      hasAppointments:
        appointments.flat().length > 0 || isBooked || (last.context.openAppointments ?? []).length > 0,
      offer: before === undefined ? [] : offerOf(before),
      isNameAsked:
        before !== undefined && offerOf(before).length === 0 && before.text.includes(texts.askName),
    })
    if (turn !== last) state = applyOutcome(state, turn)
  }
  return { state, turn: last, services, locale, texts, now, customerName: last.context.customerName ?? null }
}

/** Without a clock no day has passed yet; the application always tells the time. */
const EPOCH = '1970-01-01T00:00'

const offered = z.object({ choices: z.array(z.object({ id: z.string(), title: z.string() })) })

/** What the customer could choose from at the end of a turn, as buttons or as numbers in a text. */
function offerOf(turn: Turn): { id: string; title: string }[] {
  const call = turn.calls.findLast(({ name }) => name === 'offer_choices')
  const parsed = offered.safeParse(call?.input)
  return parsed.success ? parsed.data.choices : []
}

function known<T>(value: T | null): T[] {
  return value === null ? [] : [value]
}
