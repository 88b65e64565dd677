import { applyEdit, applyTap } from './apply-tap.ts'
import type { ChoiceId } from './choice-id.ts'
import { type DialogueState, type Draft, EMPTY_DRAFT, type Say } from './dialogue-state.ts'
import type { Surroundings } from './surroundings.ts'
import { findProfessional, findServices } from './understand/find-names.ts'
import { lexiconOf } from './understand/lexicon.ts'
import type { Intent } from './understand/lexicon-type.ts'
import type { Understanding } from './understand/understand.ts'

export interface Reading extends Surroundings {
  /** What was offered last, but for what is not the guided model's. */
  choices: readonly ChoiceId[]
  words: string
}

/** The state after words that are no plain choice. */
export function applyUnderstanding(
  state: DialogueState,
  said: Understanding,
  around: Reading,
): DialogueState {
  const intended = applyIntent(state, said, around)
  if (intended.say !== 'continue') return { ...intended, misses: 0 }
  const details = detailsIn(intended, said, around)
  const changes = newsIn(details, intended.draft)
  const hasChanges = Object.keys(changes).length > 0
  const merged = hasChanges ? { ...intended, draft: { ...intended.draft, ...changes } } : intended
  const edited = hasChanges || intended.task === null ? merged : applyNamedEdit(merged, said)
  // What only repeats the draft is heard too, unless it goes with a yes or a no.
  const isRepeated = Object.keys(details).length > 0 && said.answer === null
  if (edited !== state || isRepeated) return { ...edited, task: edited.task ?? 'book', misses: 0 }
  return applyAnswer(state, said, around)
}

/** A new wish starts anew; going on with the one at hand keeps what is known. */
function applyIntent(state: DialogueState, said: Understanding, around: Reading): DialogueState {
  const { intent } = said
  const fresh = { ...state, task: null, draft: EMPTY_DRAFT }
  if (intent === 'human') return { ...state, say: 'human' }
  if (intent === 'cancel')
    return isRefusal(state, around) ? declineOffer(state, around) : asTask(state, 'cancel')
  if (intent === 'reschedule') return asTask(state, 'reschedule')
  const details = said.dates.length > 0 || said.time !== null
  if (intent === 'my_appointments' && !details) return { ...fresh, say: 'mine' }
  if (intent === 'services' && said.edit !== 'service') {
    return state.draft.service === null ? { ...fresh, say: 'services' } : { ...state, say: 'price' }
  }
  if (intent === 'menu') return { ...fresh, say: 'menu' }
  if (isBooking(intent) && state.task !== 'reschedule') {
    // `quero marcar outro` in the middle of a booking still means this one.
    return state.task === 'book' ? { ...state } : { ...state, task: 'book', draft: EMPTY_DRAFT }
  }
  // `can you change that to Thursday` means the draft when there is one.
  if (said.edit === 'any' && state.task === null && around.hasAppointments) return asTask(state, 'reschedule')
  return state
}

function asTask(state: DialogueState, task: 'reschedule' | 'cancel'): DialogueState {
  return state.task === task ? { ...state } : { ...state, task, draft: EMPTY_DRAFT }
}

function isBooking(intent: Intent | null): boolean {
  return intent === 'book' || intent === 'availability'
}

/** `cancela` right before a yes or no to a booking is a no, not a wish to cancel another one. */
function isRefusal(state: DialogueState, { choices, words }: Reading): boolean {
  return (
    state.task !== 'cancel' &&
    choices.some(({ kind }) => kind === 'no') &&
    words.trim().split(/\s+/).length <= 2
  )
}

function declineOffer(state: DialogueState, { choices }: Reading): DialogueState {
  const no = choices.find(({ kind }) => kind === 'no')
  if (no === undefined) return state
  return no.value === 'book'
    ? { ...state, task: null, draft: EMPTY_DRAFT, say: 'stopped' }
    : applyTap(state, no)
}

/** Service, professional, day and time in the words. */
function detailsIn(state: DialogueState, said: Understanding, around: Reading): Partial<Draft> {
  const changes: Partial<Draft> = {}
  const [first, ...others] = said.dates
  const isChange = state.task === 'reschedule' || state.task === 'cancel'
  const code = isChange ? codeIn(around) : null
  if (code !== null) changes.code = code
  if (state.task === 'cancel') {
    if (first !== undefined) changes.oldDate = first
  } else if (first !== undefined) {
    // `remarcar o de amanhã para sexta`: the day that is, and the day that is to be.
    if (isChange && others.length > 0) changes.oldDate = first
    Object.assign(changes, { date: isChange ? (others.at(-1) ?? first) : first, isOffered: false })
  }
  if (state.task !== 'cancel') mergeTime(changes, said)
  if (!isChange) mergeService(changes, said, around)
  mergeProfessional(changes, said, around, { ...state.draft, ...changes })
  return changes
}

/** The details that differ from the draft; one that does makes what was offered before void. */
function newsIn(details: Partial<Draft>, draft: Draft): Partial<Draft> {
  const known: Readonly<Record<string, unknown>> = { ...draft }
  const news = Object.entries(details).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(known[name]),
  )
  return news.some(([name]) => name !== 'isOffered') ? Object.fromEntries(news) : {}
}

function mergeTime(changes: Partial<Draft>, said: Understanding): void {
  if (said.time !== null) Object.assign(changes, { time: said.time, period: said.period, isOffered: false })
  else if (said.period !== null) Object.assign(changes, { period: said.period, time: null, isOffered: false })
}

function mergeService(changes: Partial<Draft>, said: Understanding, { services, locale }: Reading): void {
  const found = findServices(said.words, services, lexiconOf(locale))
  const [only] = found
  if (found.length === 1 && only !== undefined)
    Object.assign(changes, { service: only.key, serviceCandidates: [] })
  if (found.length > 1 && found.length < services.length) {
    Object.assign(changes, { service: null, serviceCandidates: found.map(({ key }) => key) })
  }
}

function mergeProfessional(
  changes: Partial<Draft>,
  said: Understanding,
  around: Reading,
  draft: Draft,
): void {
  const everyone = new Map(
    around.services.flatMap(({ professionals }) => professionals.map((one) => [one.key, one])),
  )
  const named = findProfessional(said.words, [...everyone.values()], lexiconOf(around.locale))
  if (named !== null) Object.assign(changes, { professional: named.key, isOffered: false })
  else if (said.anyProfessional) Object.assign(changes, { professional: null })
  if (changes.service !== undefined && draft.professional !== null)
    Object.assign(changes, { isOffered: false })
}

/** The code of an appointment of the customer's that the words hold. */
function codeIn({ appointments, words }: Reading): string | null {
  const upper = words.toUpperCase()
  return (
    appointments.find(({ code }) => upper.split(/[^A-Z0-9-]+/).includes(code.toUpperCase()))?.code ?? null
  )
}

function applyNamedEdit(state: DialogueState, said: Understanding): DialogueState {
  if (said.edit === null || state.task === 'cancel') return state
  return said.edit === 'any' ? { ...state, say: 'declined' } : applyEdit(state, said.edit)
}

/** Yes, no, thanks and the like: what they mean depends on what was asked. */
function applyAnswer(state: DialogueState, said: Understanding, { choices }: Reading): DialogueState {
  const understood = { ...state, misses: 0 }
  if (said.answer === 'yes') {
    // Only then was it a question whether to talk to a person; else it is one way among others.
    const isHumanAsked = state.misses > 1
    const yes = choices.find(
      ({ kind, value }) => ['book', 'move', 'cancel'].includes(kind) || (value === 'human' && isHumanAsked),
    )
    if (yes !== undefined) return applyTap(understood, yes)
    if (state.task === null && said.thanks) return { ...understood, say: 'thanks' }
    return state.task === null ? { ...understood, say: said.bye ? 'bye' : 'menu' } : understood
  }
  if (said.answer === 'no') {
    const no = choices.find(({ kind }) => kind === 'no' || kind === 'days')
    const isGoodbye = said.thanks || said.bye
    if (no !== undefined && !isGoodbye) return applyTap(understood, no)
    const say: Say = state.task === null || isGoodbye ? 'bye' : 'stopped'
    return { ...understood, task: null, draft: EMPTY_DRAFT, say }
  }
  // What is open is not done by a thanks: it is asked again rather than taken for done.
  if (said.thanks && state.task !== null && !said.bye) return understood
  if (said.thanks) return { ...understood, task: null, draft: EMPTY_DRAFT, say: 'thanks' }
  if (said.bye) return { ...understood, task: null, draft: EMPTY_DRAFT, say: 'bye' }
  if (said.question) return { ...understood, say: 'question' }
  if (said.greeting) return { ...understood, task: null, draft: EMPTY_DRAFT, say: 'menu' }
  return { ...state, say: 'unknown', misses: state.misses + 1 }
}
