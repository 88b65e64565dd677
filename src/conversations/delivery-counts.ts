import { z } from 'zod'
import { type MessageModel, type Reader, sql, type Tx } from '../db/index.ts'
import { addDays } from '../scheduling/civil-date.ts'
import { localDate } from '../scheduling/time-zone.ts'
import { loadTenantProfile } from '../tenancy/tenant-profile.ts'

/** What a channel charges for one message, in its own words. */
export interface Pricing {
  /** `service`, `utility`, `marketing`, `authentication`, … */
  readonly category: string
  /** `regular`, `free_customer_service`, `free_entry_point`, … */
  readonly type: string
  readonly billable: boolean
}

const pricingSchema = z
  .object({ category: z.string(), type: z.string(), billable: z.boolean() })
  .nullable()
  .catch(null)

/** Reads a stored price; anything else is none. */
export function parsePricing(stored: unknown): Pricing | null {
  return pricingSchema.parse(stored ?? null)
}

/**
 * Counts a delivered message under its price and the tenant's day, once. A channel charges for delivery, so a
 * message that was only sent does not count yet.
 * @param at when it was delivered, epoch ms.
 */
export async function countDelivery(
  tx: Tx,
  message: Pick<MessageModel, 'id' | 'countedAt'>,
  pricing: Pricing,
  at: number,
): Promise<void> {
  if (message.countedAt !== null) return
  const { tenantId } = tx
  const { timeZone } = await loadTenantProfile(tx)
  const date = localDate(timeZone, at)
  await tx.message.update({
    where: { tenantId_id: { tenantId, id: message.id } },
    data: { countedAt: new Date(at) },
  })
  await tx.$executeRaw(sql`
    insert into delivery_counts (tenant_id, date, category, pricing_type, billable, count)
    values (${tenantId}::uuid, ${date}::date, ${pricing.category}, ${pricing.type}, ${pricing.billable}, 1)
    on conflict (tenant_id, date, category, pricing_type, billable)
    do update set count = delivery_counts.count + 1`)
}

export interface DeliveryCount extends Pricing {
  /** Local date of the tenant. */
  readonly date: string
  readonly count: number
}

/** The counts of the last `days` local days, newest first. */
export async function listDeliveryCounts(
  reader: Reader,
  input: { readonly timeZone: string; readonly now: number; readonly days: number },
): Promise<DeliveryCount[]> {
  const from = addDays(localDate(input.timeZone, input.now), 1 - input.days)
  const rows = await reader.deliveryCount.findMany({
    where: { tenantId: reader.tenantId, date: { gte: new Date(`${from}T00:00:00Z`) } },
    orderBy: [{ date: 'desc' }, { category: 'asc' }, { pricingType: 'asc' }],
  })
  return rows.map(({ date, category, pricingType, billable, count }) => ({
    date: date.toISOString().slice(0, 10),
    category,
    type: pricingType,
    billable,
    count,
  }))
}
