import type { ConversationModel, JsonInput, Tx } from '../db/index.ts'
import { enqueue } from '../queue/enqueue.ts'
import { runTurnJob, turnJobKey } from '../queue/job-definition.ts'
import type { Clock } from '../shared/clock.ts'
import { newId } from '../shared/ids.ts'
import { openConversation } from './conversation-row.ts'
import { resolveCustomer } from './customers.ts'
import { type Identity, replyAddress } from './identities.ts'
import { addMedia, type InboundMedia, mediaAwaitedUntil } from './inbound-media.ts'
import { applyWaitingChanges } from './message-changes.ts'
import { changeOwner } from './owner.ts'
import { WINDOW_MS } from './window.ts'

/** A customer who keeps typing is answered this long after their first message at the latest. */
const LONGEST_QUIET_MS = 8_000

export interface InboundMessage {
  readonly channelId: string
  /** At least one. */
  readonly identities: readonly Identity[]
  readonly profileName: string | null
  /** The channel's id of the message: one effect for each. */
  readonly wamid: string
  readonly type: string
  readonly text: string | null
  readonly payload: JsonInput | null
  /** The channel's id of the message that this one answers. */
  readonly quotedWamid?: string | null
  readonly media?: InboundMedia | null
  /** The channel's own time, epoch ms; null when it said none. */
  readonly sentAt: number | null
  /** Arrival here, epoch ms. */
  readonly arrivedAt: number
  /** Whether a message of this kind asks for an answer of the bot. */
  readonly startsTurn: boolean
  readonly debounceMs: number
  readonly clock: Clock
}

export type Recorded =
  | {
      readonly kind: 'stored'
      readonly conversationId: string
      readonly messageId: string
      readonly customerId: string
      /** The conversation's status after the message. */
      readonly status: string
      /** Whether a turn of the bot was queued for it. */
      readonly awaitsTurn: boolean
      /** Sent more than a day ago: nobody answers it. */
      readonly isOld: boolean
    }
  | { readonly kind: 'duplicate'; readonly conversationId: string; readonly messageId: string }

/**
 * Stores one message of a customer, with everything that follows from it, in the caller's transaction: the
 * customer and their names, the conversation (reopened when it was closed), unread, and the job of the turn
 * while the bot owns the conversation. Taking in the same `wamid` again, or 20 times at once, changes nothing.
 *
 * A burst becomes one turn: the job's time is the earlier of now + `debounceMs` and the first unanswered
 * message + 8 s, and the key keeps it one job; it waits longer for a file that is awaited. A message older than
 * 24 hours is stored and shown, but nobody is answered days later.
 */
export async function recordInbound(tx: Tx, message: InboundMessage): Promise<Recorded> {
  const known = await findByWamid(tx, message)
  if (known !== null) return known
  const customer = await resolveCustomer(tx, message.identities, message.profileName)
  const conversation = await openConversation(tx, {
    id: newId(),
    channelId: message.channelId,
    customerId: customer.id,
    address: replyAddress(message.identities),
  })
  const now = message.clock.now()
  const isOld = isTooOld(message)
  const messageId = newId()
  const { count } = await tx.message.createMany({
    data: [
      {
        ...messageColumns(tx, message),
        id: messageId,
        conversationId: conversation.id,
        quotedId: await findQuoted(tx, message.channelId, message.quotedWamid),
      },
    ],
    skipDuplicates: true,
  })
  if (count === 0) return (await findByWamid(tx, message)) ?? duplicateWithoutRow(message)
  const { channelId, wamid } = message
  if (message.media != null) await addMedia(tx, { messageId, channelId, media: message.media, now })
  const { status, id } = await changeOwner(tx, conversation, { kind: 'customer_message' })
  await touchConversation(tx, conversation, message)
  const awaitsTurn = message.startsTurn && !isOld && status === 'bot'
  if (awaitsTurn) await awaitTurn(tx, { conversationId: id, messageId, now, debounceMs: message.debounceMs })
  await applyWaitingChanges(tx, { id: messageId, channelId, wamid })
  return { kind: 'stored', conversationId: id, messageId, customerId: customer.id, status, awaitsTurn, isOld }
}

/** Nobody is answered days later: whether a message is past what the bot still acts on. */
export function isTooOld(message: Pick<InboundMessage, 'sentAt' | 'clock'>): boolean {
  return message.sentAt !== null && message.clock.now() - message.sentAt > WINDOW_MS
}

/** The bot owes this message an answer: marks it, and queues the turn as {@link recordInbound} tells. */
export async function awaitTurn(
  tx: Tx,
  input: {
    readonly conversationId: string
    readonly messageId: string
    readonly now: number
    readonly debounceMs: number
  },
): Promise<void> {
  const { tenantId } = tx
  const { conversationId, messageId, now } = input
  await tx.message.update({
    where: { tenantId_id: { tenantId, id: messageId } },
    data: { awaitsTurn: true },
  })
  await queueTurn(tx, { conversationId, now, quietAt: now + input.debounceMs })
}

/**
 * A file that a turn waits for came, or will not come: the turn runs as soon as the quiet after the newest
 * message allows. Without a message that awaits a turn nothing happens.
 */
export async function hastenTurn(
  tx: Tx,
  input: { readonly conversationId: string; readonly now: number; readonly debounceMs: number },
): Promise<void> {
  const { conversationId, now, debounceMs } = input
  const newest = await tx.message.findFirst({
    where: { tenantId: tx.tenantId, conversationId, awaitsTurn: true },
    orderBy: { seq: 'desc' },
    select: { createdAt: true },
  })
  if (newest === null) return
  const quietAt = Math.max(now, newest.createdAt.getTime() + debounceMs)
  await queueTurn(tx, { conversationId, now, quietAt })
}

async function queueTurn(
  tx: Tx,
  input: {
    readonly conversationId: string
    readonly now: number
    /** When the burst counts as over, epoch ms. */
    readonly quietAt: number
  },
): Promise<void> {
  const { tenantId } = tx
  const { conversationId, now, quietAt } = input
  const first = await tx.message.findFirst({
    where: { tenantId, conversationId, awaitsTurn: true },
    orderBy: { seq: 'asc' },
    select: { createdAt: true },
  })
  const latest = (first?.createdAt.getTime() ?? quietAt) + LONGEST_QUIET_MS
  const mediaAt = (await mediaAwaitedUntil(tx, conversationId)) ?? 0
  await addTurn(tx, conversationId, {
    delayMs: Math.max(0, Math.min(quietAt, latest) - now, mediaAt - now),
  })
}

/**
 * Queues a turn for whatever still awaits one while the bot has the conversation; one that waits already keeps
 * its time. For the end of a turn: a message that came during it has no job any more when that job was spent
 * on taking up the run of a dead process.
 */
export async function queueTurnIfAwaited(tx: Tx, conversation: ConversationModel): Promise<void> {
  const { id: conversationId, status } = conversation
  if (status !== 'bot') return
  const where = { tenantId: tx.tenantId, conversationId, awaitsTurn: true }
  if ((await tx.message.count({ where })) > 0) await addTurn(tx, conversationId, { keepTime: true })
}

async function addTurn(
  tx: Tx,
  conversationId: string,
  when: { delayMs: number } | { keepTime: true },
): Promise<void> {
  await enqueue(
    tx,
    runTurnJob,
    { tenantId: tx.tenantId, conversationId },
    { jobKey: turnJobKey(conversationId), queueName: `conversation:${conversationId}`, ...when },
  )
}

/** The stored message behind a channel's id, as the one that another answers. */
export async function findQuoted(
  tx: Tx,
  channelId: string,
  wamid: string | null | undefined,
): Promise<string | null> {
  if (wamid === null || wamid === undefined) return null
  const row = await tx.message.findUnique({
    where: { tenantId_channelId_wamid: { tenantId: tx.tenantId, channelId, wamid } },
    select: { id: true },
  })
  return row?.id ?? null
}

async function findByWamid(tx: Tx, message: InboundMessage): Promise<Recorded | null> {
  const { channelId, wamid } = message
  const row = await tx.message.findUnique({
    where: { tenantId_channelId_wamid: { tenantId: tx.tenantId, channelId, wamid } },
    select: { id: true, conversationId: true },
  })
  return row === null ? null : { kind: 'duplicate', conversationId: row.conversationId, messageId: row.id }
}

function duplicateWithoutRow(message: InboundMessage): never {
  throw new Error(`a message of channel ${message.channelId} collided with none that can be seen`)
}

function messageColumns(tx: Tx, message: InboundMessage) {
  return {
    tenantId: tx.tenantId,
    channelId: message.channelId,
    direction: 'in',
    author: 'customer',
    status: 'received',
    type: message.type,
    text: message.text,
    ...(message.payload === null ? {} : { payload: message.payload }),
    wamid: message.wamid,
    sentAt: message.sentAt === null ? null : new Date(message.sentAt),
    createdAt: new Date(message.arrivedAt),
  }
}

/** The window begins when the message was sent, as Meta counts it, however late it was delivered. */
async function touchConversation(
  tx: Tx,
  conversation: ConversationModel,
  message: InboundMessage,
): Promise<void> {
  const windowFrom = Math.min(message.sentAt ?? message.arrivedAt, message.arrivedAt)
  const { kind: addressKind, address } = replyAddress(message.identities)
  await tx.conversation.update({
    where: { tenantId_id: { tenantId: tx.tenantId, id: conversation.id } },
    data: {
      unread: { increment: 1 },
      lastMessageAt: later(conversation.lastMessageAt, message.arrivedAt),
      lastInboundAt: later(conversation.lastInboundAt, windowFrom),
      addressKind,
      address,
      ...(hasWords(message) ? { textAskedAt: null } : {}),
    },
  })
}

/** Whoever wrote has done what they were asked to. */
function hasWords(message: InboundMessage): boolean {
  return message.startsTurn && message.media == null && (message.text ?? '').trim() !== ''
}

function later(known: Date | null, instant: number): Date {
  return new Date(Math.max(known?.getTime() ?? 0, instant))
}
