/**
 * What the dialogue has come to, derived anew from the messages each time: there is no other memory. A turn first
 * changes the state by what the customer said (`apply-input.ts`), then by what was done about it (here).
 */

import type { Turn } from './read-turns.ts'
import { readRefusal } from './tool-results.ts'
import type { Period, TimeWish } from './understand/find-time.ts'

export interface Draft {
  service: string | null
  /** When a name may mean several services. */
  serviceCandidates: readonly string[]
  professional: string | null
  /** `YYYY-MM-DD`. */
  date: string | null
  period: Period | null
  time: TimeWish | null
  /** The time was chosen from what was offered: no need to look it up again. */
  isOffered: boolean
  /** The appointment to be moved or cancelled. */
  code: string | null
  /** The day of the appointment that is meant. */
  oldDate: string | null
}

/** What this turn asks for besides going on with the task. */
export type Say =
  | 'continue'
  | 'menu'
  | 'mine'
  | 'services'
  | 'price'
  | 'human'
  | 'thanks'
  | 'bye'
  | 'question'
  | 'unknown'
  | 'declined'
  | 'stopped'
  | 'kept'

export interface DialogueState {
  task: 'book' | 'reschedule' | 'cancel' | null
  draft: Draft
  /** Said when asked; the customer's own name in the context comes first. */
  name: string | null
  say: Say
  /** The customer said yes to exactly the draft. */
  isConfirmed: boolean
  /** Turns in a row that were not understood. */
  misses: number
  /** How far the customer has paged in what is listed. */
  offset: number
  /** The first of the days to offer, `YYYY-MM-DD`. */
  daysFrom: string | null
}

export const EMPTY_DRAFT: Draft = {
  service: null,
  serviceCandidates: [],
  professional: null,
  date: null,
  period: null,
  time: null,
  isOffered: false,
  code: null,
  oldDate: null,
}

export const INITIAL_STATE: DialogueState = {
  task: null,
  draft: EMPTY_DRAFT,
  name: null,
  say: 'menu',
  isConfirmed: false,
  misses: 0,
  offset: 0,
  daysFrom: null,
}

const WRITES = new Set(['book_appointment', 'reschedule_appointment', 'cancel_appointment'])

/** A task that was done is over; a person who took over starts afresh. */
export function applyOutcome(state: DialogueState, turn: Turn): DialogueState {
  const done = turn.calls.filter((call) => call.result !== null && !call.isError)
  if (done.some(({ name }) => name === 'transfer_to_human')) return { ...INITIAL_STATE, name: state.name }
  if (done.some(({ name }) => WRITES.has(name))) return { ...state, task: null, draft: EMPTY_DRAFT }
  const refused = turn.calls.find((call) => WRITES.has(call.name) && readRefusal(call) !== null)
  // What was refused is not asked for again by itself.
  if (refused !== undefined) return { ...state, draft: { ...state.draft, time: null, isOffered: false } }
  return state
}
