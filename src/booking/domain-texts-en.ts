import type { DomainTexts } from './domain-text.ts'

const HUMAN = 'Offer to hand over to a person of the team.'
const LIST = 'List the times of another date.'

function offer(nearest: string): string {
  return nearest === '' ? `There is no free time nearby. ${HUMAN}` : `Offer one of these: ${nearest}.`
}

function next(date: string | null): string {
  return date === null
    ? `There is no later date with a free time. ${HUMAN}`
    : `Next date with a free time: ${date}.`
}

export const en: DomainTexts = {
  timeTaken: (nearest) => ({ message: 'That time is taken.', suggestion: offer(nearest) }),
  dayFull: (date, nearest, nextDate) => ({
    message: `There is no free time on ${date} for what was asked.`,
    suggestion: nearest === '' ? next(nextDate) : `${offer(nearest)} ${next(nextDate)}`,
  }),
  closedThatDay: (date, closedBy, nextDate) => ({
    message:
      closedBy === 'exception'
        ? `Closed on ${date}: that date is an exception.`
        : `Closed on ${date}: nobody works on that weekday.`,
    suggestion: next(nextDate),
  }),
  outsideHours: (open, nearest) => ({
    message: `The service does not fit into the opening hours${open === '' ? '' : `: ${open}`}.`,
    suggestion: offer(nearest),
  }),
  offGrid: (nearest) => ({ message: 'No appointment starts at that minute.', suggestion: offer(nearest) }),
  tooSoon: (minutes, earliest) => ({
    message: `Appointments need more than ${minutes} minutes of notice.`,
    suggestion: earliest === null ? LIST : `The earliest possible time is ${earliest}.`,
  }),
  tooFar: (lastDate) => ({
    message: `The calendar is open until ${lastDate} only.`,
    suggestion: `Ask for a date up to ${lastDate}.`,
  }),
  inThePast: (now, nearest) => ({
    message: `That moment has passed; it is ${now}.`,
    suggestion: offer(nearest),
  }),
  invalidStart: () => ({
    message: 'That date or time does not exist.',
    suggestion: 'Use a date of the calendar, written YYYY-MM-DD or YYYY-MM-DDTHH:MM.',
  }),
  wholeMinutes: (field) => ({
    message: `${field}: appointments start on a whole minute.`,
    suggestion: 'Leave out seconds and fractions, for example 2026-12-07T09:00:00-03:00.',
  }),
  unknownService: (services) => ({
    message: 'There is no such service.',
    suggestion: services === '' ? HUMAN : `Use the key of one of these: ${services}.`,
  }),
  unknownProfessional: (professionals) => ({
    message: 'There is no such professional.',
    suggestion: professionals === '' ? HUMAN : `Use the key of one of these: ${professionals}.`,
  }),
  professionalDoesNotDoService: (professional, others) => ({
    message: `${professional ?? 'Nobody'} ${professional === null ? 'does' : 'does not do'} that service.`,
    suggestion: others === '' ? HUMAN : `Who does: ${others}.`,
  }),
  limitReached: (limit, codes) => ({
    message: `The customer has ${limit} coming appointment(s) already, the most allowed: ${codes}.`,
    suggestion: 'Offer to move or cancel one of them.',
  }),
  customerBusy: (code, from, to) => ({
    message: `The customer already has appointment ${code} from ${from} to ${to}.`,
    suggestion: 'Offer another time or move that one; if it is for somebody else, give their name.',
  }),
  notFound: () => ({
    message: 'There is no appointment with that code.',
    suggestion: "Check the code in the list of the customer's appointments.",
  }),
  unknownCustomer: () => ({
    message: 'There is no such customer.',
    suggestion: 'Check who the customer is.',
  }),
  changeTooLate: (minutes) => ({
    message: `It starts in less than ${minutes} minutes: it can no longer be moved or cancelled here.`,
    suggestion: 'Hand over to a person of the team, who can help.',
  }),
  alreadyCancelled: () => ({
    message: 'That appointment is cancelled already.',
    suggestion: 'If the customer wants to come after all, book a new one.',
  }),
  wrongState: (status) => ({
    message: `That appointment is over (${status}) and cannot change like this.`,
    suggestion: 'Book a new one if need be.',
  }),
  idempotencyMismatch: () => ({
    message: 'That idempotency key was used with another request.',
    suggestion: 'Use a new key for a new request.',
  }),
}
