import { isDate } from '../../scheduling/civil-date.ts'
import { cutText } from '../../shared/cut-text.ts'
import { LOCALES, type Locale } from '../../shared/locale.ts'
import { applyTap } from './apply-tap.ts'
import { applyUnderstanding } from './apply-understanding.ts'
import { type ChoiceId, parseChoiceId } from './choice-id.ts'
import type { DialogueState } from './dialogue-state.ts'
import type { Turn } from './read-turns.ts'
import type { Surroundings } from './surroundings.ts'
import { bareNumber, choiceNumber } from './understand/choice-number.ts'
import { type DateReading, nextDayOfMonth } from './understand/find-dates.ts'
import { lexiconOf } from './understand/lexicon.ts'
import { normalize } from './understand/normalize.ts'
import { type Understanding, understand } from './understand/understand.ts'

/** The state after what the customer said in this turn. */
export function applyInput(state: DialogueState, turn: Turn, around: Surroundings): DialogueState {
  let next: DialogueState = { ...state, say: 'continue', isConfirmed: false, offset: 0, daysFrom: null }
  const foreignTitles: string[] = []
  for (const tap of turn.taps) {
    const choice = parseChoiceId(tap.id.replace(/^c:/, ''))
    if (choice === null) foreignTitles.push(tap.title)
    else next = { ...applyTap(next, choice), misses: 0 }
  }
  const words = [...foreignTitles, turn.words].join('\n').trim()
  if (words === '' && turn.taps.length > 0) return next
  return applyWords(next, words, around)
}

function applyWords(state: DialogueState, words: string, around: Surroundings): DialogueState {
  const { locale, offer } = around
  const today = around.now.slice(0, 10)
  const reading = { lexicon: lexiconOf(locale), today, monthFirst: around.monthFirst }
  const understanding = understand(words, reading)
  if (around.isNameAsked && understanding.intent === null && understanding.edit === null) {
    const name = nameIn(words, around)
    const isAnswer =
      understanding.answer === null && understanding.dates.length + (understanding.time ? 1 : 0) === 0
    if (name !== null && isAnswer) return { ...state, name, misses: 0 }
  }
  const chosen = chosenByWords(words, around)
  if (chosen !== null) return { ...applyTap(state, chosen), misses: 0 }
  const choices = offer.flatMap(({ id }) => parseChoiceId(id) ?? [])
  const number = bareNumber(words)
  if (number !== null && choices.some(({ kind }) => kind === 'day')) {
    const date = nextDayOfMonth(today, number)
    if (date !== null) return { ...state, draft: { ...state.draft, date }, misses: 0 }
  }
  const { locale: spoken, said } = inWhoseWords(words, understanding, around, reading)
  return applyUnderstanding(state, said, { ...around, locale: spoken, choices, words })
}

/** Somebody may write in another language than the business's: the one that makes clearly more of the words. */
function inWhoseWords(
  words: string,
  own: Understanding,
  { locale }: Surroundings,
  reading: DateReading,
): { locale: Locale; said: Understanding } {
  const others = LOCALES.filter((other) => other !== locale).map((other) => ({
    locale: other,
    said: understand(words, { ...reading, lexicon: lexiconOf(other) }),
  }))
  const best = others.find(({ said }) => weightOf(said) >= weightOf(own) + 2)
  return best ?? { locale, said: own }
}

function weightOf({ intent, dates, time, answer, greeting, thanks }: Understanding): number {
  const social = [answer !== null, greeting, thanks].filter(Boolean).length
  return (intent === null ? 0 : 2) + dates.length + (time === null ? 0 : 1) + 2 * social
}

/** The choice that a text is the number or the title of. */
function chosenByWords(words: string, { offer, locale }: Surroundings): ChoiceId | null {
  const said = normalize(words).replace(/[.!]+$/, '')
  const titled = offer.find(({ title }) => normalize(title) === said && said !== '')
  const choices = offer.map(({ id }) => parseChoiceId(id))
  if (titled !== undefined) return parseChoiceId(titled.id)
  const hours = choices.filter((choice) => choice?.kind === 'time')
  const number = bareNumber(words)
  if (number !== null && hours.length > 0) {
    // In a list of times `10` is ten o'clock when ten o'clock is there, but `2` the second.
    const atHour = hours.find(
      (choice) => Number(choice?.value.slice(11, 13)) === number && choice?.value.endsWith(':00'),
    )
    const later = hours.find(
      (choice) => Number(choice?.value.slice(11, 13)) === number + 12 && choice?.value.endsWith(':00'),
    )
    if (number >= 7 || number > offer.length) return atHour ?? later ?? choices[number - 1] ?? null
  }
  const weekdays = choices.some((choice) => choice?.kind === 'day')
  const position = choiceNumber(words, { count: offer.length, weekdays, lexicon: lexiconOf(locale) })
  if (position === null) return null
  // `quinta` before a list of times is rather Thursday than the fifth.
  const isWeekday = hours.length > 0 && lexiconOf(locale).weekdayOrdinals.has(said)
  return isWeekday ? null : (choices[position - 1] ?? null)
}

/** The name in an answer to the question for it; null when it cannot be one. */
function nameIn(words: string, { locale }: Surroundings): string | null {
  const first = words.split('\n')[0] ?? ''
  const bare = first.replace(lexiconOf(locale).nameLead, '').replace(/[^\p{L}\p{M}\p{N} .'’-]/gu, ' ')
  const name = cutText(bare.replace(/\s+/g, ' ').replace(/^[\s.-]+|[\s.-]+$/g, ''), MAX_NAME).trim()
  return /\p{L}{2}/u.test(name) && !isDate(name) ? name : null
}

const MAX_NAME = 60
