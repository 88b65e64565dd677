import type { AppointmentDto } from '../contracts/staff-api.ts'
import { classifyDatabaseError, type Reader, type SqlTx, type TenantStore, type Tx } from '../db/index.ts'
import { InfrastructureError } from '../shared/app-error.ts'
import type { Clock } from '../shared/clock.ts'
import { loadTenantProfile } from '../tenancy/tenant-profile.ts'
import { explainRefusal, loadBlockedAhead, type Refused, type Wish } from './explain-refusal.ts'
import { type Idempotency, remember, replay } from './idempotency.ts'
import type { SettingCache } from './setting-cache.ts'
import { SettingChanged } from './situation.ts'
import { StartRefused } from './start-refused.ts'

export interface BookingDependencies {
  readonly store: TenantStore
  readonly clock: Clock
}

export interface WriteDependencies extends BookingDependencies {
  readonly settings: SettingCache
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
  dependencies: WriteDependencies,
  tenantId: string,
  idempotency: Idempotency | null,
  work: (tx: SqlTx, progress: WriteProgress) => Promise<AppointmentDto>,
): Promise<AppointmentDto> {
  const { store } = dependencies
  return writeWith((once) => store.transactSql(tenantId, once), dependencies, tenantId, idempotency, work)
}

/** As {@link writeAppointment} for work that needs the whole of a transaction's handle. */
export async function writeAppointmentBeside(
  dependencies: WriteDependencies,
  tenantId: string,
  idempotency: Idempotency | null,
  work: (tx: Tx, progress: WriteProgress) => Promise<AppointmentDto>,
): Promise<AppointmentDto> {
  const { store } = dependencies
  return writeWith((once) => store.transact(tenantId, once), dependencies, tenantId, idempotency, work)
}

async function writeWith<Handle extends SqlTx>(
  transact: (once: (tx: Handle) => Promise<AppointmentDto>) => Promise<AppointmentDto>,
  { store, clock, settings }: WriteDependencies,
  tenantId: string,
  idempotency: Idempotency | null,
  work: (tx: Handle, progress: WriteProgress) => Promise<AppointmentDto>,
): Promise<AppointmentDto> {
  const progress: WriteProgress = { wish: null }
  const once = async (tx: Handle) => {
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
      return await transact(once)
    } catch (error) {
      if (error instanceof StartRefused) throw explainRefusal(error.wish, error.refused, error.blocked)
      const { kind } = classifyDatabaseError(error)
      const isStale = error instanceof SettingChanged
      if (isStale) settings.forget(tenantId)
      const again = isStale || kind === 'exclusion' || kind === 'unique'
      if (again && attempt < ATTEMPTS) continue
      const { wish } = progress
      const conflict = kind === 'exclusion' || kind === 'deadlock' || kind === 'serialization'
      if (!conflict || wish === null) throw asInfrastructureError(error)
      const blocked = await readTenant(store, tenantId, (reader) => loadBlockedAhead(reader, wish))
      throw explainRefusal(wish, takenBy(wish), blocked)
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
