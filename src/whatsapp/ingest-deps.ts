import type { Booking } from '../booking/create-booking.ts'
import type { TenantStore } from '../db/index.ts'
import type { Clock } from '../shared/clock.ts'
import { type ChannelRef, findChannelByPhoneNumberId } from '../tenancy/channels.ts'
import type { ContentOptions } from './message-content.ts'
import type { WebhookUpdate } from './webhook-types.ts'

export interface IngestDeps extends ContentOptions {
  readonly store: TenantStore
  readonly clock: Clock
  readonly debounceMs: number
  /** For the buttons that are acted on without the model. */
  readonly booking: Pick<Booking, 'confirm' | 'cancel'>
  /** Told of each update and what became of it: `stored`, `duplicate`, `applied`, or why it was kept aside. */
  readonly onUpdate: (kind: WebhookUpdate['kind'], outcome: string) => void
  /** Told of each update that stays with its raw body, and why. */
  readonly onKept: (kept: {
    readonly eventId: string
    readonly path: string
    readonly reason: string
  }) => void
  readonly onFailure: (error: unknown, path: string) => void
  /** Told of each conversation that the business's own phone took over. */
  readonly onHandoff: (handoff: {
    readonly tenantId: string
    readonly conversationId: string
    readonly reason: 'phone_takeover'
  }) => void
}

/** What an update became. `kept`: it stays in the raw body, with the reason beside it. */
export type IngestResult = string | { readonly kept: string }

/** The webhook body that an update came with. */
export interface Delivery {
  /** Arrival here, epoch ms. */
  readonly arrivedAt: number
  /** Meta's time of the entry, epoch ms; its arrival where the entry has none. */
  readonly entryAt: number
}

/** Whose number an update is about; null for a number that no tenant here has. */
export async function channelOf(deps: IngestDeps, update: WebhookUpdate): Promise<ChannelRef | null> {
  return update.phoneNumberId === null ? null : findChannelByPhoneNumberId(deps.store, update.phoneNumberId)
}

const LATEST_MS = Date.parse('9999-12-31T00:00:00Z')

/** A time that a database can hold, or null: what comes from outside may be anything. */
export function sensibleTime(ms: number | null): number | null {
  return ms !== null && ms > 0 && ms < LATEST_MS ? ms : null
}
