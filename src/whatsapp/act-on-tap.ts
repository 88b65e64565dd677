/**
 * Buttons that the product itself sent and signed, and that need no model: confirm, cancel. The booking use
 * case runs as the customer, so another's appointment is "not found" whatever the button says.
 *
 * First the act, which may be repeated (cancelling by the message's id, confirming by nature), then the message
 * with its answer in one transaction: a crash in between repeats the first half and loses neither.
 */
import type { AppointmentDto } from '../contracts/staff-api.ts'
import { lockConversation } from '../conversations/conversation-row.ts'
import { resolveCustomer } from '../conversations/customers.ts'
import { writeOutbound } from '../conversations/outbox.ts'
import { type InboundMessage, isTooOld, recordInbound } from '../conversations/record-inbound.ts'
import { markMessageAnswered } from '../conversations/unread.ts'
import { jsonInput, type Tx } from '../db/index.ts'
import { DomainError } from '../shared/app-error.ts'
import type { ChannelRef } from '../tenancy/channels.ts'
import { loadTenantProfile } from '../tenancy/tenant-profile.ts'
import type { Action } from './action-id.ts'
import { appointmentSentence, customerTexts, type RefusalCode } from './customer-texts.ts'
import type { IngestDeps, IngestResult } from './ingest-deps.ts'

export type OurAction = Action & { readonly name: 'confirm' | 'cancel' }

/** Any other signed action is a turn, as words are. */
export function isOurAction(action: Action): action is OurAction {
  return action.name === 'confirm' || action.name === 'cancel'
}

type Acted =
  | { readonly kind: 'done'; readonly appointment: AppointmentDto }
  | { readonly kind: 'refused'; readonly code: RefusalCode }
  /** A refusal that needs explaining: the bot's turn. */
  | { readonly kind: 'unclear'; readonly code: string }
  /** Days late: what it was about may be over. Stored and shown, nothing done. */
  | { readonly kind: 'too_old' }

export async function actOnTap(
  deps: IngestDeps,
  channel: ChannelRef,
  inbound: InboundMessage,
  action: OurAction,
): Promise<IngestResult> {
  const { store } = deps
  const { tenantId } = channel
  const customerId = await store.transact(tenantId, async (tx) => {
    if (await isKnown(tx, inbound)) return null
    return (await resolveCustomer(tx, inbound.identities, inbound.profileName)).id
  })
  if (customerId === null) return 'duplicate'
  const acted: Acted = isTooOld(inbound)
    ? { kind: 'too_old' }
    : await act(deps, tenantId, customerId, action, inbound.wamid)
  return store.transact(tenantId, (tx) => recordTap(tx, deps, inbound, action, acted))
}

async function act(
  { booking }: IngestDeps,
  tenantId: string,
  customerId: string,
  { name, payload: code }: OurAction,
  wamid: string,
): Promise<Acted> {
  const actor = { kind: 'customer' as const, customerId }
  try {
    const appointment =
      name === 'confirm'
        ? await booking.confirm(tenantId, actor, code)
        : await booking.cancel(tenantId, actor, { code, idempotencyKey: `tap:${wamid}` })
    return { kind: 'done', appointment }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return isRefusal(error.code)
      ? { kind: 'refused', code: error.code }
      : { kind: 'unclear', code: error.code }
  }
}

async function recordTap(
  tx: Tx,
  deps: IngestDeps,
  inbound: InboundMessage,
  action: OurAction,
  acted: Acted,
): Promise<IngestResult> {
  const outcome = acted.kind === 'done' || acted.kind === 'too_old' ? acted.kind : acted.code
  const tap = { action: { name: action.name, code: action.payload, outcome, title: inbound.text ?? '' } }
  const recorded = await recordInbound(tx, {
    ...inbound,
    payload: jsonInput({ ...Object(inbound.payload ?? {}), ...tap }),
    startsTurn: acted.kind === 'unclear',
  })
  if (recorded.kind === 'duplicate') return recorded.kind
  if (acted.kind !== 'done' && acted.kind !== 'refused') return recorded.kind
  const { locale } = await loadTenantProfile(tx)
  const texts = customerTexts(locale)
  const said = action.name === 'confirm' ? texts.confirmed : texts.cancelled
  const text =
    acted.kind === 'done' ? said(appointmentSentence(locale, acted.appointment)) : texts.refused[acted.code]
  const { conversationId, messageId } = recorded
  const conversation = await lockConversation(tx, conversationId)
  // It tells what was done, not what the bot thinks: it is sent whoever has the conversation.
  await writeOutbound(tx, {
    conversation,
    author: 'system',
    content: { kind: 'text', text, verbatim: true },
    ownerEpoch: null,
    clock: deps.clock,
  })
  await markMessageAnswered(tx, { conversationId, messageId, now: deps.clock.now() })
  return 'applied'
}

const REFUSALS: readonly RefusalCode[] = ['not_found', 'already_cancelled', 'change_too_late', 'wrong_state']

function isRefusal(code: string): code is RefusalCode {
  return REFUSALS.some((known) => known === code)
}

async function isKnown(tx: Tx, { channelId, wamid }: InboundMessage): Promise<boolean> {
  return (await tx.message.count({ where: { tenantId: tx.tenantId, channelId, wamid } })) > 0
}
