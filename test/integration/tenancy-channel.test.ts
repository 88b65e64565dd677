import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApplyDependencies, applyTenantDocument } from '../../src/tenancy/apply-tenant-document.ts'
import { decryptToken } from '../../src/tenancy/channel-token.ts'
import {
  findChannelByPhoneNumberId,
  findChannelsByWabaId,
  loadChannelAccount,
} from '../../src/tenancy/channels.ts'
import { parseTenantDocument } from '../../src/tenancy/parse-tenant-document.ts'
import { loadTenantProfile } from '../../src/tenancy/tenant-profile.ts'
import { findTenantBySlug } from '../../src/tenancy/tenants.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import {
  createTestClock,
  createTwoTenants,
  type DocumentInput,
  studioDocument,
  TEST_ENCRYPTION_KEY,
} from '../support/factories.ts'

let database: TestDatabase
const dependencies: ApplyDependencies = { encryptionKey: TEST_ENCRYPTION_KEY, clock: createTestClock() }

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

function apply(input: DocumentInput, changed: Partial<ApplyDependencies> = {}) {
  return applyTenantDocument(database.store, parseTenantDocument(input), { ...dependencies, ...changed })
}

async function idOf(input: DocumentInput): Promise<string> {
  const id = await findTenantBySlug(database.store, String(input['slug']))
  if (id === null) throw new Error('no such tenant')
  return id
}

async function versionOf(tenantId: string): Promise<number> {
  return (await database.store.read(tenantId, loadTenantProfile)).version
}

async function rowsOf(tenantId: string) {
  return database.store.read(tenantId, async (reader) => ({
    tenant: await reader.tenant.findMany(),
    channels: await reader.channel.findMany(),
    services: await reader.service.findMany({ orderBy: { id: 'asc' } }),
    professionals: await reader.professional.findMany({ orderBy: { id: 'asc' } }),
    shifts: await reader.shift.findMany({ orderBy: { id: 'asc' } }),
    exceptions: await reader.scheduleException.findMany({ orderBy: { id: 'asc' } }),
    staff: await reader.staff.findMany({ orderBy: { id: 'asc' } }),
  }))
}

describe('the channel', () => {
  it('keeps its token encrypted at rest, for its own tenant only', async () => {
    const [one, other] = await createTwoTenants(database.store)
    const token = one.document.channel.accessToken ?? ''
    const row = await database.store.read(one.id, (reader) =>
      reader.channel.findUniqueOrThrow({ where: { tenantId: one.id } }),
    )
    const stored = row.accessTokenEncrypted ?? new Uint8Array()
    expect(Buffer.from(stored).includes(token)).toBe(false)
    expect(decryptToken(stored, one.id, TEST_ENCRYPTION_KEY)).toBe(token)
    expect(decryptToken(stored, other.id, TEST_ENCRYPTION_KEY)).toBeNull()
    expect(decryptToken(stored, one.id, Buffer.alloc(32, 8))).toBeNull()
    const account = await database.store.read(one.id, (reader) =>
      loadChannelAccount(reader, one.channelId, TEST_ENCRYPTION_KEY),
    )
    expect(account).toMatchObject({ tenantId: one.id, channelId: one.channelId, accessToken: token })
    await expect(
      database.store.read(other.id, (reader) =>
        loadChannelAccount(reader, one.channelId, TEST_ENCRYPTION_KEY),
      ),
    ).rejects.toMatchObject({ code: 'channel_not_found' })
    await expect(
      database.store.read(one.id, (reader) => loadChannelAccount(reader, one.channelId, Buffer.alloc(32, 8))),
    ).rejects.toMatchObject({ code: 'channel_token_unreadable' })
  })

  it('keeps the stored token when the document leaves it out, and takes a new one', async () => {
    const input = studioDocument()
    await apply(input)
    const id = await idOf(input)
    const { accessToken, ...channel } = parseTenantDocument(input).channel
    await apply({ ...input, channel }, { encryptionKey: null })
    expect(await versionOf(id)).toBe(1)
    await apply({ ...input, channel: { ...channel, accessToken: 'another' } })
    expect(await versionOf(id)).toBe(2)
    expect(accessToken).not.toBe('another')
  })

  it('is refused without an encryption key', async () => {
    await expect(apply(studioDocument(), { encryptionKey: null })).rejects.toMatchObject({
      code: 'encryption_key_missing',
    })
  })

  it('is refused when another tenant has its number, and nothing changes', async () => {
    const [one, other] = await createTwoTenants(database.store)
    const before = await rowsOf(one.id)
    const stolen = { ...one.document, name: 'Changed', channel: other.document.channel }
    await expect(apply(stolen)).rejects.toMatchObject({ code: 'phone_number_taken' })
    await expect(apply(studioDocument({ channel: other.document.channel }))).rejects.toMatchObject({
      code: 'phone_number_taken',
    })
    expect(await rowsOf(one.id)).toEqual(before)
  })

  it('is found by its number and by its account', async () => {
    const [one, other] = await createTwoTenants(database.store)
    const { phoneNumberId, wabaId } = one.document.channel
    const found = await findChannelByPhoneNumberId(database.store, phoneNumberId)
    expect(found).toEqual({ tenantId: one.id, channelId: one.channelId })
    expect(await findChannelByPhoneNumberId(database.store, '1')).toBeNull()
    await apply({ ...other.document, channel: { ...other.document.channel, wabaId } })
    const tenants = (await findChannelsByWabaId(database.store, wabaId)).map(({ tenantId }) => tenantId)
    expect(new Set(tenants)).toEqual(new Set([one.id, other.id]))
  })
})
