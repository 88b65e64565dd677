import { type SystemTx, sql, type TenantStore, type Tx } from '../db/index.ts'
import { AppError } from '../shared/app-error.ts'
import type { ChannelError, OutboundContent } from './outbound-channel.ts'

/** What may leave a channel now. */
export interface SendGate {
  /** Nothing may: see channels.paused_at. */
  readonly isPaused: boolean
  readonly proactiveStopped: boolean
  /** Refusals for rate of the app, the account or the number: nothing before this, epoch ms. Null: none are known. */
  readonly blockedUntil: number | null
  readonly account: BlockedAccount
}

export interface BlockedAccount {
  readonly wabaId: string
  readonly phoneNumberId: string
}

interface GateRow {
  readonly paused: boolean
  readonly proactive_stopped: boolean
  readonly waba_id: string
  readonly phone_number_id: string
  readonly blocked_until: Date | null
}

export async function loadGate(tx: Tx, channelId: string): Promise<SendGate> {
  const rows = await tx.$queryRaw<GateRow[]>(sql`
    select c.paused_at is not null as paused, c.proactive_stopped_at is not null as proactive_stopped,
      c.waba_id, c.phone_number_id,
      (select max(b.blocked_until) from send_blocks b
        where b.scope = 'app' or (b.scope = 'waba' and b.key = c.waba_id)
          or (b.scope = 'number' and b.key = c.phone_number_id)) as blocked_until
    from channels c where c.tenant_id = ${tx.tenantId}::uuid and c.id = ${channelId}::uuid`)
  const row = rows[0]
  if (row === undefined) throw new AppError('channel_not_found', 'there is no such channel')
  return {
    isPaused: row.paused,
    proactiveStopped: row.proactive_stopped,
    blockedUntil: row.blocked_until?.getTime() ?? null,
    account: { wabaId: row.waba_id, phoneNumberId: row.phone_number_id },
  }
}

/** Templates to somebody whose window is closed are what Meta calls business-initiated. */
const PROACTIVE_STOPPED: ChannelError = {
  code: 131_048,
  detail: 'Proactive messages of this number are stopped: it was reported as spam too often.',
}
const WINDOW_CLOSED: ChannelError = {
  code: 131_047,
  detail: 'The 24-hour window closed before the message was sent.',
}

/** Why a content must not be sent at all, known without asking the channel; null: it may be. */
export async function refusalOf(
  tx: Tx,
  gate: SendGate,
  { content, windowOpen }: { content: OutboundContent; windowOpen: boolean },
): Promise<ChannelError | null> {
  if (content.kind !== 'template') return windowOpen ? null : WINDOW_CLOSED
  if (gate.proactiveStopped && !windowOpen) return PROACTIVE_STOPPED
  const { tenantId } = tx
  const { name, language } = content
  const disabled = await tx.disabledTemplate.findUnique({
    where: { tenantId_name_language: { tenantId, name, language } },
  })
  return disabled === null ? null : { code: disabled.code, detail: disabled.detail }
}

export type WideScope = 'app' | 'waba' | 'number'

const SHARED = 'limits of the app, an account and a number are felt by every tenant under them'
const LONGEST_BLOCK_SECONDS = 3_600

/**
 * A refusal for rate that more than one conversation has to heed: blocks the scope for 2, 4, 8 … seconds. Those
 * that were under way when the last block began count as one with it.
 * @param input.startedAt when the refused send began, epoch ms.
 */
export async function raiseBlock(
  store: TenantStore,
  input: {
    readonly scope: WideScope
    readonly account: BlockedAccount
    readonly startedAt: number
    readonly now: number
  },
): Promise<void> {
  const { scope, now } = input
  const key = keyOf(scope, input.account)
  const until = (seconds: number) => new Date(now + seconds * 1_000)
  await store.unsafeTransact(SHARED, (tx: SystemTx) =>
    tx.$executeRaw(sql`
      insert into send_blocks as b (scope, key, strikes, blocked_until) values (${scope}, ${key}, 1, ${until(2)})
      on conflict (scope, key) do update set strikes = b.strikes + 1,
        blocked_until = ${until(0)}::timestamptz
          + interval '1 second' * least(power(2, least(b.strikes + 1, 20)), ${LONGEST_BLOCK_SECONDS}::int)
      where b.blocked_until <= ${new Date(input.startedAt)}`),
  )
}

/** A send that was taken after a block: the rate is good again. */
export async function clearBlocks(store: TenantStore, account: BlockedAccount, now: number): Promise<void> {
  await store.unsafeTransact(SHARED, (tx: SystemTx) =>
    tx.$executeRaw(sql`
      delete from send_blocks where blocked_until <= ${new Date(now)} and (scope = 'app'
        or (scope = 'waba' and key = ${account.wabaId}) or (scope = 'number' and key = ${account.phoneNumberId}))`),
  )
}

function keyOf(scope: WideScope, account: BlockedAccount): string {
  switch (scope) {
    case 'app':
      return ''
    case 'waba':
      return account.wabaId
    case 'number':
      return account.phoneNumberId
  }
}
