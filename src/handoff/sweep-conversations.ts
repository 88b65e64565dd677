import { lockConversation } from '../conversations/conversation-row.ts'
import { changeOwner } from '../conversations/owner.ts'
import { waitingSince } from '../conversations/unread.ts'
import { forgetExpired } from '../conversations/viewers.ts'
import { WINDOW_MS } from '../conversations/window.ts'
import { type Reader, sql, type TenantStore, type Tx } from '../db/index.ts'
import type { Clock } from '../shared/clock.ts'
import type { HandoffProfile } from './first-reply-clock.ts'
import { endHandoff, findOpenHandoff } from './handoff-row.ts'
import { releaseToQueue } from './ownership.ts'

const MINUTE_MS = 60_000
const EVERY_TENANT = 'the clocks of conversations run for every tenant'
const MOST_AT_ONCE = 500

export interface SweepReport {
  /** Conversations whose assignee was silent and that are back in the queue. */
  readonly returnedToQueue: number
  readonly closed: number
  /** Tenants whose sweep failed; the others were swept all the same. */
  readonly failures: readonly { readonly tenantId: string; readonly error: unknown }[]
}

export interface SweepDependencies {
  readonly store: TenantStore
  readonly loadProfile: (reader: Reader) => Promise<HandoffProfile>
  readonly clock: Clock
}

/**
 * Moves on what nobody moves: an assigned conversation whose customer waits for `returnToQueueMinutes` goes
 * back to the queue, and one of the bot or of a person with 24 hours without a message is closed, never one
 * that is queued. Safe to run at any time and twice at once: every step looks again under the lock.
 */
export async function sweepConversations(dependencies: SweepDependencies): Promise<SweepReport> {
  const tenants = await dependencies.store.unsafeRead(EVERY_TENANT, (reader) =>
    reader.tenant.findMany({ select: { id: true }, orderBy: { id: 'asc' } }),
  )
  const reports: SweepReport[] = []
  for (const { id: tenantId } of tenants) {
    try {
      reports.push(await sweepTenant(dependencies, tenantId))
    } catch (error) {
      reports.push({ returnedToQueue: 0, closed: 0, failures: [{ tenantId, error }] })
    }
  }
  return {
    returnedToQueue: reports.reduce((sum, report) => sum + report.returnedToQueue, 0),
    closed: reports.reduce((sum, report) => sum + report.closed, 0),
    failures: reports.flatMap(({ failures }) => failures),
  }
}

async function sweepTenant(
  { store, loadProfile, clock }: SweepDependencies,
  tenantId: string,
): Promise<SweepReport> {
  const { profile, silent, idle } = await store.read(tenantId, async (reader) => {
    const profile = await loadProfile(reader)
    return {
      profile,
      silent: await silentConversations(reader, profile, clock.now()),
      idle: await idleConversations(reader, clock.now()),
    }
  })
  let returnedToQueue = 0
  for (const id of silent) {
    const moved = await store.transact(tenantId, (tx) => returnSilent(tx, id, profile, clock.now()))
    if (moved) returnedToQueue += 1
  }
  let closed = 0
  for (const id of idle) {
    const moved = await store.transact(tenantId, (tx) => closeIdle(tx, id, clock.now()))
    if (moved) closed += 1
  }
  await store.transact(tenantId, (tx) => forgetExpired(tx, clock.now()))
  return { returnedToQueue, closed, failures: [] }
}

/** Assigned ones whose customer waits for long enough; `returnSilent` looks at the time of the claim too. */
async function silentConversations(reader: Reader, profile: HandoffProfile, now: number): Promise<string[]> {
  const before = new Date(now - profile.handoff.returnToQueueMinutes * MINUTE_MS).toISOString()
  const rows = await reader.$queryRaw<{ id: string }[]>(sql`
    select c.id from conversations c
    where c.tenant_id = ${reader.tenantId}::uuid and c.status = 'assigned' and exists (
      select 1 from messages m
      where m.tenant_id = c.tenant_id and m.conversation_id = c.id
        and m.direction = 'in' and m.answered_at is null and m.created_at <= ${before}::timestamptz
        and m.seq > coalesce((select max(s.seq) from messages s
          where s.tenant_id = m.tenant_id and s.conversation_id = m.conversation_id
            and s.direction = 'out' and s.author = 'staff'), 0))
    order by c.last_inbound_at limit ${MOST_AT_ONCE}`)
  return rows.map(({ id }) => id)
}

async function idleConversations(reader: Reader, now: number): Promise<string[]> {
  const rows = await reader.conversation.findMany({
    where: {
      tenantId: reader.tenantId,
      status: { in: ['bot', 'assigned'] },
      lastMessageAt: { lte: new Date(now - WINDOW_MS) },
    },
    select: { id: true },
    orderBy: { lastMessageAt: 'asc' },
    take: MOST_AT_ONCE,
  })
  return rows.map(({ id }) => id)
}

/** The time counts from the customer's first word without an answer, or from the claim when that came later. */
async function returnSilent(
  tx: Tx,
  conversationId: string,
  profile: HandoffProfile,
  now: number,
): Promise<boolean> {
  const conversation = await lockConversation(tx, conversationId)
  if (conversation.status !== 'assigned') return false
  const since = await waitingSince(tx, conversationId)
  if (since === null) return false
  const claimedAt = (await findOpenHandoff(tx, conversationId))?.claimedAt?.getTime() ?? since
  if (now - Math.max(since, claimedAt) < profile.handoff.returnToQueueMinutes * MINUTE_MS) return false
  await releaseToQueue(tx, conversation, profile, now)
  return true
}

async function closeIdle(tx: Tx, conversationId: string, now: number): Promise<boolean> {
  const conversation = await lockConversation(tx, conversationId)
  if (conversation.status !== 'bot' && conversation.status !== 'assigned') return false
  const lastMessageAt = conversation.lastMessageAt?.getTime() ?? now
  if (now - lastMessageAt < WINDOW_MS) return false
  await changeOwner(tx, conversation, { kind: 'idle' })
  await endHandoff(tx, conversationId, 'resolved', now)
  return true
}
