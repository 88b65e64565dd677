import type { Reader, TenantStore } from '../db/index.ts'
import { AppError } from '../shared/app-error.ts'
import { decryptToken } from './channel-token.ts'
import { encryptionKeyMissing } from './errors.ts'

export interface ChannelRef {
  readonly tenantId: string
  readonly channelId: string
}

/** What it takes to send through a channel. */
export interface ChannelAccount extends ChannelRef {
  readonly phoneNumberId: string
  readonly wabaId: string
  readonly accessToken: string
}

const ROUTING = 'a webhook names its channel before the tenant is known'

/** The channel of Meta's phone number id, or null. */
export async function findChannelByPhoneNumberId(
  store: TenantStore,
  phoneNumberId: string,
): Promise<ChannelRef | null> {
  const row = await store.unsafeRead(ROUTING, (reader) =>
    reader.channel.findUnique({ where: { phoneNumberId }, select: { tenantId: true, id: true } }),
  )
  return row === null ? null : { tenantId: row.tenantId, channelId: row.id }
}

/** Every channel under a WhatsApp business account; one account may hold the numbers of several tenants. */
export async function findChannelsByWabaId(store: TenantStore, wabaId: string): Promise<ChannelRef[]> {
  const rows = await store.unsafeRead(ROUTING, (reader) =>
    reader.channel.findMany({
      where: { wabaId },
      select: { tenantId: true, id: true },
      orderBy: { id: 'asc' },
    }),
  )
  return rows.map((row) => ({ tenantId: row.tenantId, channelId: row.id }))
}

/**
 * @throws AppError `channel_not_found`; `encryption_key_missing`; `channel_token_unreadable` when there is
 *   no token or it was stored under another ENCRYPTION_KEY.
 */
export async function loadChannelAccount(
  reader: Reader,
  channelId: string,
  encryptionKey: Buffer | null,
): Promise<ChannelAccount> {
  const { tenantId } = reader
  const row = await reader.channel.findUnique({ where: { tenantId_id: { tenantId, id: channelId } } })
  if (row === null) throw new AppError('channel_not_found', 'there is no such channel')
  if (encryptionKey === null) throw encryptionKeyMissing()
  const stored = row.accessTokenEncrypted
  const accessToken = stored === null ? null : decryptToken(stored, tenantId, encryptionKey)
  if (accessToken === null) {
    throw new AppError(
      'channel_token_unreadable',
      'the channel has no token that this ENCRYPTION_KEY opens: apply the tenant document with channel.accessToken',
    )
  }
  return { tenantId, channelId, phoneNumberId: row.phoneNumberId, wabaId: row.wabaId, accessToken }
}
