import { isDeepStrictEqual } from 'node:util'
import type { StoredTenantDocument, TenantDocument } from '../contracts/tenant-document.ts'
import { classifyDatabaseError, type TenantStore, type Tx } from '../db/index.ts'
import type { Clock } from '../shared/clock.ts'
import { newId } from '../shared/ids.ts'
import { resumeSends } from './channel-sends.ts'
import { decryptToken, encryptToken } from './channel-token.ts'
import {
  type DocumentIssue,
  encryptionKeyMissing,
  InvalidDocumentError,
  phoneNumberTaken,
  preconditionFailed,
} from './errors.ts'
import { planFits, planStaff, readStaff, type StaffPlan, writeStaff } from './plan-staff.ts'
import { configurationOf, readConfiguration, readStoredDocument } from './stored-document.ts'
import { findTenantBySlug } from './tenants.ts'
import { tenantColumns, writeConfiguration } from './write-configuration.ts'

export interface ApplyDependencies {
  /** 32 bytes; null: a document with a channel token is refused. */
  readonly encryptionKey: Buffer | null
  readonly clock: Clock
  /** The version that the document was made from; whatever it is when left out. */
  readonly expectedVersion?: number
}

/** Two at once on one slug: the later one starts again on what the earlier one left. */
const ATTEMPTS = 8

/**
 * Makes the tenant what its document says, all of it or nothing, and gives the stored document. Applying
 * the same document again changes nothing; `version` is raised only when something changed.
 * @throws AppError `precondition_failed` when the version is not the expected one; InvalidDocumentError when the token is missing and none is stored, or a new person of the staff
 *   has no password; AppError `phone_number_taken`, `encryption_key_missing`.
 */
export async function applyTenantDocument(
  store: TenantStore,
  document: TenantDocument,
  dependencies: ApplyDependencies,
): Promise<StoredTenantDocument> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const stored = await applyOnce(store, document, dependencies)
      if (stored !== 'overtaken') return stored
    } catch (error) {
      const { kind, constraint } = classifyDatabaseError(error)
      if (kind !== 'unique') throw error
      if (constraint?.includes('phone_number_id')) throw phoneNumberTaken(error)
      // Another request created the tenant under this slug in between; now it is there to be changed.
      if (attempt >= ATTEMPTS) throw error
    }
    if (attempt >= ATTEMPTS) throw new Error('the tenant is changed by others all the time')
  }
}

/** The stored document of a slug, or null. */
export async function getTenantDocument(
  store: TenantStore,
  slug: string,
): Promise<StoredTenantDocument | null> {
  const tenantId = await findTenantBySlug(store, slug)
  return tenantId === null ? null : store.read(tenantId, readStoredDocument)
}

async function applyOnce(
  store: TenantStore,
  document: TenantDocument,
  { encryptionKey, clock, expectedVersion }: ApplyDependencies,
): Promise<StoredTenantDocument | 'overtaken'> {
  const knownId = await findTenantBySlug(store, document.slug)
  const tenantId = knownId ?? newId()
  const staff = await planStaff(await store.read(tenantId, readStaff), document.staff)
  return store.transact(tenantId, async (tx) => {
    await tx.$queryRaw`select from tenants where id = ${tenantId}::uuid for update`
    if (!planFits(staff, await readStaff(tx))) return 'overtaken'
    if (expectedVersion !== undefined) await assertVersion(tx, expectedVersion)
    const token = await planToken(tx, document, encryptionKey, staff.issues)
    const now = new Date(clock.now())
    if (knownId === null) {
      await tx.tenant.create({
        data: { id: tenantId, ...tenantColumns(document), createdAt: now, updatedAt: now },
      })
    } else {
      if (!(await changesAnything(tx, document, staff, token))) return readStoredDocument(tx)
      await tx.tenant.update({
        where: { id: tenantId },
        data: { ...tenantColumns(document), version: { increment: 1 }, updatedAt: now },
      })
    }
    await writeChannel(tx, document.channel, token)
    if (knownId !== null && token !== null) await resumeSends(tx, clock.now())
    await writeConfiguration(tx, document)
    await writeStaff(tx, staff)
    return readStoredDocument(tx)
  })
}

/** The caller holds the tenant's lock. @throws AppError `precondition_failed` */
async function assertVersion(tx: Tx, expected: number): Promise<void> {
  const tenant = await tx.tenant.findUnique({ where: { id: tx.tenantId }, select: { version: true } })
  if (tenant?.version !== expected) throw preconditionFailed()
}

/** The token to store, or null when the stored one stays. */
async function planToken(
  tx: Tx,
  { channel }: TenantDocument,
  encryptionKey: Buffer | null,
  staffIssues: readonly DocumentIssue[],
): Promise<Uint8Array<ArrayBuffer> | null> {
  const row = await tx.channel.findUnique({ where: { tenantId: tx.tenantId } })
  const stored = row?.accessTokenEncrypted ?? null
  const issues = [...staffIssues]
  if (channel.accessToken === undefined && stored === null) {
    issues.unshift({ path: 'channel.accessToken', message: 'is required while none is stored' })
  }
  if (issues.length > 0) throw new InvalidDocumentError(issues)
  if (channel.accessToken === undefined) return null
  if (encryptionKey === null) throw encryptionKeyMissing()
  if (stored !== null && decryptToken(stored, tx.tenantId, encryptionKey) === channel.accessToken) return null
  return encryptToken(channel.accessToken, tx.tenantId, encryptionKey)
}

async function changesAnything(
  tx: Tx,
  document: TenantDocument,
  staff: StaffPlan,
  token: Uint8Array | null,
): Promise<boolean> {
  if (token !== null || staff.changes.length > 0) return true
  return !isDeepStrictEqual(await readConfiguration(tx), configurationOf(document))
}

async function writeChannel(
  tx: Tx,
  channel: TenantDocument['channel'],
  token: Uint8Array<ArrayBuffer> | null,
): Promise<void> {
  const { tenantId } = tx
  const { phoneNumberId, wabaId, displayPhoneNumber } = channel
  const data = {
    phoneNumberId,
    wabaId,
    displayPhoneNumber,
    ...(token === null ? {} : { accessTokenEncrypted: token }),
  }
  await tx.channel.upsert({
    where: { tenantId },
    create: { tenantId, id: newId(), ...data },
    update: data,
  })
}
