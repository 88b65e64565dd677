import type { Service } from '../tool-results.ts'
import { type Action, type Choice, choice, MAX_CHOICES, offer } from './action.ts'
import { offerHuman } from './menus.ts'
import type { View } from './view.ts'

/** The services to choose from: those the words may mean, else those of the professional, else all. */
export function pickService(view: View, text: readonly (string | null)[]): Action {
  const { state, texts } = view
  const { serviceCandidates, professional } = state.draft
  const all = view.services ?? []
  if (all.length === 0) return offerHuman(view, texts.noServices)
  const meant = all.filter(({ key }) => serviceCandidates.includes(key))
  const theirs = all.filter(({ professionals }) => professionals.some(({ key }) => key === professional))
  const listed = [meant, theirs, all].find((services) => services.length > 0) ?? all
  const isAll = listed.length <= MAX_CHOICES
  const room = isAll ? MAX_CHOICES : MAX_CHOICES - 1
  const offset = state.offset < listed.length ? state.offset : 0
  const rows = listed.slice(offset, offset + room).map((service) => serviceChoice(service, view))
  const next = offset + room < listed.length ? offset + room : 0
  const more = isAll ? [] : [choice('services', String(next), texts.moreServices, { professional })]
  return offer(text, [...rows, ...more])
}

function serviceChoice(service: Service, { texts, state }: View): Choice {
  const facts = [
    service.minutes === null || service.minutes === undefined ? null : texts.minutes(service.minutes),
    service.price,
  ]
  const description = facts.filter((fact) => fact !== null && fact !== undefined).join(' · ')
  return {
    ...choice('service', service.key, service.name, { professional: state.draft.professional }),
    description,
  }
}
