import { useQuery } from '@tanstack/react-query'
import { type SettingsDocument, settingsDocumentSchema } from '../../contracts/dashboard-api.ts'
import { callWithHeaders } from './client.ts'
import { keys } from './keys.ts'

/** The settings, and the version that a change of them names. */
export interface VersionedSettings {
  readonly document: SettingsDocument
  readonly etag: string
}

/** Read anew whenever the page is opened: who edits an old version would be refused. */
export function useSettings() {
  return useQuery({
    queryKey: keys.settings,
    queryFn: ({ signal }) => readSettings(signal),
    staleTime: Infinity,
    gcTime: 0,
  })
}

export async function readSettings(signal?: AbortSignal): Promise<VersionedSettings> {
  return versioned(await callWithHeaders(settingsDocumentSchema, '/v1/settings', { signal }))
}

/**
 * Stores the whole document in place of the version `etag`.
 * @param document judged by the server: while it is edited it may hold what is not valid.
 * @throws ApiError `precondition_failed` when somebody else stored another one, `invalid_document` with issues.
 */
export async function writeSettings(document: unknown, etag: string): Promise<VersionedSettings> {
  const headers = { 'if-match': etag }
  return versioned(
    await callWithHeaders(settingsDocumentSchema, '/v1/settings', { method: 'PUT', body: document, headers }),
  )
}

function versioned({ value, headers }: { value: SettingsDocument; headers: Headers }): VersionedSettings {
  return { document: value, etag: headers.get('etag') ?? '' }
}
