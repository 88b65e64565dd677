/** What is the matter, and the step that helps next. */
export interface DomainText {
  readonly message: string
  readonly suggestion: string
}

/**
 * The words of every refusal. They are read by the model (or a person of the staff), so they are short,
 * say what to do next, and write times in the form that the tools accept. Lists are comma-separated text
 * and may be empty, dates may be null: then the words say that there is none.
 */
export interface DomainTexts {
  timeTaken(nearest: string): DomainText
  dayFull(date: string, nearest: string, nextDate: string | null): DomainText
  closedThatDay(date: string, closedBy: 'exception' | 'weekly_hours', nextDate: string | null): DomainText
  outsideHours(open: string, nearest: string): DomainText
  offGrid(nearest: string): DomainText
  tooSoon(noticeMinutes: number, earliest: string | null): DomainText
  tooFar(lastDate: string): DomainText
  inThePast(now: string, nearest: string): DomainText
  invalidStart(): DomainText
  wholeMinutes(field: string): DomainText
  unknownService(services: string): DomainText
  unknownProfessional(professionals: string): DomainText
  professionalDoesNotDoService(professional: string | null, others: string): DomainText
  limitReached(limit: number, codes: string): DomainText
  customerBusy(code: string, from: string, to: string): DomainText
  notFound(): DomainText
  unknownCustomer(): DomainText
  changeTooLate(noticeMinutes: number): DomainText
  alreadyCancelled(): DomainText
  wrongState(status: string): DomainText
  idempotencyMismatch(): DomainText
}
