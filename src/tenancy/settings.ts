/**
 * What owners edit themselves: the tenant document without its channel and its people. A change goes the way of
 * the whole document, so both are judged by the same rules.
 */
import { z } from 'zod'
import type { SettingsDocument } from '../contracts/dashboard-api.ts'
import type { Reader, TenantStore } from '../db/index.ts'
import { type ApplyDependencies, applyTenantDocument } from './apply-tenant-document.ts'
import { InvalidDocumentError } from './errors.ts'
import { parseTenantDocument } from './parse-tenant-document.ts'
import { type Configuration, readConfiguration } from './stored-document.ts'
import { loadTenantProfile } from './tenant-profile.ts'

export interface Settings {
  readonly document: SettingsDocument
  /** Raised by every change of the tenant document. */
  readonly version: number
}

const NOT_SETTINGS = ['channel', 'staff'] as const
const record = z.record(z.string(), z.unknown())

export async function readSettings(reader: Reader): Promise<Settings> {
  const { version } = await loadTenantProfile(reader)
  return { document: withoutChannel(await readConfiguration(reader)), version }
}

/**
 * Makes the tenant what the settings say; channel and people stay.
 * @param expectedVersion the version that the change was made from.
 * @throws InvalidDocumentError; AppError `precondition_failed` when somebody changed the tenant since.
 */
export async function changeSettings(
  store: TenantStore,
  tenantId: string,
  value: unknown,
  expectedVersion: number,
  dependencies: ApplyDependencies,
): Promise<Settings> {
  const { slug, channel } = await store.read(tenantId, readConfiguration)
  const document = parseTenantDocument(asDocument(value, channel), slug)
  await applyTenantDocument(store, document, { ...dependencies, expectedVersion })
  return store.read(tenantId, readSettings)
}

function asDocument(value: unknown, channel: Configuration['channel']): unknown {
  const settings = record.safeParse(value)
  // Let the document's own rules say what is wrong with it.
  if (!settings.success) return value
  const refused = NOT_SETTINGS.filter((key) => Object.hasOwn(settings.data, key))
  if (refused.length > 0) {
    throw new InvalidDocumentError(refused.map((path) => ({ path, message: 'is not one of the settings' })))
  }
  return { ...settings.data, channel }
}

function withoutChannel({ channel: _channel, ...document }: Configuration): SettingsDocument {
  return document
}
