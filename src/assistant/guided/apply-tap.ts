import { assertNever } from '../../shared/assert-never.ts'
import type { ChoiceId } from './choice-id.ts'
import { type DialogueState, type Draft, EMPTY_DRAFT } from './dialogue-state.ts'

/** The state after a choice: a tap, or words that stand for one. */
export function applyTap(state: DialogueState, choice: ChoiceId): DialogueState {
  const draft = withCarried(state.draft, choice)
  const task = state.task ?? (choice.code === null ? 'book' : 'reschedule')
  const { value } = choice
  switch (choice.kind) {
    case 'menu':
      return applyMenu(state, value)
    case 'service':
      return { ...state, task, draft: { ...draft, service: value, serviceCandidates: [] } }
    case 'services':
      return { ...state, task, draft: { ...draft, service: null }, offset: Number(value) }
    case 'day':
      return { ...state, task, draft: { ...draft, date: value, isOffered: false } }
    case 'days':
      return { ...state, task, draft: { ...draft, date: null, isOffered: false }, daysFrom: value }
    case 'time':
      return { ...state, task, draft: withStart(draft, choice) }
    case 'times': {
      const [date = null, offset] = value.split('~')
      return {
        ...state,
        task,
        draft: { ...draft, date, time: null, isOffered: false },
        offset: Number(offset),
      }
    }
    case 'book':
      return { ...state, task: 'book', draft: withStart(draft, choice), isConfirmed: true }
    case 'move':
      return { ...state, task: 'reschedule', draft: withStart(draft, choice), isConfirmed: true }
    case 'cancel':
      return { ...state, task: 'cancel', draft: { ...draft, code: value }, isConfirmed: true }
    case 'no':
      if (value === 'book') return { ...state, task, say: 'declined' }
      return { ...state, task: null, draft: EMPTY_DRAFT, say: 'kept' }
    case 'edit':
      return applyEdit({ ...state, task, draft }, value)
    case 'pick-move':
      return { ...state, task: 'reschedule', draft: { ...draft, code: value } }
    case 'pick-cancel':
      return { ...state, task: 'cancel', draft: { ...draft, code: value } }
    default:
      return assertNever(choice.kind)
  }
}

/** Takes out of the draft what the customer wants to choose again. */
export function applyEdit(state: DialogueState, what: string): DialogueState {
  const draft = { ...state.draft, time: null, isOffered: false }
  if (what === 'time') return { ...state, draft }
  if (what === 'day') return { ...state, draft: { ...draft, date: null } }
  if (what === 'service')
    return { ...state, draft: { ...draft, service: null, serviceCandidates: [], professional: null } }
  return { ...state, task: null, draft: EMPTY_DRAFT, say: 'stopped' }
}

function applyMenu(state: DialogueState, entry: string): DialogueState {
  const fresh = { ...state, task: null, draft: EMPTY_DRAFT }
  if (entry === 'book')
    return { ...fresh, task: 'book', draft: state.task === null ? state.draft : EMPTY_DRAFT }
  if (entry === 'reschedule') return { ...fresh, task: 'reschedule' }
  if (entry === 'cancel') return { ...fresh, task: 'cancel' }
  if (entry === 'mine') return { ...fresh, say: 'mine' }
  if (entry === 'services') return { ...fresh, say: 'services' }
  if (entry === 'human') return { ...state, say: 'human' }
  return { ...fresh, say: 'menu' }
}

function withCarried(draft: Draft, { professional, service, code }: ChoiceId): Draft {
  return {
    ...draft,
    professional: professional ?? draft.professional,
    service: service ?? draft.service,
    code: code ?? draft.code,
  }
}

function withStart(draft: Draft, { value, professional }: ChoiceId): Draft {
  const minutes = Number(value.slice(11, 13)) * 60 + Number(value.slice(14, 16))
  return {
    ...draft,
    date: value.slice(0, 10),
    time: { minutes, ambiguous: false, bound: 'at' },
    period: null,
    isOffered: true,
    professional,
  }
}
