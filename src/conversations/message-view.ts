import { z } from 'zod'
import {
  type MessageDto,
  messageAuthorSchema,
  messageDtoSchema,
  messageStatusSchema,
} from '../contracts/staff-api.ts'
import type { MessageModel, Reader } from '../db/index.ts'
import { formatOffsetInstant } from '../scheduling/time-zone.ts'
import { isId } from '../shared/ids.ts'
import { formatInstant } from './format-instant.ts'

/** A message with what the thread shows beside it. */
export interface MessageView extends MessageModel {
  /** Who of the staff wrote it. */
  readonly writtenBy: { readonly id: string; readonly name: string } | null
  readonly quoted: MessageModel | null
}

const MEDIA_KINDS = ['image', 'document', 'audio', 'video', 'sticker'] as const
const looseText = z.string().nullable().catch(null)
const context = z.object({ id: z.string().min(1) })
const mediaFacts = z.object({ mime_type: looseText, filename: looseText, voice: z.boolean().catch(false) })

/** What is read out of `messages.payload`; anything may be missing. */
const payloadSchema = z.object({
  raw: z.record(z.string(), z.unknown()).catch({}),
  context: context.nullable().catch(null),
  choices: z.array(z.object({ id: z.string(), title: z.string() })).catch([]),
})

/** Reads what the thread shows beside the messages; the order stays. */
export async function viewMessages(
  reader: Reader,
  messages: readonly MessageModel[],
): Promise<MessageView[]> {
  const { tenantId } = reader
  const staffIds = [...new Set(messages.flatMap(({ staffId }) => staffId ?? []))]
  const wamids = [...new Set(messages.flatMap((message) => quotedWamid(message) ?? []))]
  const staff =
    staffIds.length === 0
      ? []
      : await reader.staff.findMany({
          where: { tenantId, id: { in: staffIds } },
          select: { id: true, name: true },
        })
  const quoted =
    wamids.length === 0 ? [] : await reader.message.findMany({ where: { tenantId, wamid: { in: wamids } } })
  return messages.map((message) => {
    const wamid = quotedWamid(message)
    return {
      ...message,
      writtenBy: staff.find(({ id }) => id === message.staffId) ?? null,
      quoted:
        (wamid !== null &&
          quoted.find((row) => row.wamid === wamid && row.conversationId === message.conversationId)) ||
        null,
    }
  })
}

/** As {@link viewMessages} for one. */
export async function viewMessage(reader: Reader, message: MessageModel): Promise<MessageView> {
  const [view] = await viewMessages(reader, [message])
  return view ?? { ...message, writtenBy: null, quoted: null }
}

/** The messages of these ids as the thread shows them; ids of nobody's messages are left out. */
export async function getMessages(reader: Reader, ids: readonly string[]): Promise<MessageView[]> {
  const wanted = ids.filter(isId)
  if (wanted.length === 0) return []
  const rows = await reader.message.findMany({ where: { tenantId: reader.tenantId, id: { in: wanted } } })
  return viewMessages(reader, rows)
}

export function toMessageDto(message: MessageView, timeZone: string): MessageDto {
  const { errorCode, errorDetail, quoted, writtenBy } = message
  return {
    id: message.id,
    direction: messageDtoSchema.shape.direction.parse(message.direction),
    author: messageAuthorSchema.parse(message.author),
    type: message.type,
    text: message.text,
    status: messageStatusSchema.parse(message.status),
    error: errorCode === null ? null : { code: errorCode, detail: errorDetail ?? '' },
    sentAt: formatInstant(message.sentAt, timeZone),
    createdAt: formatOffsetInstant(timeZone, message.createdAt.getTime()),
    deliveredAt: formatInstant(message.deliveredAt, timeZone),
    readAt: formatInstant(message.readAt, timeZone),
    staff: writtenBy === null ? null : { id: writtenBy.id, name: writtenBy.name },
    runId: message.runId,
    media: mediaOf(message),
    choices: payloadOf(message).choices,
    quoted:
      quoted === null
        ? null
        : {
            id: quoted.id,
            author: messageAuthorSchema.parse(quoted.author),
            type: quoted.type,
            text: quoted.text,
          },
  }
}

function mediaOf(message: MessageModel): MessageDto['media'] {
  const kind = MEDIA_KINDS.find((candidate) => candidate === message.type)
  if (kind === undefined) return null
  const facts = mediaFacts.safeParse(payloadOf(message).raw[kind] ?? {})
  const { mime_type = null, filename = null, voice = false } = facts.success ? facts.data : {}
  return { kind, mimeType: mime_type, filename, voice }
}

/** The channel's id of the message that this one answers. */
function quotedWamid(message: MessageModel): string | null {
  const payload = payloadOf(message)
  if (payload.context !== null) return payload.context.id
  const inRaw = context.safeParse(payload.raw['context'])
  return inRaw.success ? inRaw.data.id : null
}

function payloadOf({ payload }: MessageModel): z.output<typeof payloadSchema> {
  return payloadSchema.parse(typeof payload === 'object' && payload !== null ? payload : {})
}
