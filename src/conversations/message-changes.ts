/**
 * Reactions, edits and revocations: what a channel says afterwards about a message that was sent before. Each
 * has an id of its own and one effect; they come unordered, also before the message itself, and then wait for
 * it. The newest by the channel's time wins. None of them asks for an answer.
 *
 * What an edit or a revocation replaced stays with the change, so the history is whole. Only the side that
 * wrote a message can edit or revoke it; anybody can react.
 */
import {
  jsonInput,
  type MessageChangeModel,
  type MessageModel,
  nullableJsonInput,
  sql,
  type Tx,
} from '../db/index.ts'
import { newId } from '../shared/ids.ts'
import { lockConversation } from './conversation-row.ts'
import { parseReactions } from './reactions.ts'

export interface MessageChange {
  readonly channelId: string
  /** The change's own id at the channel. */
  readonly wamid: string
  readonly targetWamid: string
  readonly kind: 'reaction' | 'edit' | 'revoke'
  /** `staff`: on the business's own phone. */
  readonly author: 'customer' | 'staff'
  /** The emoji (null takes it back), or the new text (null where the new content is none). */
  readonly content: string | null
  /** The channel's time, epoch ms. */
  readonly sentAt: number
}

/** @returns `parked` while there is no such message; `ignored` when the side may not change it, or it is older. */
export async function recordChange(
  tx: Tx,
  change: MessageChange,
): Promise<'applied' | 'parked' | 'duplicate' | 'ignored'> {
  const { tenantId } = tx
  const { channelId, wamid, targetWamid } = change
  await lockTarget(tx, channelId, targetWamid)
  const message = await tx.message.findUnique({
    where: { tenantId_channelId_wamid: { tenantId, channelId, wamid: targetWamid } },
  })
  const id = newId()
  const { count } = await tx.messageChange.createMany({
    data: [
      {
        tenantId,
        id,
        channelId,
        wamid,
        targetWamid,
        kind: change.kind,
        author: change.author,
        content: change.content,
        sentAt: new Date(change.sentAt),
      },
    ],
    skipDuplicates: true,
  })
  if (count === 0) return 'duplicate'
  if (message === null) return 'parked'
  const stored = await tx.messageChange.findUniqueOrThrow({ where: { tenantId_id: { tenantId, id } } })
  return apply(tx, message.id, stored)
}

/**
 * Applies the changes that were faster than their message, oldest first. Call it in the transaction that
 * stores the message.
 */
export async function applyWaitingChanges(
  tx: Tx,
  message: { readonly id: string; readonly channelId: string; readonly wamid: string },
): Promise<void> {
  const { tenantId } = tx
  const { channelId, wamid } = message
  await lockTarget(tx, channelId, wamid)
  const waiting = await tx.messageChange.findMany({
    where: { tenantId, channelId, targetWamid: wamid, messageId: null },
    orderBy: [{ sentAt: 'asc' }, { id: 'asc' }],
  })
  for (const change of waiting) await apply(tx, message.id, change)
}

/** A change and the message it is about, stored at once, do not miss each other. */
async function lockTarget(tx: Tx, channelId: string, wamid: string): Promise<void> {
  const key = `change:${channelId}:${wamid}`
  await tx.$queryRaw(sql`select 1 from (select pg_advisory_xact_lock(hashtextextended(${key}, 0))) as locked`)
}

async function apply(tx: Tx, messageId: string, change: MessageChangeModel): Promise<'applied' | 'ignored'> {
  const { tenantId } = tx
  const where = { tenantId_id: { tenantId, id: messageId } }
  const { conversationId } = await tx.message.findUniqueOrThrow({ where, select: { conversationId: true } })
  await lockConversation(tx, conversationId)
  const message = await tx.message.findUniqueOrThrow({ where })
  const data = changedColumns(message, change)
  if (data !== null) await tx.message.update({ where, data })
  const { type, text, payload } = message
  const replaced = data !== null && change.kind !== 'reaction'
  await tx.messageChange.update({
    where: { tenantId_id: { tenantId, id: change.id } },
    data: { messageId, ...(replaced ? { previous: jsonInput({ type, text, payload }) } : {}) },
  })
  return data === null ? 'ignored' : 'applied'
}

function changedColumns(message: MessageModel, change: MessageChangeModel) {
  const { sentAt, content, author } = change
  const isOwn = message.direction === (author === 'customer' ? 'in' : 'out')
  switch (change.kind) {
    case 'reaction': {
      const side = author === 'customer' ? 'customer' : 'staff'
      const reactions = parseReactions(message.reactions)
      const known = reactions[side]
      if (known !== undefined && Date.parse(known.at) > sentAt.getTime()) return null
      return { reactions: jsonInput({ ...reactions, [side]: { emoji: content, at: sentAt.toISOString() } }) }
    }
    case 'edit':
      if (!isOwn || message.revokedAt !== null || isAfter(message.editedAt, sentAt)) return null
      return { editedAt: sentAt, ...(content === null ? {} : { text: content }) }
    case 'revoke':
      if (!isOwn || message.revokedAt !== null) return null
      // Taken back before it was answered: there is nothing to answer.
      return { revokedAt: sentAt, text: null, payload: nullableJsonInput(null), awaitsTurn: false }
    default:
      return null
  }
}

function isAfter(known: Date | null, instant: Date): boolean {
  return known !== null && known.getTime() > instant.getTime()
}
