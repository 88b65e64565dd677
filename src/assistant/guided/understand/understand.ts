import { type DateReading, findDates } from './find-dates.ts'
import { findTime, markPeriods, type Period, type TimeWish } from './find-time.ts'
import type { Edit, Intent, Lexicon } from './lexicon-type.ts'
import { MASK, normalize } from './normalize.ts'

/** What a customer's words say, without what was asked before. */
export interface Understanding {
  intent: Intent | null
  edit: Edit | null
  answer: 'yes' | 'no' | null
  /** `YYYY-MM-DD`, in the order of the text. */
  dates: string[]
  time: TimeWish | null
  period: Period | null
  greeting: boolean
  thanks: boolean
  bye: boolean
  question: boolean
  anyProfessional: boolean
  /** Normalised, without dates and times: where names are looked for. */
  words: string
}

/** Reads one text of a customer. Total: any text has an understanding, if an empty one. */
export function understand(text: string, reading: DateReading): Understanding {
  const { lexicon } = reading
  const whole = normalize(text).slice(0, MAX_LENGTH)
  const ungreeted = whole.replace(lexicon.greetings, MASK).replace(lexicon.timeless, MASK).trim()
  const marked = markPeriods(ungreeted, lexicon)
  const found = findDates(marked, reading)
  const dates =
    found.dates.length === 0 && lexicon.todaysPeriod.test(ungreeted) ? [reading.today] : found.dates
  const { time, period, rest } = findTime(found.rest, lexicon)
  const open = rest.replace(lexicon.negated, MASK)
  const plain = ungreeted.replace(/^[\s;,.!?¿¡]+/, '')
  return {
    intent: intentOf(open, plain, lexicon),
    edit: editOf(open, lexicon),
    answer: answerOf(plain, lexicon),
    dates,
    time,
    period,
    greeting: whole !== ungreeted && new RegExp(lexicon.greetings.source).test(whole),
    thanks: lexicon.thanks.test(whole),
    bye: lexicon.bye.test(whole),
    question: lexicon.question.test(plain),
    anyProfessional: lexicon.anyProfessional.test(whole),
    words: rest,
  }
}

/** WhatsApp texts have at most 4,096 characters; what matters comes early. */
const MAX_LENGTH = 1_500

function intentOf(open: string, plain: string, lexicon: Lexicon): Intent | null {
  const found = lexicon.intents.find(({ pattern, intent }) => pattern.test(intent === 'menu' ? plain : open))
  return found?.intent ?? null
}

function editOf(open: string, lexicon: Lexicon): Edit | null {
  const named = lexicon.edits.find(({ pattern }) => pattern.test(open))
  if (named !== undefined) return named.edit
  return lexicon.change.test(open) ? 'any' : null
}

function answerOf(plain: string, lexicon: Lexicon): 'yes' | 'no' | null {
  if (lexicon.no.test(plain)) return 'no'
  return lexicon.yes.test(plain) ? 'yes' : null
}
