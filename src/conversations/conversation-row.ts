import { type ConversationModel, conversationColumns, type Reader, sql, type Tx } from '../db/index.ts'
import { isId } from '../shared/ids.ts'
import { conversationNotFound } from './errors.ts'

/** The conversation, or null when this tenant has none of that id. */
export async function findConversation(
  reader: Reader,
  conversationId: string,
): Promise<ConversationModel | null> {
  if (!isId(conversationId)) return null
  return reader.conversation.findUnique({
    where: { tenantId_id: { tenantId: reader.tenantId, id: conversationId } },
  })
}

/**
 * Locks the conversation until the transaction ends and reads it as it is then. Everything that writes
 * messages, outbox rows or the owner holds this lock, so the order of `seq` is the order of commits.
 *
 * The lock is the one of an ordinary UPDATE: rows that only refer to the conversation may be inserted
 * meanwhile, and two writers that inserted one before they lock do not deadlock.
 * @throws AppError `not_found`.
 */
export async function lockConversation(tx: Tx, conversationId: string): Promise<ConversationModel> {
  if (!isId(conversationId)) throw conversationNotFound()
  const rows = await tx.$queryRaw<ConversationModel[]>(sql`select ${conversationColumns} from conversations
    where tenant_id = ${tx.tenantId}::uuid and id = ${conversationId}::uuid for no key update`)
  const conversation = rows[0]
  if (conversation === undefined) throw conversationNotFound()
  return conversation
}

/** Where a new or known customer is reached: the form they wrote from. */
export interface ReplyAddress {
  readonly kind: 'phone' | 'bsuid'
  readonly address: string
}

/**
 * The one conversation of a customer on a channel, made when there is none, and locked as by
 * {@link lockConversation}. `status` (default `bot`) and address are those of a new one.
 */
export async function openConversation(
  tx: Tx,
  input: {
    readonly id: string
    readonly channelId: string
    readonly customerId: string
    readonly address: ReplyAddress
    readonly status?: 'bot' | 'closed'
  },
): Promise<ConversationModel> {
  const { tenantId } = tx
  const { channelId, customerId } = input
  await tx.conversation.createMany({
    data: [
      {
        tenantId,
        id: input.id,
        channelId,
        customerId,
        status: input.status ?? 'bot',
        addressKind: input.address.kind,
        address: input.address.address,
      },
    ],
    skipDuplicates: true,
  })
  const { id } = await tx.conversation.findUniqueOrThrow({
    where: { tenantId_channelId_customerId: { tenantId, channelId, customerId } },
    select: { id: true },
  })
  return lockConversation(tx, id)
}
