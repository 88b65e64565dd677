import { recordChannelEvent } from '../tenancy/channel-events.ts'
import { type ChannelRef, findChannelsByWabaId } from '../tenancy/channels.ts'
import { channelOf, type Delivery, type IngestDeps, type IngestResult } from './ingest-deps.ts'
import { looseText } from './loose.ts'
import type { AccountUpdate, ErrorUpdate } from './webhook-types.ts'

/**
 * News of the account, a number or a template, kept for the owner of every channel it is about. An account may
 * hold the numbers of several tenants: what names a number goes to that one alone.
 */
export async function ingestAccount(
  deps: IngestDeps,
  update: AccountUpdate,
  delivery: Delivery,
): Promise<IngestResult> {
  const channels = update.wabaId === null ? [] : await findChannelsByWabaId(deps.store, update.wabaId)
  const named = digits(update.raw['display_phone_number']) ?? digits(update.raw['phone_number'])
  const { field, event, raw } = update
  let stored = 0
  let known = 0
  for (const channel of channels) {
    if (named !== null && !(await hasNumber(deps, channel, named))) continue
    known += 1
    const at = delivery.entryAt
    const isNew = await deps.store.transact(channel.tenantId, (tx) =>
      recordChannelEvent(tx, { channelId: channel.channelId, field: field ?? '', event, payload: raw, at }),
    )
    if (isNew) stored += 1
  }
  if (known === 0) return { kept: 'unknown_account' }
  return stored > 0 ? 'stored' : 'duplicate'
}

/** Meta could not do something and says so outside of any message: the owner sees it as an alert. */
export async function ingestError(
  deps: IngestDeps,
  update: ErrorUpdate,
  delivery: Delivery,
): Promise<IngestResult> {
  const channel = await channelOf(deps, update)
  if (channel === null) return { kept: 'unknown_number' }
  const { code, detail } = update.error
  const isNew = await deps.store.transact(channel.tenantId, (tx) =>
    recordChannelEvent(tx, {
      channelId: channel.channelId,
      field: 'errors',
      event: String(code),
      payload: { code, detail, field: update.field },
      at: delivery.entryAt,
    }),
  )
  return isNew ? 'stored' : 'duplicate'
}

async function hasNumber(deps: IngestDeps, channel: ChannelRef, named: string): Promise<boolean> {
  const row = await deps.store.read(channel.tenantId, (reader) =>
    reader.channel.findUnique({
      where: { tenantId_id: { tenantId: channel.tenantId, id: channel.channelId } },
      select: { displayPhoneNumber: true },
    }),
  )
  return row !== null && digits(row.displayPhoneNumber) === named
}

function digits(value: unknown): string | null {
  return looseText.parse(value)?.replace(/\D/g, '') || null
}
