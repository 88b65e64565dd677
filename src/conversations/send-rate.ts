import { type ConversationModel, sql, type Tx } from '../db/index.ts'

/**
 * Meta's rates: 80 messages a second from a number, one in 6 s to a person with a burst of 45.
 * https://developers.facebook.com/docs/whatsapp/cloud-api/overview#throughput
 *
 * Each is one instant that moves on with every message (the generic cell rate algorithm): no counters to reset,
 * one row to write. A number gives its messages moments of their own, so those who wait come one after another
 * instead of all at once: 4 at once and then one each 13 ms is never more than 80 in any second.
 */
const NUMBER_EVERY_MS = 13
const NUMBER_AHEAD_MS = 3 * NUMBER_EVERY_MS
const PERSON_EVERY_MS = 6_000
const PERSON_AHEAD_MS = 44 * PERSON_EVERY_MS

/** When the person may be written to next, epoch ms; in the past when they may be now. */
export function personFreeAt(conversation: Pick<ConversationModel, 'sendFreeAt'>): number {
  return (conversation.sendFreeAt?.getTime() ?? 0) - PERSON_AHEAD_MS
}

/**
 * Takes one message from the rate of the person, and a moment from the number. Under the conversation's lock,
 * and late in the transaction: until its commit no other conversation of the number gets a moment.
 * @returns the moment, epoch ms, not before `now`.
 */
export async function reserveMoment(
  tx: Tx,
  conversation: Pick<ConversationModel, 'id' | 'channelId' | 'sendFreeAt'>,
  now: number,
): Promise<number> {
  const { tenantId } = tx
  const earliest = new Date(now - NUMBER_AHEAD_MS)
  const first = new Date(now - NUMBER_AHEAD_MS + NUMBER_EVERY_MS)
  const person = new Date(Math.max(conversation.sendFreeAt?.getTime() ?? 0, now) + PERSON_EVERY_MS)
  const rows = await tx.$queryRaw<{ free_at: Date }[]>(sql`
    with person as (
      update conversations set send_free_at = ${person}
      where tenant_id = ${tenantId}::uuid and id = ${conversation.id}::uuid
    )
    insert into send_slots as slots (tenant_id, channel_id, free_at)
    values (${tenantId}::uuid, ${conversation.channelId}::uuid, ${first})
    on conflict (tenant_id, channel_id) do update
      set free_at = greatest(slots.free_at, ${earliest}) + interval '1 millisecond' * ${NUMBER_EVERY_MS}::int
    returning free_at`)
  const freeAt = rows[0]?.free_at.getTime() ?? now
  return Math.max(now, freeAt - NUMBER_EVERY_MS)
}
