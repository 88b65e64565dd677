/**
 * One file from the channel to the folder, and a voice note to words. Run by a job of its own that comes back
 * until it is done: the message is stored and shown meanwhile, and its turn waits a few seconds at the most.
 *
 * pending → stored, or for good: `refused` (too large, not of an allowed type), `expired` (the channel keeps a
 * file for 7 days), `failed`. Whatever the end, the turn that waited is told.
 */

import { lockConversation } from '../conversations/conversation-row.ts'
import type { ChannelAccount } from '../conversations/outbound-channel.ts'
import { hastenTurn } from '../conversations/record-inbound.ts'
import type { MediaModel, Reader, TenantStore, Tx } from '../db/index.ts'
import { AppError, InfrastructureError } from '../shared/app-error.ts'
import type { Clock } from '../shared/clock.ts'
import { loadTenantProfile } from '../tenancy/tenant-profile.ts'
import type { MediaSource, OpenedMedia } from './media-source.ts'
import type { MediaStorage, WrittenMedia } from './media-storage.ts'
import { contentTypeOf, MAX_BYTES, MEDIA_KINDS, type MediaKind } from './media-types.ts'
import { countPages, MAX_MODEL_PDF_BYTES } from './pdf-pages.ts'
import { declaredDigests } from './sha256.ts'
import type { Transcriber } from './transcriber.ts'

export interface FetchMediaDeps {
  readonly store: TenantStore
  readonly storage: MediaStorage
  readonly source: MediaSource
  /** null: voice notes stay unread. */
  readonly transcriber: Transcriber | null
  readonly loadAccount: (reader: Reader, channelId: string) => Promise<ChannelAccount>
  readonly clock: Clock
  readonly debounceMs: number
}

/** How long the channel keeps a file of a webhook. */
const LIFETIME_MS = 7 * 24 * 60 * 60_000

/** A file that the channel does not know yet may be a moment late. */
const MISSING_ATTEMPTS = 3

export type FetchResult = 'stored' | 'refused' | 'failed' | 'expired' | 'nothing'

/** @throws InfrastructureError and whatever the database throws: the job comes back. */
export async function fetchMedia(
  deps: FetchMediaDeps,
  job: {
    readonly tenantId: string
    readonly mediaId: string
    readonly attempt: number
    readonly isLastAttempt: boolean
    readonly signal: AbortSignal
  },
): Promise<FetchResult> {
  const { tenantId, mediaId } = job
  const found = await deps.store.read(tenantId, (reader) => load(reader, mediaId))
  if (found === null) return 'nothing'
  let media: MediaModel = found
  if (media.state === 'pending') {
    media = await settle(deps, media, await attempt(deps, media, job))
  }
  if (media.state !== 'stored') return resultOf(media.state)
  if (deps.transcriber !== null && media.kind === 'audio' && media.transcript === null) {
    await transcribe(deps, deps.transcriber, media, job)
  }
  return 'stored'
}

type Columns = Pick<MediaModel, 'state'> & Partial<MediaModel>

async function attempt(
  deps: FetchMediaDeps,
  media: MediaModel,
  job: { readonly attempt: number; readonly isLastAttempt: boolean; readonly signal: AbortSignal },
): Promise<Columns> {
  if (deps.clock.now() - media.createdAt.getTime() > LIFETIME_MS)
    return { state: 'expired', failure: 'too_old' }
  try {
    const account = await deps.store.read(media.tenantId, (reader) =>
      deps.loadAccount(reader, media.channelId),
    )
    const opened = await deps.source.open(account, media.providerId, job.signal)
    if (opened !== null) return await keep(deps, media, opened)
    if (job.attempt >= MISSING_ATTEMPTS) return { state: 'failed', failure: 'not_found' }
    throw new InfrastructureError('media_not_found', 'the channel does not have the file')
  } catch (error) {
    if (error instanceof AppError && error.code === 'media_too_large') {
      return { state: 'refused', failure: 'too_large' }
    }
    if (job.isLastAttempt && !job.signal.aborted) {
      return { state: 'failed', failure: error instanceof AppError ? error.code : 'internal' }
    }
    throw error
  }
}

async function keep(deps: FetchMediaDeps, media: MediaModel, opened: OpenedMedia): Promise<Columns> {
  const kind = kindOf(media.kind)
  const maxBytes = MAX_BYTES[kind]
  if ((opened.sizeBytes ?? 0) > maxBytes) return { state: 'refused', failure: 'too_large' }
  const key = { tenantId: media.tenantId, mediaId: media.id }
  const written = await deps.storage.write(key, opened.chunks, maxBytes)
  const digests = declaredDigests([media.declaredSha256, opened.sha256])
  if (digests.some((digest) => digest !== written.sha256)) {
    await deps.storage.remove(key)
    throw new InfrastructureError('media_corrupt', 'the bytes are not those that were announced')
  }
  const contentType = contentTypeOf(kind, written.head, opened.mimeType ?? media.mimeType)
  if (contentType === null) {
    await deps.storage.remove(key)
    return { state: 'refused', failure: 'type_not_allowed' }
  }
  return {
    state: 'stored',
    contentType,
    sizeBytes: written.sizeBytes,
    sha256: written.sha256,
    pages: await pagesOf(deps, key, contentType, written),
  }
}

async function pagesOf(
  deps: FetchMediaDeps,
  key: { tenantId: string; mediaId: string },
  contentType: string,
  written: WrittenMedia,
): Promise<number | null> {
  if (contentType !== 'application/pdf' || written.sizeBytes > MAX_MODEL_PDF_BYTES) return null
  const bytes = await deps.storage.read(key)
  return bytes === null ? null : countPages(bytes)
}

async function settle(deps: FetchMediaDeps, media: MediaModel, columns: Columns): Promise<MediaModel> {
  const now = deps.clock.now()
  const awaitsWords = columns.state === 'stored' && media.kind === 'audio' && deps.transcriber !== null
  return deps.store.transact(media.tenantId, async (tx) => {
    const updated = await tx.media.update({
      where: { tenantId_id: { tenantId: media.tenantId, id: media.id } },
      data: {
        ...columns,
        ...(columns.state === 'stored' ? { storedAt: new Date(now) } : {}),
        ...(awaitsWords ? {} : { awaitedUntil: null }),
      },
    })
    if (!awaitsWords) await tellTurn(tx, deps, media)
    return updated
  })
}

/** A transcript that is given up leaves the voice note unread, as without a transcriber. */
async function transcribe(
  deps: FetchMediaDeps,
  transcriber: Transcriber,
  media: MediaModel,
  job: { readonly isLastAttempt: boolean; readonly signal: AbortSignal },
): Promise<void> {
  const { tenantId } = media
  const bytes = await deps.storage.read({ tenantId, mediaId: media.id })
  const { locale } = await deps.store.read(tenantId, loadTenantProfile)
  const contentType = media.contentType ?? 'audio/ogg'
  let words: string | null = null
  try {
    if (bytes !== null) words = await transcriber.transcribe({ bytes, contentType, locale }, job.signal)
  } catch (error) {
    if (!job.isLastAttempt) throw error
  }
  await deps.store.transact(tenantId, async (tx) => {
    await tx.media.update({
      where: { tenantId_id: { tenantId, id: media.id } },
      data: { awaitedUntil: null, ...(words === null ? {} : { transcript: words }) },
    })
    if (words !== null) {
      // So that it is found by search and read in the thread; a message that was taken back stays empty.
      await tx.message.updateMany({
        where: { tenantId, id: media.messageId, text: null, revokedAt: null },
        data: { text: words },
      })
    }
    await tellTurn(tx, deps, media)
  })
}

async function tellTurn(tx: Tx, deps: FetchMediaDeps, media: MediaModel): Promise<void> {
  const { conversationId } = await tx.message.findUniqueOrThrow({
    where: { tenantId_id: { tenantId: media.tenantId, id: media.messageId } },
    select: { conversationId: true },
  })
  await lockConversation(tx, conversationId)
  await hastenTurn(tx, { conversationId, now: deps.clock.now(), debounceMs: deps.debounceMs })
}

async function load(reader: Reader, mediaId: string): Promise<MediaModel | null> {
  return reader.media.findUnique({ where: { tenantId_id: { tenantId: reader.tenantId, id: mediaId } } })
}

function kindOf(stored: string): MediaKind {
  return MEDIA_KINDS.find((kind) => kind === stored) ?? 'document'
}

function resultOf(state: string): FetchResult {
  return state === 'refused' || state === 'failed' || state === 'expired' ? state : 'nothing'
}
