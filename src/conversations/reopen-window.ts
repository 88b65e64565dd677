import { type ConversationModel, sql, type Tx } from '../db/index.ts'
import type { TemplateContent } from './outbound-channel.ts'
import type { SendGate } from './send-gate.ts'

/**
 * The template that may leave in place of a text whose 24-hour window is closed, or null: the tenant has none,
 * or one went out, or waits to, since the customer's last message. Several texts that wait for the customer need one
 * invitation to write, and Meta bills each.
 * @param conversation as read under its lock.
 * @param messageId the message it would stand for.
 */
export async function reopenTemplateFor(
  tx: Tx,
  conversation: Pick<ConversationModel, 'id' | 'lastInboundAt'>,
  gate: Pick<SendGate, 'reopenTemplate'>,
  messageId: string,
): Promise<TemplateContent | null> {
  if (gate.reopenTemplate === null) return null
  const since = conversation.lastInboundAt ?? new Date(0)
  const rows = await tx.$queryRaw<unknown[]>(sql`
    select 1 from messages where tenant_id = ${tx.tenantId}::uuid
      and conversation_id = ${conversation.id}::uuid and id <> ${messageId}::uuid
      and direction = 'out' and type = 'template' and created_at >= ${since}
      and status in ('pending', 'sent', 'delivered', 'read', 'unknown') limit 1`)
  return rows.length > 0 ? null : { kind: 'template', ...gate.reopenTemplate, components: [] }
}
