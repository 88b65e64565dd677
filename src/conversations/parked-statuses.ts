/**
 * Statuses that are faster than their message: of a message typed on the business's own phone whose echo is
 * still on its way, or of one of ours whose sender has not yet heard its id. They wait here and are applied in
 * the transaction that gives the message its id.
 *
 * Both sides take one lock for the id, so that a status and its message stored at once do not miss each other.
 * The status takes it only when it found no message, and then holds nothing that the other side waits for.
 */
import { jsonInput, nullableJsonInput, type ParkedStatusModel, sql, type Tx } from '../db/index.ts'
import { isId, newId } from '../shared/ids.ts'
import { parseChannelErrors } from './channel-errors.ts'
import { parsePricing } from './delivery-counts.ts'
import type { ChannelError } from './outbound-channel.ts'
import { type Applied, applyStatus, type DeliveryStatus } from './statuses.ts'

/** Longer than a channel repeats anything: what waited this long waits for nothing. */
const KEEP_MS = 8 * 24 * 60 * 60_000

/** Applies a status, or keeps it for a message that may still come. */
export async function receiveStatus(
  tx: Tx,
  status: DeliveryStatus,
  now: number,
): Promise<Exclude<Applied, { kind: 'unmatched' }> | { kind: 'parked' | 'duplicate' }> {
  const applied = await applyStatus(tx, status)
  if (applied.kind !== 'unmatched') return applied
  await lockWamid(tx, status.channelId, status.wamid)
  const again = await applyStatus(tx, status)
  if (again.kind !== 'unmatched') return again
  const { tenantId } = tx
  await tx.parkedStatus.deleteMany({ where: { tenantId, createdAt: { lt: new Date(now - KEEP_MS) } } })
  const { count } = await tx.parkedStatus.createMany({
    data: [
      {
        tenantId,
        id: newId(),
        channelId: status.channelId,
        wamid: status.wamid,
        ourId: typeof status.ourId === 'string' && isId(status.ourId) ? status.ourId : null,
        status: status.status,
        at: new Date(status.at),
        errors: jsonInput(status.errors),
        pricing: nullableJsonInput(status.pricing),
        createdAt: new Date(now),
      },
    ],
    skipDuplicates: true,
  })
  return { kind: count === 0 ? 'duplicate' : 'parked' }
}

/** A refusal that waited, for its effects beyond the message (see outcome-effects). */
export interface WaitingRefusal {
  readonly error: ChannelError
  /** The channel's time, epoch ms. */
  readonly at: number
}

/**
 * Applies what waited for a message that has its id now. Call it under the conversation's lock.
 * @returns the refusals among it that counted.
 */
export async function applyParkedStatuses(
  tx: Tx,
  message: { readonly id: string; readonly channelId: string; readonly wamid: string },
): Promise<WaitingRefusal[]> {
  const { tenantId } = tx
  const { id, channelId, wamid } = message
  await lockWamid(tx, channelId, wamid)
  const parked = await tx.parkedStatus.findMany({
    where: { tenantId, channelId, OR: [{ wamid }, { ourId: id }] },
    orderBy: [{ at: 'asc' }, { id: 'asc' }],
  })
  const refusals: WaitingRefusal[] = []
  for (const row of parked) {
    const status = readParked(row)
    if (status === null) continue
    const { kind } = await applyStatus(tx, status)
    const error = status.errors[0]
    if (kind === 'applied' && status.status === 'failed' && error !== undefined) {
      refusals.push({ error, at: status.at })
    }
  }
  await tx.parkedStatus.deleteMany({ where: { tenantId, id: { in: parked.map((row) => row.id) } } })
  return refusals
}

const WORDS = ['sent', 'delivered', 'read', 'played', 'failed'] as const

function readParked(row: ParkedStatusModel): DeliveryStatus | null {
  const status = WORDS.find((word) => word === row.status)
  if (status === undefined) return null
  return {
    channelId: row.channelId,
    wamid: row.wamid,
    ourId: row.ourId,
    status,
    at: row.at.getTime(),
    errors: parseChannelErrors(row.errors),
    pricing: parsePricing(row.pricing),
  }
}

async function lockWamid(tx: Tx, channelId: string, wamid: string): Promise<void> {
  const key = `status:${channelId}:${wamid}`
  await tx.$queryRaw(sql`select 1 from (select pg_advisory_xact_lock(hashtextextended(${key}, 0))) as locked`)
}
