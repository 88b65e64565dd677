import type { Locale } from '../../../shared/locale.ts'
import type { DialogueState } from '../dialogue-state.ts'
import type { Turn } from '../read-turns.ts'
import type { Texts } from '../texts/texts.ts'
import type { Reference, Service } from '../tool-results.ts'

/** All that the next action is decided from. */
export interface View {
  state: DialogueState
  turn: Turn
  /** Newest known; null when they were never listed. */
  services: readonly Service[] | null
  locale: Locale
  texts: Texts
  /** Local now, `YYYY-MM-DDTHH:MM`. */
  now: string
  /** From the context; null when unknown. */
  customerName: string | null
}

/** The service that a result names by key or by name. */
export function serviceBy(reference: Reference | null | undefined, view: View): Service | null {
  const { key, name } = partsOf(reference)
  return view.services?.find((service) => service.key === key || service.name === name) ?? null
}

export function professionalBy(
  reference: Reference | null | undefined,
  view: View,
): { key: string; name: string } | null {
  const { key, name } = partsOf(reference)
  const everyone = view.services?.flatMap(({ professionals }) => professionals) ?? []
  return everyone.find((professional) => professional.key === key || professional.name === name) ?? null
}

/** The name to show of what a result names, also when it is not in the catalogue any more. */
export function nameOf(
  reference: Reference | null | undefined,
  known: { name: string } | null,
): string | null {
  if (known !== null) return known.name
  if (reference === null || reference === undefined) return null
  return typeof reference === 'string' ? reference : reference.name
}

function partsOf(reference: Reference | null | undefined): {
  key: string | undefined
  name: string | undefined
} {
  if (reference === null || reference === undefined) return { key: undefined, name: undefined }
  return typeof reference === 'string'
    ? { key: reference, name: reference }
    : { key: reference.key, name: reference.name }
}
