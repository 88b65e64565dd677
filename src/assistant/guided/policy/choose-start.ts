import { clockOf, longDay } from '../texts/texts.ts'
import type { Period } from '../understand/find-time.ts'
import { type Action, offer, say } from './action.ts'
import { findListing, type Listing } from './listing.ts'
import { menuEntry, offerHuman } from './menus.ts'
import { likelyMinutes, matchTime, offerDays, offerTimes, withinBound } from './offer-times.ts'
import type { View } from './view.ts'

export interface Start {
  kind: 'start'
  /** `YYYY-MM-DDTHH:MM`. */
  startsAt: string
  /** A key; null for whoever is free. */
  professional: string | null
}

export interface StartWish {
  service: string
  professional: string | null
  /** Of the appointment that is moved. */
  code: string | null
  notes: readonly string[]
  /** What was wanted was refused in this turn: only other times are of use. */
  isTaken: boolean
  askDay: string
}

/** `list_available_times` gives at most so many; with fewer, the list is all there is. */
const LIST_CAP = 24

/** The start that the draft means; else what to do or to ask next to get one. The draft must have a date. */
export function chooseStart(wish: StartWish, view: View): Start | { kind: 'action'; action: Action } {
  const { draft } = view.state
  const { texts, now } = view
  const date = draft.date ?? now.slice(0, 10)
  if (date < now.slice(0, 10))
    return acting(offerDays([...wish.notes, texts.pastDay, wish.askDay], wish, view))
  const time = draft.time
  if (draft.isOffered && time !== null && !wish.isTaken) {
    return {
      kind: 'start',
      startsAt: `${date}T${clockOf(time.minutes)}`,
      professional: draft.professional ?? null,
    }
  }
  const listing = findListing(
    { service: wish.service, professional: wish.professional, date, period: draft.period },
    view,
  )
  if (listing.kind !== 'times') return acting(withoutTimes(listing, wish, view))
  const isThatDay = listing.date === date
  if (time?.bound === 'at' && !wish.isTaken && isThatDay) {
    const found = matchTime(listing.times, time)
    if (found !== null) return { kind: 'start', startsAt: found.startsAt, professional: wish.professional }
    if (listing.times.length >= LIST_CAP) return lookCloser(wish, view, listing)
  }
  return acting(offerListed(wish, view, listing))
}

type Times = Extract<Listing, { kind: 'times' }>

/** A full list leaves out starts of its day: the wanted one may be among them. */
function lookCloser(wish: StartWish, view: View, listing: Times): Start | { kind: 'action'; action: Action } {
  const time = view.state.draft.time
  const minutes = time === null ? 0 : likelyMinutes(time)
  const period = periodOf(minutes)
  const { service, professional } = wish
  const part =
    listing.period === null
      ? findListing({ service, professional, date: listing.date, period }, view)
      : listing
  if (part.kind === 'call') return acting({ kind: 'call', name: 'list_available_times', input: part.input })
  if (part.kind !== 'times' || part.period !== period || time === null)
    return acting(offerListed(wish, view, listing))
  const found = matchTime(part.times, time)
  if (found !== null) return { kind: 'start', startsAt: found.startsAt, professional: wish.professional }
  // Still a full list: booking will tell.
  if (part.times.length >= LIST_CAP) {
    return { kind: 'start', startsAt: `${listing.date}T${clockOf(minutes)}`, professional: wish.professional }
  }
  return acting(offerListed(wish, view, part))
}

/** The free times of the listed day, with a word on why they are not the wanted one. */
function offerListed(wish: StartWish, view: View, listing: Times): Action {
  const { texts, state } = view
  const time = state.draft.time
  const wanted = time === null ? null : likelyMinutes(time)
  const bounded = withinBound(listing.times, time)
  const day = longDay(listing.date, texts)
  const isMissed =
    time?.bound === 'at' && wanted !== null && !wish.isTaken && state.draft.date === listing.date
  const bound =
    time === null || time.bound === 'at' || wanted === null ? null : texts[time.bound](clockOf(wanted))
  const notes = [
    ...wish.notes,
    ...listing.notes,
    isMissed ? texts.timeNotFree(clockOf(wanted), day) : null,
    bounded.length === 0 ? texts.noTimesOn(day, bound) : null,
  ]
  const { service, professional, code } = wish
  const times = bounded.length === 0 ? listing.times : bounded
  const near = time?.bound === 'at' || bounded.length === 0 ? wanted : null
  return offerTimes({ date: listing.date, times, notes, near, service, professional, code }, view)
}

function withoutTimes(listing: Exclude<Listing, Times>, wish: StartWish, view: View): Action {
  const { texts } = view
  if (listing.kind === 'call') return { kind: 'call', name: 'list_available_times', input: listing.input }
  if (listing.kind === 'none') return offerDays([...wish.notes, ...listing.notes, wish.askDay], wish, view)
  if (listing.code === 'failure') return say(texts.failure)
  const note = texts.refusals[listing.code] ?? texts.refused
  return wish.code === null
    ? offer([note], [menuEntry('book', view), menuEntry('human', view)])
    : offerHuman(view, note)
}

function periodOf(minutes: number): Period {
  if (minutes < 12 * 60) return 'morning'
  return minutes < 18 * 60 ? 'afternoon' : 'evening'
}

function acting(action: Action): { kind: 'action'; action: Action } {
  return { kind: 'action', action }
}
