import type { ContentBlockParam, HistoryMessage } from '../agent/types.ts'
import { lockConversation } from '../conversations/conversation-row.ts'
import type { ChannelAccount } from '../conversations/outbound-channel.ts'
import {
  type ConversationModel,
  type CustomerModel,
  jsonInput,
  type Reader,
  type RunModel,
  type Tx,
} from '../db/index.ts'
import { AppError } from '../shared/app-error.ts'
import type { Clock } from '../shared/clock.ts'
import { newId } from '../shared/ids.ts'
import { type Catalog, loadCatalog } from '../tenancy/catalog.ts'
import { loadTenantProfile, type TenantProfile } from '../tenancy/tenant-profile.ts'
import { costOfDay, loadFacts, loadNewMessages, loadPast, storedBlocks, wasReturned } from './load-turn.ts'
import { openingBlocks } from './opening.ts'
import type { RunLease } from './run-store.ts'
import { type Settled, settleUnreadable } from './settle-unreadable.ts'

/** A run that died this often will die again: a person gets the conversation. */
const MOST_TAKE_UPS = 5

/** A run that is ours now, with all that it needs. */
export interface Turn {
  readonly lease: RunLease
  readonly run: RunModel
  readonly conversation: ConversationModel
  readonly customer: CustomerModel
  readonly profile: TenantProfile
  readonly catalog: Catalog
  readonly history: HistoryMessage[]
  readonly opening: ContentBlockParam[]
  /** The channel's id of the newest message that is being answered, for "read" and "typing…". */
  readonly newestWamid: string | null
  /** Null when the channel has no token that can be used. */
  readonly account: ChannelAccount | null
  /** Micro-dollars of the tenant's other runs of this day. */
  readonly spentByOthers: number
  /**
   * Why the loop must not run: the day's money is spent, the run died too often, or another owner has the
   * conversation. Of the last two it is asked what they did.
   */
  readonly refusal: 'daily_cost' | 'died_too_often' | 'overtaken' | null
}

/**
 * Finds what a conversation owes: an unfinished run first (of a process that died), else the messages that
 * await a turn. null when there is nothing to do; a word when what awaits
 * is nothing that can be read, and was settled here.
 *
 * The run is written, with its opening, before the model is asked. Taking a run up raises its attempt, which
 * shuts out whoever held it before.
 * @throws AppError `not_found` when the tenant has no such conversation.
 */
export async function beginTurn(
  tx: Tx,
  input: {
    readonly conversationId: string
    readonly clock: Clock
    readonly model: string
    readonly dailyLimitMicroUsd: number
    readonly loadAccount: (reader: Reader, channelId: string) => Promise<ChannelAccount>
  },
): Promise<Turn | Settled | null> {
  const { tenantId } = tx
  const now = input.clock.now()
  const conversation = await lockConversation(tx, input.conversationId)
  const unfinished = await takeUp(tx, conversation)
  if (conversation.status !== 'bot' && unfinished === null) return null
  const awaiting = await tx.message.findMany({
    where: { tenantId, conversationId: conversation.id, awaitsTurn: true },
    orderBy: { seq: 'asc' },
  })
  const newest = awaiting.at(-1)
  if (unfinished === null && newest === undefined) return null
  const settled =
    unfinished === null ? await settleUnreadable(tx, { conversation, awaiting, clock: input.clock }) : null
  if (settled !== null) return settled

  const profile = await loadTenantProfile(tx)
  const customer = await tx.customer.findUniqueOrThrow({
    where: { tenantId_id: { tenantId, id: conversation.customerId } },
  })
  const past = await loadPast(tx, conversation.id)
  const begun =
    unfinished ??
    (await createRun(tx, {
      ...input,
      conversation,
      customer,
      profile,
      past,
      now,
      uptoSeq: newest?.seq ?? 0n,
    }))
  const spentByOthers = await costOfDay(tx, profile.timeZone, now, begun.id)
  return {
    lease: { tenantId, runId: begun.id, attempt: begun.attempt },
    run: begun,
    conversation,
    customer,
    profile,
    catalog: await loadCatalog(tx),
    history: past.history,
    opening: storedBlocks.parse(begun.opening),
    newestWamid: awaiting.findLast((message) => message.wamid !== null)?.wamid ?? null,
    account: await usableAccount(input.loadAccount(tx, conversation.channelId)),
    spentByOthers,
    // An unfinished run meets the day's limit inside the loop, where what it did stays in the history.
    refusal:
      unfinished === null
        ? spentByOthers >= input.dailyLimitMicroUsd
          ? 'daily_cost'
          : null
        : refusalToGoOn(unfinished, conversation),
  }
}

function refusalToGoOn(run: RunModel, conversation: ConversationModel): Turn['refusal'] {
  if (conversation.status !== 'bot' || run.ownerEpoch !== conversation.ownerEpoch) return 'overtaken'
  return run.attempt > MOST_TAKE_UPS ? 'died_too_often' : null
}

async function usableAccount(account: Promise<ChannelAccount>): Promise<ChannelAccount | null> {
  try {
    return await account
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

/** The unfinished run with its attempt raised, whoever owns the conversation now. */
async function takeUp(tx: Tx, conversation: ConversationModel): Promise<RunModel | null> {
  const { tenantId } = tx
  const run = await tx.run.findFirst({
    where: { tenantId, conversationId: conversation.id, status: 'running' },
  })
  if (run === null) return null
  const where = { tenantId_id: { tenantId, id: run.id } }
  return tx.run.update({ where, data: { attempt: { increment: 1 } } })
}

async function createRun(
  tx: Tx,
  input: {
    readonly conversation: ConversationModel
    readonly customer: CustomerModel
    readonly profile: TenantProfile
    readonly past: Awaited<ReturnType<typeof loadPast>>
    readonly model: string
    readonly now: number
    readonly uptoSeq: bigint
  },
): Promise<RunModel> {
  const { conversation, past, now, uptoSeq } = input
  const opening = openingBlocks({
    messages: await loadNewMessages(tx, conversation.id, past.reachedSeq, uptoSeq),
    facts: await loadFacts(tx, input),
    returnedFromPeople: await wasReturned(tx, conversation.id, past.lastRunAt),
  })
  return tx.run.create({
    data: {
      tenantId: tx.tenantId,
      id: newId(),
      conversationId: conversation.id,
      ownerEpoch: conversation.ownerEpoch,
      status: 'running',
      model: input.model,
      uptoSeq,
      opening: jsonInput(opening),
      startedAt: new Date(now),
    },
  })
}
