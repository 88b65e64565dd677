/** All that the guided model says, per locale. Days, times and names come in as they are to be read. */
export interface Texts {
  weekdays: readonly string[]
  weekdaysShort: readonly string[]
  /** `terça-feira, 08/12`. */
  day(weekday: string, month: number, day: number): string
  today: string
  tomorrow: string

  greeting(name: string | null): string
  menu: string
  menuEntries: {
    book: string
    mine: string
    human: string
    services: string
    reschedule: string
    cancel: string
    start: string
  }
  notUnderstood: string
  notUnderstoodAgain: string
  question: string
  thanks: string
  bye: string
  stopped: string
  kept: string
  noServices: string

  askService: string
  askWhichService: string
  servicesList: string
  moreServices: string
  minutes(minutes: number): string
  askDay: string
  askNewDay: string
  otherDay: string
  times(day: string): string
  after(time: string): string
  before(time: string): string
  timeWith(time: string, professional: string): string
  moreTimes: string
  askName: string

  confirmBooking(lines: readonly string[]): string
  confirmMove(lines: readonly string[]): string
  confirmCancel(lines: readonly string[]): string
  yes: string
  no: string
  at(day: string, time: string): string
  with(professional: string): string
  forName(name: string): string
  code(code: string): string
  declined: string
  editTime: string
  editDay: string
  editService: string
  stop: string

  booked(lines: readonly string[]): string
  moved(lines: readonly string[]): string
  cancelled(lines: readonly string[]): string
  appointments(lines: readonly string[]): string
  noAppointments: string
  askWhichToMove: string
  askWhichToCancel: string

  periods: { morning: string; afternoon: string; evening: string }
  noTimesOn(day: string, period: string | null): string
  timeNotFree(time: string, day: string): string
  pastDay: string
  professionalDoesNot(professional: string, service: string): string
  professionalDoes(professional: string): string
  /** By the domain error's word. */
  refusals: Readonly<Record<string, string>>
  refused: string
  failure: string
  finalAnswer: string

  /** For the staff. */
  summary: {
    wants: { book: string; reschedule: string; cancel: string }
    nothing: string
    lastWords(words: string): string
  }
}
