import type { SqlTx } from '../db/index.ts'
import { DomainError } from '../shared/app-error.ts'
import type { Clock } from '../shared/clock.ts'
import { loadSetting, type Setting } from './setting.ts'

/**
 * The settings of tenants as bookings saw them last. Reading one costs more than all else that a booking
 * reads, and it changes only with the tenant document, which counts its changes: `readSituation` compares
 * the count in the transaction that books, so a setting that is out of date never decides for a booking.
 */
export interface SettingCache {
  /** `work` on the known setting; what that refuses is asked again of the stored one. */
  resolve<T>(tx: SqlTx, work: (setting: Setting) => T): Promise<T>
  forget(tenantId: string): void
}

const MAX_TENANTS = 1_000

export function createSettingCache(clock: Clock): SettingCache {
  const known = new Map<string, Setting>()
  return {
    async resolve(tx, work) {
      const found = known.get(tx.tenantId)
      if (found !== undefined) {
        try {
          return work({ ...found, now: clock.now() })
        } catch (error) {
          if (!(error instanceof DomainError)) throw error
        }
      }
      const setting = await loadSetting(tx, clock)
      if (known.size >= MAX_TENANTS) known.clear()
      known.set(tx.tenantId, setting)
      return work(setting)
    },
    forget(tenantId) {
      known.delete(tenantId)
    },
  }
}
