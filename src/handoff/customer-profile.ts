import { listForCustomer, listPastOfCustomer } from '../booking/list-appointments.ts'
import type { CustomerProfileDto } from '../contracts/dashboard-api.ts'
import { conversationStatusSchema } from '../contracts/staff-api.ts'
import { foldedPattern, foldedSql } from '../conversations/search-text.ts'
import { emptySql, type Reader, sql } from '../db/index.ts'
import { formatOffsetInstant } from '../scheduling/time-zone.ts'
import type { Clock } from '../shared/clock.ts'
import { isId } from '../shared/ids.ts'

const MOST_APPOINTMENTS = 50
/** Fewer digits than this are in every number. */
const MIN_PHONE_DIGITS = 3

/** What people want to know of whom they write to; null when this tenant has no such customer. */
export async function getCustomerProfile(
  reader: Reader,
  { customerId, timeZone, clock }: { customerId: string; timeZone: string; clock: Clock },
): Promise<CustomerProfileDto | null> {
  if (!isId(customerId)) return null
  const { tenantId } = reader
  const customer = await reader.customer.findUnique({
    where: { tenantId_id: { tenantId, id: customerId } },
    include: { conversations: { select: { id: true, status: true }, orderBy: { id: 'asc' } } },
  })
  if (customer === null) return null
  const upcoming = await listForCustomer(reader, clock, customerId)
  return {
    id: customer.id,
    name: customer.name,
    phone: customer.phone,
    createdAt: formatOffsetInstant(timeZone, customer.createdAt.getTime()),
    conversations: customer.conversations.map(({ id, status }) => ({
      id,
      status: conversationStatusSchema.parse(status),
    })),
    upcoming: upcoming.slice(0, MOST_APPOINTMENTS),
    past: await listPastOfCustomer(reader, clock, customerId, MOST_APPOINTMENTS),
  }
}

/** Customers whose name or phone holds `q`, by name; the newest ones without it. */
export async function searchCustomers(
  reader: Reader,
  { q, limit }: { q: string; limit: number },
): Promise<{ id: string; name: string | null; phone: string | null }[]> {
  const digits = q.replace(/\D/g, '')
  const byPhone =
    digits.length >= MIN_PHONE_DIGITS && /^[\d\s()+.-]+$/.test(q)
      ? sql`or u.phone like ${`%${digits}%`}`
      : emptySql
  const condition = q === '' ? sql`true` : sql`(${foldedSql('u.name')} like ${foldedPattern(q)} ${byPhone})`
  const order = q === '' ? sql`u.id desc` : sql`u.name nulls last, u.id`
  return reader.$queryRaw(sql`select u.id, u.name, u.phone from customers u
    where u.tenant_id = ${reader.tenantId}::uuid and ${condition} order by ${order} limit ${limit}`)
}
