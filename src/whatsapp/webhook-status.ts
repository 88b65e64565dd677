import { z } from 'zod'
import { asRecord, looseList, looseRecord, looseSeconds, looseText } from './loose.ts'
import type { PersonIds } from './webhook-contact.ts'
import { parseErrors } from './webhook-error.ts'
import type { DeliveryStatus } from './webhook-types.ts'

const statusSchema = z.object({
  id: z.string().min(1),
  status: z.string().min(1),
  timestamp: looseSeconds,
  recipient_id: looseText,
  recipient_user_id: looseText,
  recipient_parent_user_id: looseText,
  recipient_type: looseText,
  recipient_participant_id: looseText,
  group_id: looseText,
  biz_opaque_callback_data: looseText,
  errors: looseList,
  pricing: looseRecord,
})

/**
 * One item of `statuses[]`, in the shapes of v23 (with `conversation`) and v24 and newer (without), with or
 * without BSUID: a failed status of a message sent to a phone names no BSUID, one sent to a BSUID may name no
 * phone. In a group `recipient_id` is the group and the person is the participant. `null` without id or status.
 */
export function parseStatus(item: unknown): { recipient: PersonIds; status: DeliveryStatus } | null {
  const raw = asRecord(item)
  const parsed = statusSchema.safeParse(raw)
  if (raw === null || !parsed.success) return null
  const status = parsed.data
  const toGroup = status.recipient_type === 'group'
  return {
    recipient: {
      waId: toGroup ? status.recipient_participant_id : status.recipient_id,
      bsuid: status.recipient_user_id,
      parentBsuid: status.recipient_parent_user_id,
    },
    status: {
      wamid: status.id,
      status: status.status,
      atMs: status.timestamp,
      groupId: status.group_id ?? (toGroup ? status.recipient_id : null),
      messageId: status.biz_opaque_callback_data,
      errors: parseErrors(status.errors),
      pricing: status.pricing,
      raw,
    },
  }
}
