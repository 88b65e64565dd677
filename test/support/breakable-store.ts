import type { TenantStore } from '../../src/db/index.ts'

/** A database whose next read of a tenant fails as told, once. */
export interface BreakableStore {
  readonly wrap: (store: TenantStore) => TenantStore
  failNextRead(error: Error): void
  mend(): void
}

export function breakableStore(): BreakableStore {
  let failure: Error | null = null
  return {
    wrap: (store) => ({
      ...store,
      read: async (...call) => {
        const error = failure
        failure = null
        if (error !== null) throw error
        return store.read(...call)
      },
    }),
    failNextRead: (error) => {
      failure = error
    },
    mend: () => {
      failure = null
    },
  }
}
