import { z } from 'zod'
import { type SqlReader, sql } from '../db/index.ts'
import type { Turn } from './begin-turn.ts'
import { midnightOf } from './load-turn.ts'

/** What may have changed while a run thinks. */
export interface TurnState {
  /** Of the conversation; null when it is gone. */
  readonly owner: { readonly status: string; readonly epoch: number } | null
  /** Micro-dollars of the tenant's other runs of this day. */
  readonly spentByOthers: number
  readonly newestAwaitingSeq: bigint | null
  /** Epoch ms. */
  readonly oldestAwaitingAt: number | null
}

const stateRows = z
  .array(
    z.object({
      status: z.string(),
      epoch: z.int(),
      spent: z.number(),
      newest: z.string().nullable(),
      oldest: z.date().nullable(),
    }),
  )
  .max(1)

/** One statement: it is asked before every request of every run. */
export async function howThingsStand(reader: SqlReader, turn: Turn, now: number): Promise<TurnState> {
  const { tenantId } = reader
  const rows = stateRows.parse(
    await reader.$queryRaw(sql`select c.status, c.owner_epoch as epoch, awaiting.newest, awaiting.oldest,
        (select coalesce(sum(r.cost_micro_usd), 0)::float8 from runs r
          where r.tenant_id = c.tenant_id and r.started_at >= ${midnightOf(turn.profile.timeZone, now)}
            and r.id <> ${turn.run.id}::uuid) as spent
      from conversations c cross join lateral (
        select max(m.seq)::text as newest, min(m.created_at) as oldest from messages m
        where m.tenant_id = c.tenant_id and m.conversation_id = c.id and m.awaits_turn
      ) awaiting
      where c.tenant_id = ${tenantId}::uuid and c.id = ${turn.conversation.id}::uuid`),
  )
  const [row] = rows
  return {
    owner: row === undefined ? null : { status: row.status, epoch: row.epoch },
    spentByOthers: row?.spent ?? 0,
    newestAwaitingSeq: row?.newest == null ? null : BigInt(row.newest),
    oldestAwaitingAt: row?.oldest?.getTime() ?? null,
  }
}

/** Somebody who keeps typing is answered once their first message has waited this long. */
const LONGEST_WAIT_MS = 20_000

/**
 * Another owner ends the run. So does newer input, which the next turn answers together with the old, unless
 * this run wrote something (what was done has to be told) or the customer has waited long enough.
 */
export function mayGoOn(state: TurnState, turn: Turn, wrote: boolean, now: number): boolean {
  if (state.owner === null || state.owner.status !== 'bot') return false
  if (state.owner.epoch !== turn.run.ownerEpoch) return false
  if (wrote) return true
  const waited = now - (state.oldestAwaitingAt ?? now)
  return waited > LONGEST_WAIT_MS || (state.newestAwaitingSeq ?? 0n) <= turn.run.uptoSeq
}
