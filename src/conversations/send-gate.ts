import { type ConversationModel, type SystemTx, sql, type TenantStore, type Tx } from '../db/index.ts'
import { AppError } from '../shared/app-error.ts'
import type { ChannelError, OutboundContent } from './outbound-channel.ts'

/** What may leave in a conversation now. */
export interface SendGate {
  /** Nothing may: see channels.paused_at. */
  readonly isPaused: boolean
  /** Nothing that the customer did not ask for: by the channel's word about the number. */
  readonly proactiveStopped: boolean
  /** The same, by the customer's own word. */
  readonly customerOptedOut: boolean
  /** The tenant's template that may stand for a text whose window is closed. */
  readonly reopenTemplate: { readonly name: string; readonly language: string } | null
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
  readonly opted_out: boolean
  readonly reopen_name: string | null
  readonly reopen_language: string | null
  readonly waba_id: string
  readonly phone_number_id: string
  readonly blocked_until: Date | null
}

export async function loadGate(
  tx: Tx,
  { channelId, customerId }: Pick<ConversationModel, 'channelId' | 'customerId'>,
): Promise<SendGate> {
  const rows = await tx.$queryRaw<GateRow[]>(sql`
    select c.paused_at is not null as paused, c.proactive_stopped_at is not null as proactive_stopped,
      u.proactive_stopped_at is not null as opted_out,
      t.reopen_template_name as reopen_name, t.reopen_template_language as reopen_language,
      c.waba_id, c.phone_number_id,
      (select max(b.blocked_until) from send_blocks b
        where b.scope = 'app' or (b.scope = 'waba' and b.key = c.waba_id)
          or (b.scope = 'number' and b.key = c.phone_number_id)) as blocked_until
    from channels c
      join tenants t on t.id = c.tenant_id
      join customers u on u.tenant_id = c.tenant_id and u.id = ${customerId}::uuid
    where c.tenant_id = ${tx.tenantId}::uuid and c.id = ${channelId}::uuid`)
  const row = rows[0]
  if (row === undefined) throw new AppError('channel_not_found', 'there is no such channel')
  const { reopen_name: name, reopen_language: language } = row
  return {
    isPaused: row.paused,
    proactiveStopped: row.proactive_stopped,
    customerOptedOut: row.opted_out,
    reopenTemplate: name === null || language === null ? null : { name, language },
    blockedUntil: row.blocked_until?.getTime() ?? null,
    account: { wabaId: row.waba_id, phoneNumberId: row.phone_number_id },
  }
}

const PROACTIVE_STOPPED: ChannelError = {
  code: 131_048,
  detail: 'Proactive messages of this number are stopped: it was reported as spam too often.',
}
const OPTED_OUT: ChannelError = {
  code: 131_050,
  detail: 'The customer asked for no messages that they did not ask for.',
}
const WINDOW_CLOSED: ChannelError = {
  code: 131_047,
  detail: 'The 24-hour window closed before the message was sent.',
}

/**
 * Why no template may leave for a closed window: those are what Meta calls business-initiated, whoever writes
 * them. Inside the window a template answers the customer. Null: they may.
 */
export function proactiveRefusalOf(
  gate: Pick<SendGate, 'customerOptedOut' | 'proactiveStopped'>,
): ChannelError | null {
  if (gate.customerOptedOut) return OPTED_OUT
  return gate.proactiveStopped ? PROACTIVE_STOPPED : null
}

/** Why a content must not be sent at all, known without asking the channel; null: it may be. */
export async function refusalOf(
  tx: Tx,
  gate: SendGate,
  { content, windowOpen }: { content: OutboundContent; windowOpen: boolean },
): Promise<ChannelError | null> {
  if (content.kind !== 'template') return windowOpen ? null : WINDOW_CLOSED
  const unwanted = windowOpen ? null : proactiveRefusalOf(gate)
  if (unwanted !== null) return unwanted
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
