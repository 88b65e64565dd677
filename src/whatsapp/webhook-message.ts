import { z } from 'zod'
import { asRecord, looseFlag, looseRecord, looseSeconds, looseText } from './loose.ts'
import { parseContent } from './webhook-content.ts'
import type { InboundMessage, MessageContext } from './webhook-types.ts'

const messageSchema = z.object({
  id: z.string().min(1),
  type: looseText,
  timestamp: looseSeconds,
  from: looseText,
  from_user_id: looseText,
  from_parent_user_id: looseText,
  to: looseText,
  to_user_id: looseText,
  to_parent_user_id: looseText,
  group_id: looseText,
  context: looseRecord,
  referral: looseRecord,
})

const contextSchema = z.object({
  id: looseText,
  message_id: looseText,
  from: looseText,
  forwarded: looseFlag,
  frequently_forwarded: looseFlag,
})

/**
 * One item of `messages[]`, `message_echoes[]` or a history thread. `null` when it is not an object with an id;
 * everything else, odd payloads included, becomes a message (with `content.type` `unknown` at worst), because a
 * customer wrote something and the staff must see that.
 */
export function parseMessage(item: unknown): InboundMessage | null {
  const raw = asRecord(item)
  const parsed = messageSchema.safeParse(raw)
  if (raw === null || !parsed.success) return null
  const message = parsed.data
  return {
    wamid: message.id,
    type: message.type ?? 'unknown',
    sentAtMs: message.timestamp,
    from: message.from,
    fromBsuid: message.from_user_id,
    fromParentBsuid: message.from_parent_user_id,
    to: message.to,
    toBsuid: message.to_user_id,
    toParentBsuid: message.to_parent_user_id,
    groupId: message.group_id,
    context: parseContext(message.context),
    referral: message.referral,
    content: parseContent(message.type ?? 'unknown', raw),
    raw,
  }
}

function parseContext(raw: Record<string, unknown> | null): MessageContext | null {
  if (raw === null) return null
  const context = contextSchema.parse(raw)
  return {
    wamid: context.id ?? context.message_id,
    from: context.from,
    forwarded: context.forwarded || context.frequently_forwarded,
    frequentlyForwarded: context.frequently_forwarded,
    raw,
  }
}
