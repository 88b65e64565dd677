import type { Identity } from '../conversations/identities.ts'
import { type InboundMessage, recordInbound } from '../conversations/record-inbound.ts'
import { recordOutside } from '../conversations/record-outside.ts'
import { applyStatus } from '../conversations/statuses.ts'
import { WINDOW_MS } from '../conversations/window.ts'
import { classifyDatabaseError, jsonInput, type TenantStore } from '../db/index.ts'
import { phoneTakeOver } from '../handoff/phone-take-over.ts'
import { asksForBot, resumeBot } from '../handoff/resume-bot.ts'
import { AppError } from '../shared/app-error.ts'
import type { Clock } from '../shared/clock.ts'
import { findChannelByPhoneNumberId } from '../tenancy/channels.ts'
import { loadTenantProfile } from '../tenancy/tenant-profile.ts'
import { inOrderByPerson } from './in-order-by-person.ts'
import { messageContent } from './message-content.ts'
import { canonicalPhone } from './phone.ts'
import { storable } from './storable.ts'
import { parseWebhook } from './webhook-schema.ts'
import type {
  HistoryUpdate,
  MessageUpdate,
  StatusUpdate,
  WebhookContact,
  WebhookUpdate,
} from './webhook-types.ts'

export interface IngestDeps {
  readonly store: TenantStore
  readonly clock: Clock
  readonly debounceMs: number
  /** What the product's own action ids are signed with. */
  readonly actionSecret: string
  /** Told of each update and what became of it: `stored`, `duplicate`, `applied`, or why it was kept aside. */
  readonly onUpdate: (kind: WebhookUpdate['kind'], outcome: string) => void
  readonly onFailure: (error: unknown, path: string) => void
}

/** What an update became. `kept`: it stays in the raw body, with the reason beside it. */
type Result = 'stored' | 'duplicate' | 'applied' | { readonly kept: string }

/**
 * Takes one stored webhook body apart. Each update has a transaction of its own, so one that fails takes no
 * other with it; what was stored before a failure is found again by its wamid when the job comes back.
 * @param input.isLastAttempt updates that still fail are then kept aside with the body, and the job ends.
 * @throws AppError `updates_failed` when some failed and the job may come again; whatever the database throws
 *   when it is away.
 */
export async function ingestWebhook(
  deps: IngestDeps,
  input: { readonly eventId: bigint; readonly isLastAttempt: boolean },
): Promise<void> {
  const { store } = deps
  const event = await store.unsafeRead('a webhook body belongs to no tenant until it is read', (reader) =>
    reader.webhookEvent.findUnique({ where: { id: input.eventId } }),
  )
  if (event === null || event.processedAt !== null) return
  const body = storable(JSON.parse(Buffer.from(event.body).toString('utf8')))
  const leftovers: { path: string; reason: string }[] = []
  let failed = 0
  await inOrderByPerson(parseWebhook(body), async (update) => {
    try {
      const result = await ingestUpdate(deps, update, event.receivedAt.getTime())
      deps.onUpdate(update.kind, typeof result === 'string' ? result : result.kept)
      if (typeof result !== 'string') leftovers.push({ path: update.path, reason: result.kept })
    } catch (error) {
      if (classifyDatabaseError(error).kind === 'connection') throw error
      failed += 1
      deps.onUpdate(update.kind, 'failed')
      deps.onFailure(error, update.path)
      leftovers.push({ path: update.path, reason: 'failed' })
    }
  })
  if (failed > 0 && !input.isLastAttempt)
    throw new AppError('updates_failed', `${failed} updates of a webhook failed`)
  await store.unsafeTransact('a webhook body belongs to no tenant', (tx) =>
    tx.webhookEvent.update({
      where: { id: input.eventId },
      data: {
        processedAt: new Date(deps.clock.now()),
        ...(leftovers.length === 0 ? {} : { leftovers: jsonInput(leftovers) }),
      },
    }),
  )
}

async function ingestUpdate(deps: IngestDeps, update: WebhookUpdate, arrivedAt: number): Promise<Result> {
  switch (update.kind) {
    case 'message':
    case 'echo':
    case 'standby':
      return ingestMessage(deps, update, arrivedAt)
    case 'history':
      return ingestHistory(deps, update, arrivedAt)
    case 'status':
      return ingestStatus(deps, update, arrivedAt)
    case 'preference':
    case 'identity':
    case 'account':
    case 'error':
    case 'unknown':
    case 'malformed':
      return { kept: update.kind }
  }
}

async function ingestMessage(deps: IngestDeps, update: MessageUpdate, arrivedAt: number): Promise<Result> {
  const common = await commonOf(deps, update, arrivedAt)
  if ('kept' in common) return common
  const { tenantId, message } = common
  const { startsTurn, ...outside } = message
  switch (update.kind) {
    case 'echo':
      return (
        await deps.store.transact(tenantId, (tx) => phoneTakeOver(tx, { ...outside, clock: deps.clock }))
      ).kind
    case 'standby':
      return (
        await deps.store.transact(tenantId, (tx) =>
          recordOutside(tx, { ...outside, direction: 'in', isHistory: false }),
        )
      ).kind
    case 'message':
      return deps.store.transact(tenantId, async (tx) => {
        const { debounceMs, clock } = deps
        const recorded = await recordInbound(tx, { ...message, debounceMs, clock })
        const isOld = message.sentAt !== null && arrivedAt - message.sentAt > WINDOW_MS
        if (recorded.kind === 'stored' && recorded.status === 'queued' && startsTurn && !isOld) {
          const { locale } = await loadTenantProfile(tx)
          if (asksForBot(locale, message.text)) await resumeBot(tx, { ...recorded, debounceMs, clock })
        }
        return recorded.kind
      })
  }
}

async function ingestHistory(deps: IngestDeps, update: HistoryUpdate, arrivedAt: number): Promise<Result> {
  const common = await commonOf(deps, update, arrivedAt)
  if ('kept' in common) return common
  const { startsTurn: _never, ...message } = common.message
  const recorded = await deps.store.transact(common.tenantId, (tx) =>
    recordOutside(tx, { ...message, direction: update.direction, isHistory: true }),
  )
  return recorded.kind
}

async function ingestStatus(deps: IngestDeps, update: StatusUpdate, arrivedAt: number): Promise<Result> {
  const { status } = update
  const known = KNOWN_STATUSES.find((word) => word === status.status)
  if (known === undefined) return { kept: 'unknown_status' }
  const channel = await channelOf(deps, update)
  if (channel === null) return { kept: 'unknown_number' }
  const applied = await deps.store.transact(channel.tenantId, (tx) =>
    applyStatus(tx, {
      channelId: channel.channelId,
      wamid: status.wamid,
      ourId: status.messageId,
      status: known,
      at: status.atMs ?? arrivedAt,
      errors: status.errors.map(({ code, detail }) => ({ code, detail })),
    }),
  )
  if (applied.kind === 'unmatched') return { kept: 'unmatched_status' }
  return applied.kind === 'applied' ? 'applied' : 'duplicate'
}

const KNOWN_STATUSES = ['sent', 'delivered', 'read', 'played', 'failed'] as const

type CommonMessage = Omit<InboundMessage, 'debounceMs' | 'clock'>

/** Changes to other messages, and groups: kept with the body, never a message of the thread, never answered. */
const ASIDE: ReadonlySet<string> = new Set(['reaction', 'edit', 'revoke'])

async function commonOf(
  deps: IngestDeps,
  update: MessageUpdate | HistoryUpdate,
  arrivedAt: number,
): Promise<{ kept: string } | { tenantId: string; message: CommonMessage }> {
  const { message } = update
  if (message.groupId !== null) return { kept: 'group' }
  if (ASIDE.has(message.content.type)) return { kept: message.content.type }
  const channel = await channelOf(deps, update)
  if (channel === null) return { kept: 'unknown_number' }
  const identities = identitiesOf(update)
  if (identities.length === 0) return { kept: 'nobody' }
  return {
    tenantId: channel.tenantId,
    message: {
      channelId: channel.channelId,
      identities,
      profileName: update.contact.name,
      wamid: message.wamid,
      sentAt: message.sentAtMs,
      arrivedAt,
      ...messageContent(message, deps.actionSecret),
    },
  }
}

async function channelOf(deps: IngestDeps, update: WebhookUpdate) {
  return update.phoneNumberId === null ? null : findChannelByPhoneNumberId(deps.store, update.phoneNumberId)
}

/** How the customer of a message is known: for an echo and for history written by us, whom it went to. */
function identitiesOf(update: MessageUpdate | HistoryUpdate): Identity[] {
  const { contact, message } = update
  const isOurs = update.kind === 'echo' || (update.kind === 'history' && update.direction === 'out')
  const person: WebhookContact = {
    ...contact,
    waId: (isOurs ? message.to : message.from) ?? contact.waId,
    bsuid: (isOurs ? message.toBsuid : message.fromBsuid) ?? contact.bsuid,
    parentBsuid: (isOurs ? message.toParentBsuid : message.fromParentBsuid) ?? contact.parentBsuid,
  }
  const phone = person.waId?.replace(/\D/g, '') ?? ''
  return [
    ...(phone === '' ? [] : [{ kind: 'phone' as const, value: canonicalPhone(phone), address: phone }]),
    ...(person.bsuid === null
      ? []
      : [{ kind: 'bsuid' as const, value: person.bsuid, address: person.bsuid }]),
    ...(person.parentBsuid === null
      ? []
      : [{ kind: 'parent_bsuid' as const, value: person.parentBsuid, address: person.parentBsuid }]),
  ]
}
