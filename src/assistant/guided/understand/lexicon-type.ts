/** What a customer may want, as far as words tell. `availability` starts the same dialogue as `book`. */
export type Intent =
  | 'human'
  | 'cancel'
  | 'reschedule'
  | 'my_appointments'
  | 'availability'
  | 'book'
  | 'services'
  | 'menu'

export type Edit = 'time' | 'day' | 'service' | 'any'

/**
 * Everything that differs between languages. All words and patterns are for normalised text (lower case, no
 * accents); strings are sources of regular expressions that must not hold capturing groups.
 */
export interface Lexicon {
  /** Number words 1 to 12, as an hour or an option. */
  numbers: Readonly<Record<string, number>>
  /** Ordinal words as an option. */
  ordinals: Readonly<Record<string, number>>
  /** Ordinals that are also weekday names. */
  weekdayOrdinals: ReadonlySet<string>
  /** Around a number or an ordinal that answers a list: articles, `opção`, `número`. */
  optionWords: string
  lastOption: RegExp
  /** Monday first. */
  weekdays: readonly string[]
  /** January first. */
  months: readonly string[]
  weekday: { this: string; next: string; after: string; nextWeek: string }
  /** Whether `next friday` is the coming one or that of the next week. */
  nextMeans: 'coming' | 'next_week'
  nextWeek: RegExp
  relativeDays: readonly { pattern: RegExp; days: number }[]
  /** `this evening`: a part of today without the word for today. */
  todaysPeriod: RegExp
  /** Group 1 is the number of days or weeks. */
  inDays: RegExp
  inWeeks: RegExp
  /** Group 1 is the day of the month. */
  dayOfMonth: readonly RegExp[]
  /** Between day, month and year: `de`, `of`. */
  dateJoin: string
  greetings: RegExp
  /** Phrases that hold a word of time without meaning it (`mais tarde`). */
  timeless: RegExp
  periods: { morning: RegExp; afternoon: RegExp; evening: RegExp }
  clock: {
    noon: RegExp
    midnight: RegExp
    /** Before an hour: `as`, `at`. */
    at: string
    /** After an hour: `h`, `horas`, `o'clock`. */
    unit: string
    /** After an hour: `e meia`, with what it adds in minutes. */
    suffixes: readonly { source: string; minutes: number }[]
    /** Before an hour: `half past`. */
    prefixes: readonly { source: string; minutes: number }[]
    after: string
    before: string
  }
  intents: readonly { intent: Intent; pattern: RegExp }[]
  /** Taken out before intents are looked for: `nao quero cancelar`. */
  negated: RegExp
  /** Change words that mean the draft while one is open, and an appointment otherwise. */
  change: RegExp
  edits: readonly { edit: Edit; pattern: RegExp }[]
  yes: RegExp
  no: RegExp
  thanks: RegExp
  bye: RegExp
  question: RegExp
  /** Before a professional's name; allows a typo in short names. */
  with: string
  anyProfessional: RegExp
  /** Leading words of an answer to `what is your name`. */
  nameLead: RegExp
  /** Words that say nothing about a service. */
  fillers: ReadonlySet<string>
}
