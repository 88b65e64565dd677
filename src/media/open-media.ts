import type { MediaModel, TenantStore } from '../db/index.ts'
import { AppError } from '../shared/app-error.ts'
import { isId } from '../shared/ids.ts'
import { storable } from '../shared/storable.ts'
import type { MediaStorage } from './media-storage.ts'

export interface ServedMedia {
  readonly contentType: string
  readonly sizeBytes: number
  /** For the browser's "save as"; with an ending that fits the type. */
  readonly filename: string
  /** Pictures, sound and film are shown; everything else is only ever saved. */
  readonly disposition: 'inline' | 'attachment'
  readonly stream: (range?: { from: number; to: number }) => Promise<NodeJS.ReadableStream | null>
}

/**
 * A stored file of this tenant.
 * @throws AppError `not_found` for another tenant's, one that is not here (yet), or of a message taken back.
 */
export async function openMedia(
  deps: { readonly store: TenantStore; readonly storage: MediaStorage },
  tenantId: string,
  mediaId: string,
): Promise<ServedMedia> {
  const media = isId(mediaId)
    ? await deps.store.read(tenantId, (reader) =>
        reader.media.findUnique({
          where: { tenantId_id: { tenantId, id: mediaId } },
          include: { message: { select: { revokedAt: true } } },
        }),
      )
    : null
  const { contentType, sizeBytes } = media ?? {}
  if (media == null || media.state !== 'stored' || media.message.revokedAt !== null) throw notFound()
  if (contentType == null || sizeBytes == null) throw notFound()
  return {
    contentType,
    sizeBytes,
    filename: filenameOf(media, contentType),
    disposition: /^(image|audio|video)\//.test(contentType) ? 'inline' : 'attachment',
    stream: (range) => deps.storage.stream({ tenantId, mediaId }, range),
  }
}

function filenameOf(media: MediaModel, contentType: string): string {
  const given = media.filename?.replace(/[\p{Cc}\p{Cf}/\\]/gu, '_').trim() ?? ''
  // The cut may halve an emoji, and half of one cannot be written into a header.
  if (given !== '') return storable(given.slice(-120))
  const ending = /^[a-z]+\/([a-z0-9]{2,5})$/.exec(contentType)?.[1] ?? 'bin'
  return `${media.kind}.${ending}`
}

function notFound(): AppError {
  return new AppError('not_found', 'there is no such file')
}
