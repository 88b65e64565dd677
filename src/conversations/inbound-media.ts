import { type Reader, sql, type Tx } from '../db/index.ts'
import { enqueue } from '../queue/enqueue.ts'
import { fetchMediaJob } from '../queue/job-definition.ts'
import { newId } from '../shared/ids.ts'

/** A file that the channel holds for us, as a message names it. */
export interface InboundMedia {
  readonly kind: 'image' | 'document' | 'audio' | 'video' | 'sticker'
  /** The channel's id of it. */
  readonly providerId: string
  readonly mimeType: string | null
  /** As declared: base64 or hex. */
  readonly sha256: string | null
  readonly filename: string | null
  /** How long a turn of the bot waits for it at the most; null: it does not. */
  readonly waitMs: number | null
}

/** Keeps what is known of a message's file, and queues the job that fetches it. */
export async function addMedia(
  tx: Tx,
  input: {
    readonly messageId: string
    readonly channelId: string
    readonly media: InboundMedia
    /** Epoch ms. */
    readonly now: number
  },
): Promise<void> {
  const { tenantId } = tx
  const { media, now } = input
  const mediaId = newId()
  await tx.media.create({
    data: {
      tenantId,
      id: mediaId,
      messageId: input.messageId,
      channelId: input.channelId,
      kind: media.kind,
      providerId: media.providerId,
      mimeType: media.mimeType,
      declaredSha256: media.sha256,
      filename: media.filename,
      awaitedUntil: media.waitMs === null ? null : new Date(now + media.waitMs),
      createdAt: new Date(now),
    },
  })
  await enqueue(tx, fetchMediaJob, { tenantId, mediaId }, { jobKey: `media:${mediaId}` })
}

/** Until when the turn of a conversation waits for files (and transcripts) on their way, epoch ms; or null. */
export async function mediaAwaitedUntil(reader: Reader, conversationId: string): Promise<number | null> {
  const rows = await reader.$queryRaw<{ until: Date | null }[]>(sql`
    select max(f.awaited_until) as until from messages m
    join media f on f.tenant_id = m.tenant_id and f.message_id = m.id and f.awaited_until is not null
    where m.tenant_id = ${reader.tenantId}::uuid and m.conversation_id = ${conversationId}::uuid
      and m.awaits_turn`)
  return rows[0]?.until?.getTime() ?? null
}
