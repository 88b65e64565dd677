import type { Reader } from '../db/index.ts'
import type { Clock } from '../shared/clock.ts'
import { professionalsDoing } from './resolve.ts'
import { loadSetting } from './setting.ts'

export interface ServiceListing {
  readonly key: string
  readonly name: string
  readonly description: string
  readonly durationMinutes: number
  /** null: no fixed price. */
  readonly priceCents: number | null
  /** ISO 4217. */
  readonly currency: string
  readonly professionals: readonly { readonly key: string; readonly name: string }[]
}

/** What can be booked, in the order of the tenant document, and with whom. */
export async function listServices(reader: Reader, clock: Clock): Promise<ServiceListing[]> {
  const setting = await loadSetting(reader, clock)
  return setting.catalog.services
    .filter(({ active }) => active)
    .map((service) => ({
      key: service.key,
      name: service.name,
      description: service.description,
      durationMinutes: service.durationMinutes,
      priceCents: service.priceCents,
      currency: setting.profile.currency,
      professionals: professionalsDoing(setting, service).map(({ key, name }) => ({ key, name })),
    }))
}
