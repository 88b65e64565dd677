import type {
  ConversationModel,
  CustomerModel,
  HandoffModel,
  MessageModel,
  Reader,
  RunModel,
} from '../db/index.ts'
import { findConversation } from './conversation-row.ts'

/** What the bot has to know of a conversation before it takes a turn. */
export interface ConversationForTurn {
  readonly conversation: ConversationModel
  readonly customer: CustomerModel
  /** What the bot owes an answer, oldest first. */
  readonly awaiting: readonly MessageModel[]
  /**
   * What was said after the newest run's reach, oldest first, in both directions and by people of the staff
   * too; never notes, nor what was taken back before it left. The newest 100 when there is no run.
   */
  readonly sinceLastRun: readonly MessageModel[]
  /** The newest run, whatever became of it. */
  readonly lastRun: RunModel | null
  /** The newest stay with people that is over. */
  readonly lastHandoff: HandoffModel | null
}

const MOST_MESSAGES = 100

/** Null when this tenant has no such conversation. */
export async function loadConversationForTurn(
  reader: Reader,
  conversationId: string,
): Promise<ConversationForTurn | null> {
  const conversation = await findConversation(reader, conversationId)
  if (conversation === null) return null
  const { tenantId } = reader
  const customer = await reader.customer.findUniqueOrThrow({
    where: { tenantId_id: { tenantId, id: conversation.customerId } },
  })
  const lastRun = await reader.run.findFirst({
    where: { tenantId, conversationId },
    orderBy: [{ startedAt: 'desc' }, { id: 'desc' }],
  })
  const awaiting = await reader.message.findMany({
    where: { tenantId, conversationId, awaitsTurn: true },
    orderBy: { seq: 'asc' },
  })
  const newestFirst = await reader.message.findMany({
    where: {
      tenantId,
      conversationId,
      direction: { in: ['in', 'out'] },
      status: { not: 'canceled' },
      ...(lastRun === null ? {} : { seq: { gt: lastRun.uptoSeq } }),
    },
    orderBy: { seq: 'desc' },
    take: MOST_MESSAGES,
  })
  const lastHandoff = await reader.handoff.findFirst({
    where: { tenantId, conversationId, endedAt: { not: null } },
    orderBy: [{ endedAt: 'desc' }, { id: 'desc' }],
  })
  return {
    conversation,
    customer,
    awaiting,
    sinceLastRun: newestFirst.toReversed(),
    lastRun,
    lastHandoff,
  }
}
