import type { DocumentBlockParam, ImageBlockParam } from '@anthropic-ai/sdk/resources/messages/messages.js'
import type { ContentBlockParam, HistoryMessage } from '../agent/types.ts'
import type { MediaModel, TenantStore } from '../db/index.ts'
import type { MediaStorage } from './media-storage.ts'
import { MAX_MODEL_PDF_BYTES, MAX_MODEL_PDF_PAGES } from './pdf-pages.ts'

/**
 * The API takes 5 MB of an image as base64, which makes four characters of three bytes.
 * https://docs.claude.com/en/docs/build-with-claude/vision
 */
const MAX_MODEL_IMAGE_BYTES = 3_750_000

const SCHEME = 'media:'

type ImageType = 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp'
const IMAGE_TYPES: readonly ImageType[] = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']

/** Rough tokens of a file in a request, for the budget of the history: an image, a PDF of a few pages. */
const TOKENS: Readonly<Record<string, number>> = { image: 1_600, document: 8_000 }

/**
 * The block that stands for a file in a stored message: its id, never its bytes. null for what the model cannot
 * look at, or should not for its size: that is described in words.
 */
export function mediaReference(media: MediaModel): ImageBlockParam | DocumentBlockParam | null {
  const { contentType, sizeBytes, pages, state, modelRefusedAt } = media
  if (state !== 'stored' || modelRefusedAt !== null || sizeBytes === null) return null
  const source = { type: 'url' as const, url: `${SCHEME}${media.id}` }
  if (media.kind === 'sticker') return null
  if (imageType(contentType) !== null) {
    return sizeBytes <= MAX_MODEL_IMAGE_BYTES ? { type: 'image', source } : null
  }
  if (contentType !== 'application/pdf') return null
  const isShort = sizeBytes <= MAX_MODEL_PDF_BYTES && (pages ?? MAX_MODEL_PDF_PAGES) <= MAX_MODEL_PDF_PAGES
  return isShort ? { type: 'document', source } : null
}

/** The media ids that messages refer to. */
export function referredMedia(messages: readonly HistoryMessage[]): string[] {
  return messages.flatMap(({ content }) => content.flatMap((block) => referenceOf(block) ?? []))
}

/** What the files of stored blocks cost in tokens, roughly. */
export function mediaTokens(content: readonly ContentBlockParam[]): number {
  return content
    .filter((block) => referenceOf(block) !== null)
    .reduce((sum, block) => sum + (TOKENS[block.type] ?? 0), 0)
}

/**
 * The messages with every reference replaced by the file itself. The same stored messages give the same bytes
 * each time, so the prefix of a conversation stays cached; a file that is gone, or that a model refused, is
 * named in words from then on.
 */
export async function withMedia(
  deps: { readonly store: TenantStore; readonly storage: MediaStorage },
  tenantId: string,
  messages: readonly HistoryMessage[],
): Promise<HistoryMessage[]> {
  const ids = [...new Set(referredMedia(messages))]
  if (ids.length === 0) return [...messages]
  const rows = await deps.store.read(tenantId, (reader) =>
    reader.media.findMany({ where: { tenantId, id: { in: ids } } }),
  )
  const blocks = new Map<string, ContentBlockParam>()
  for (const row of rows) {
    const bytes = await deps.storage.read({ tenantId, mediaId: row.id })
    const block = bytes === null || mediaReference(row) === null ? null : inline(row, bytes)
    if (block !== null) blocks.set(row.id, block)
  }
  return messages.map(({ role, content }) => ({
    role,
    content: content.map((block) => {
      const id = referenceOf(block)
      return id === null ? block : (blocks.get(id) ?? gone(block))
    }),
  }))
}

/** A model refused a request that held these files; which one it was, it does not say. */
export async function refuseMedia(
  store: TenantStore,
  tenantId: string,
  ids: readonly string[],
  now: number,
): Promise<void> {
  if (ids.length === 0) return
  await store.transact(tenantId, (tx) =>
    tx.media.updateMany({
      where: { tenantId, id: { in: [...ids] }, modelRefusedAt: null },
      data: { modelRefusedAt: new Date(now) },
    }),
  )
}

function inline(media: MediaModel, bytes: Buffer): ContentBlockParam | null {
  const data = bytes.toString('base64')
  const image = imageType(media.contentType)
  if (image !== null) return { type: 'image', source: { type: 'base64', media_type: image, data } }
  return { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data } }
}

function gone(block: ContentBlockParam): ContentBlockParam {
  return { type: 'text', text: `<attachment>${block.type} that can no longer be shown</attachment>` }
}

function referenceOf(block: ContentBlockParam): string | null {
  if (block.type !== 'image' && block.type !== 'document') return null
  if (block.source.type !== 'url' || !block.source.url.startsWith(SCHEME)) return null
  return block.source.url.slice(SCHEME.length)
}

function imageType(contentType: string | null): ImageType | null {
  return IMAGE_TYPES.find((type) => type === contentType) ?? null
}
