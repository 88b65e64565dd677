import {
  type MessageDto,
  messageAuthorSchema,
  messageDtoSchema,
  messageStatusSchema,
} from '../contracts/staff-api.ts'
import type { MediaModel, MessageModel, Reader } from '../db/index.ts'
import { formatOffsetInstant } from '../scheduling/time-zone.ts'
import { isId } from '../shared/ids.ts'
import { formatInstant } from './format-instant.ts'
import { messageExtras } from './message-extras.ts'

/** A message with what the thread shows beside it. */
export interface MessageView extends MessageModel {
  /** Who of the staff wrote it. */
  readonly staff: { readonly id: string; readonly name: string } | null
  /** The message that it answers. */
  readonly quoted: MessageModel | null
  readonly media: MediaModel | null
}

/** What a {@link MessageView} is read with. */
export const MESSAGE_VIEW = {
  staff: { select: { id: true, name: true } },
  quoted: true,
  media: true,
} as const

/** A message of this tenant as the thread shows it. @throws what Prisma throws when there is none. */
export async function viewMessage(reader: Reader, { id }: { readonly id: string }): Promise<MessageView> {
  return reader.message.findUniqueOrThrow({
    where: { tenantId_id: { tenantId: reader.tenantId, id } },
    include: MESSAGE_VIEW,
  })
}

/** The messages of these ids as the thread shows them; ids of nobody's messages are left out. */
export async function getMessages(reader: Reader, ids: readonly string[]): Promise<MessageView[]> {
  const wanted = ids.filter(isId)
  if (wanted.length === 0) return []
  return reader.message.findMany({
    where: { tenantId: reader.tenantId, id: { in: wanted } },
    include: MESSAGE_VIEW,
  })
}

export function toMessageDto(message: MessageView, timeZone: string): MessageDto {
  const { errorCode, errorDetail, quoted, staff } = message
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
    editedAt: formatInstant(message.editedAt, timeZone),
    revokedAt: formatInstant(message.revokedAt, timeZone),
    staff,
    runId: message.runId,
    quoted:
      quoted === null
        ? null
        : {
            id: quoted.id,
            author: messageAuthorSchema.parse(quoted.author),
            type: quoted.type,
            text: quoted.text,
          },
    ...messageExtras(message),
  }
}
