import { listForCustomer } from '../booking/list-appointments.ts'
import type { CannedPlaceholder, FilledReplyDto } from '../contracts/dashboard-api.ts'
import { fillPlaceholders, listCannedReplies } from '../conversations/canned-replies.ts'
import { getConversation } from '../conversations/conversation-view.ts'
import { conversationNotFound } from '../conversations/errors.ts'
import type { Reader } from '../db/index.ts'
import type { Clock } from '../shared/clock.ts'
import type { Locale } from '../shared/locale.ts'
import type { TenantProfile } from '../tenancy/tenant-profile.ts'

interface FillInput {
  readonly conversationId: string
  readonly staffName: string
  readonly profile: TenantProfile
  readonly clock: Clock
}

/**
 * Every canned reply as it reads in this conversation, by shortcut.
 * @throws AppError `not_found` when there is no such conversation.
 */
export async function fillCannedReplies(reader: Reader, input: FillInput): Promise<FilledReplyDto[]> {
  const conversation = await getConversation(reader, input.conversationId)
  if (conversation === null) throw conversationNotFound()
  const { customer } = conversation
  const [next] = await listForCustomer(reader, input.clock, customer.id)
  const { profile } = input
  const values: Record<CannedPlaceholder, string | null> = {
    customer_name: customer.name,
    customer_first_name: customer.name?.trim().split(/\s+/)[0] ?? null,
    business_name: profile.name,
    staff_name: input.staffName,
    next_appointment:
      next === undefined ? null : sayWhen(Date.parse(next.startsAt), profile.timeZone, profile.locale),
    next_appointment_service: next?.service.name ?? null,
    next_appointment_professional: next?.professional.name ?? null,
    next_appointment_code: next?.code ?? null,
  }
  const replies = await listCannedReplies(reader)
  return replies.map(({ id, shortcut, text }) => ({ id, shortcut, text, ...fillPlaceholders(text, values) }))
}

/** As a person would write it: weekday, day and month, time of day. */
function sayWhen(instant: number, timeZone: string, locale: Locale): string {
  const format = new Intl.DateTimeFormat(locale, {
    timeZone,
    weekday: 'long',
    day: '2-digit',
    month: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, value]))
  const date = locale === 'en' ? ['month', 'day'] : ['day', 'month']
  const [one, other] = date.map((part) => parts.get(part === 'month' ? 'month' : 'day'))
  return `${parts.get('weekday')}, ${one}/${other}, ${parts.get('hour')}:${parts.get('minute')}`
}
