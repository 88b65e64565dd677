import { type Listener, listen } from '../db/index.ts'

/** Wakes the streams of a tenant when something of it changed, in whatever process. */
export interface LiveHub {
  /** @returns takes the subscription back. */
  subscribe(tenantId: string, wake: () => void): () => void
  close(): Promise<void>
}

export interface LiveHubOptions {
  readonly databaseUrl: string
  /** The connection broke; it is made again by itself. */
  readonly onLost: (error: unknown) => void
}

const CHANNEL = 'live_events'

/**
 * One LISTEN connection for the whole process, made with the first subscription. A notification carries tenant
 * and event id alone; the streams read from the table what they have not told. When the connection was away,
 * all of them look.
 */
export function createLiveHub({ databaseUrl, onLost }: LiveHubOptions): LiveHub {
  const subscribers = new Map<string, Set<() => void>>()
  const wakeTenant = (tenantId: string) => {
    for (const wake of subscribers.get(tenantId) ?? []) wake()
  }
  let listener: Listener | null = null
  const start = () =>
    listen({
      databaseUrl,
      channel: CHANNEL,
      onMessage: (payload) => wakeTenant(payload.slice(0, payload.indexOf(':'))),
      onConnected: () => {
        for (const tenantId of subscribers.keys()) wakeTenant(tenantId)
      },
      onLost,
    })
  return {
    subscribe(tenantId, wake) {
      listener ??= start()
      const ofTenant = subscribers.get(tenantId) ?? new Set()
      subscribers.set(tenantId, ofTenant.add(wake))
      return () => {
        ofTenant.delete(wake)
        if (ofTenant.size === 0 && subscribers.get(tenantId) === ofTenant) subscribers.delete(tenantId)
      }
    },
    async close() {
      subscribers.clear()
      await listener?.close()
    },
  }
}
