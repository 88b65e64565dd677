import type { AppointmentDto } from '../contracts/staff-api.ts'
import { classifyDatabaseError, type Reader, type TenantStore, type Tx } from '../db/index.ts'
import { InfrastructureError } from '../shared/app-error.ts'
import type { Clock } from '../shared/clock.ts'
import { loadTenantProfile } from '../tenancy/tenant-profile.ts'
import { explainRefusal, type Refused, type Wish } from './explain-refusal.ts'
import { type Idempotency, remember, replay } from './idempotency.ts'

export interface BookingDependencies {
  readonly store: TenantStore
  readonly clock: Clock
}

/** Nobody can be had at the wanted start. Explained outside the transaction, when its locks are gone. */
export class StartRefused extends Error {
  readonly wish: Wish
  readonly refused: readonly Refused[]

  constructor(wish: Wish, refused: readonly Refused[]) {
    super('no candidate can be had at the wanted start')
    this.wish = wish
    this.refused = refused
  }
}

/** What a write tells about itself while it runs, for the case that the database refuses it. */
export interface WriteProgress {
  wish: Wish | null
}

const ATTEMPTS = 4

/**
 * Runs one write in one transaction, with its idempotency record. `work` may run more than once and must
 * have no effect outside the transaction.
 *
 * Under the locks the constraint is never hit by another booking; where it is (somebody wrote past the
 * locks), the write starts again and then sees what is in its way. What the database still refuses as a
 * conflict, deadlock or serialization failure reads as taken, never as an internal error.
 * @throws DomainError; InfrastructureError when the database cannot be reached or does not answer in time.
 */
export async function writeAppointment(
  { store, clock }: BookingDependencies,
  tenantId: string,
  idempotency: Idempotency | null,
  work: (tx: Tx, progress: WriteProgress) => Promise<AppointmentDto>,
): Promise<AppointmentDto> {
  const progress: WriteProgress = { wish: null }
  const once = async (tx: Tx) => {
    progress.wish = null
    if (idempotency === null) return work(tx, progress)
    const loadLocale = async () => (await loadTenantProfile(tx)).locale
    const known = await replay(tx, tenantId, idempotency, loadLocale)
    if (known !== null) return known
    const result = await work(tx, progress)
    await remember(tx, tenantId, idempotency, result, clock.now())
    return result
  }
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await store.transact(tenantId, once)
    } catch (error) {
      if (error instanceof StartRefused) {
        const { wish, refused } = error
        throw await readTenant(store, tenantId, (reader) => explainRefusal(reader, wish, refused))
      }
      const { kind } = classifyDatabaseError(error)
      const again = kind === 'exclusion' || kind === 'unique'
      if (again && attempt < ATTEMPTS) continue
      const { wish } = progress
      const conflict = kind === 'exclusion' || kind === 'deadlock' || kind === 'serialization'
      if (!conflict || wish === null) throw asInfrastructureError(error)
      throw await readTenant(store, tenantId, (reader) => explainRefusal(reader, wish, takenBy(wish)))
    }
  }
}

/** As `store.read`. @throws InfrastructureError when the database cannot be reached or does not answer. */
export async function readTenant<T>(
  store: TenantStore,
  tenantId: string,
  work: (reader: Reader) => Promise<T>,
): Promise<T> {
  return store.read(tenantId, work).catch((error: unknown) => {
    throw asInfrastructureError(error)
  })
}

function takenBy(wish: Wish): Refused[] {
  return wish.candidates.map((professional) => ({
    professional,
    refusal: { ok: false, reason: 'time_taken' },
  }))
}

function asInfrastructureError(error: unknown): unknown {
  const { kind } = classifyDatabaseError(error)
  if (kind !== 'connection' && kind !== 'timeout' && kind !== 'deadlock' && kind !== 'serialization')
    return error
  return new InfrastructureError('database_unavailable', 'the database did not answer', { cause: error })
}
