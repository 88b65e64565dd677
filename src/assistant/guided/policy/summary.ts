import { clockOf, longDay } from '../texts/texts.ts'
import { professionalBy, serviceBy, type View } from './view.ts'

/** For the person who takes over: what is wanted, what is known of it, and the last words. */
export function humanSummary({ state, texts, turn, ...rest }: View): string {
  const view = { state, texts, turn, ...rest }
  const { draft, task } = state
  const details = [
    serviceBy(draft.service, view)?.name,
    draft.date === null ? null : longDay(draft.date, texts),
    draft.time === null ? null : clockOf(draft.time.minutes),
    professionalBy(draft.professional, view)?.name,
    draft.code,
  ].filter((detail) => detail !== null && detail !== undefined)
  const wish =
    task === null ? texts.summary.nothing : `${texts.summary.wants[task]}: ${details.join(', ') || '—'}.`
  const words = turn.words.slice(0, MAX_QUOTE)
  return words === '' ? wish : `${wish} ${texts.summary.lastWords(words)}`
}

const MAX_QUOTE = 300
