import type { SqlReader } from '../db/index.ts'
import type { Interval, SlotQuestion } from '../scheduling/types.ts'
import type { Clock } from '../shared/clock.ts'
import {
  type Catalog,
  type CatalogProfessional,
  type CatalogService,
  loadCatalog,
} from '../tenancy/catalog.ts'
import { loadTenantProfile, type TenantProfile } from '../tenancy/tenant-profile.ts'

/** A tenant and the time. `now` in epoch milliseconds. */
export interface Moment {
  readonly profile: TenantProfile
  readonly now: number
}

/** All of a tenant that a booking decision depends on, but for what is booked. */
export interface Setting extends Moment {
  readonly catalog: Catalog
}

export async function loadMoment(reader: SqlReader, clock: Clock): Promise<Moment> {
  return { profile: await loadTenantProfile(reader), now: clock.now() }
}

export async function loadSetting(reader: SqlReader, clock: Clock): Promise<Setting> {
  const profile = await loadTenantProfile(reader)
  return { profile, catalog: await loadCatalog(reader), now: clock.now() }
}

/** What scheduling is asked about one professional; `blocked` is what they have already. */
export function slotQuestion(
  { profile, now }: Setting,
  service: CatalogService,
  professional: CatalogProfessional,
  blocked: readonly Interval[],
): SlotQuestion {
  const { hours, exceptions } = professional
  return {
    schedule: { timeZone: profile.timeZone, hours, exceptions, blocked },
    service,
    policy: profile.policy,
    now,
  }
}
