import { RunSupersededError } from '../agent/run-errors.ts'
import type { HistoryMessage } from '../agent/types.ts'
import { lockConversation } from '../conversations/conversation-row.ts'
import type { OutboundContent } from '../conversations/outbound-channel.ts'
import { writeOutbound } from '../conversations/outbox.ts'
import { queueTurnIfAwaited } from '../conversations/record-inbound.ts'
import { markAnswered } from '../conversations/unread.ts'
import { type ConversationModel, jsonInput, type Tx } from '../db/index.ts'
import { noticeText } from '../handoff/notice-text.ts'
import { requestHandoff } from '../handoff/request-handoff.ts'
import type { Clock } from '../shared/clock.ts'
import type { HandoffReason } from '../shared/handoff-reason.ts'
import type { Turn } from './begin-turn.ts'
import { type EndedRun, type OutcomeHandoff, outcomeOf, type Reply } from './outcome.ts'
import { proveLease } from './run-store.ts'
import { summaryFromFacts } from './summary-from-facts.ts'

export interface ConcludeDeps {
  readonly clock: Clock
  /** Cuts a text into pieces that the channel takes as one message each. */
  readonly splitText: (text: string) => readonly string[]
}

export type FinishedRun = EndedRun & {
  readonly wrote: boolean
  readonly steps: readonly unknown[]
  readonly appended: readonly HistoryMessage[]
}

export interface Concluded {
  readonly status: FinishedRun['status']
  readonly stopReason: string
  readonly handoff: HandoffReason | null
}

/**
 * What a run leads to, in one transaction: the owner's epoch and the lease are proved, then the answer goes to
 * the outbox, the handoff is opened if there is one, and the messages count as answered. A run that was
 * overtaken leaves nothing but its history (if it wrote).
 *
 * A handoff is one message: what was said, if anything, with the notice; it carries the new epoch, and the
 * messages that led to it stay unanswered for the staff. `tool_failure` alone answers first.
 */
export async function concludeTurn(
  tx: Tx,
  deps: ConcludeDeps,
  turn: Turn,
  result: FinishedRun,
): Promise<Concluded> {
  const conversation = await lockConversation(tx, turn.conversation.id)
  const overtaken = conversation.status !== 'bot' || conversation.ownerEpoch !== turn.run.ownerEpoch
  const ended: FinishedRun = overtaken
    ? { ...result, status: 'superseded', stopReason: 'superseded', appended: withoutAnswer(result.appended) }
    : result
  try {
    await proveLease(tx, turn.lease, {
      status: ended.status,
      stopReason: ended.stopReason,
      steps: ended.steps.length,
      finishedAt: new Date(deps.clock.now()),
      ...(leavesTrace(ended) ? { appended: jsonInput(ended.appended) } : {}),
    })
  } catch (error) {
    // Another worker has the run now, and will conclude it.
    if (error instanceof RunSupersededError)
      return { status: 'superseded', stopReason: 'superseded', handoff: null }
    throw error
  }
  const { reply, handoff } = outcomeOf(ended)
  if (handoff === null) {
    if (reply !== null) await answer(tx, deps, turn, conversation, reply)
    await queueTurnIfAwaited(tx, conversation)
    return { status: ended.status, stopReason: ended.stopReason, handoff: null }
  }
  if (handoff.reason === 'tool_failure') await settle(tx, deps, turn)
  await handOver(tx, deps, turn, conversation, { ...handoff, said: reply?.text })
  return { status: ended.status, stopReason: ended.stopReason, handoff: handoff.reason }
}

/** Broken off before it wrote: what it should have answered comes again with the next opening. */
function leavesTrace({ status, wrote }: FinishedRun): boolean {
  return wrote || (status !== 'superseded' && status !== 'failed')
}

/** The customer never gets the answer of a run that was overtaken, so the next one must not take it as said. */
function withoutAnswer(appended: readonly HistoryMessage[]): readonly HistoryMessage[] {
  return appended.at(-1)?.role === 'assistant' ? appended.slice(0, -1) : appended
}

async function answer(
  tx: Tx,
  deps: ConcludeDeps,
  turn: Turn,
  conversation: ConversationModel,
  reply: Reply,
): Promise<void> {
  const contents: OutboundContent[] =
    reply.choices.length > 0
      ? [{ kind: 'choices', text: reply.text, choices: reply.choices }]
      : deps.splitText(reply.text).map((text) => ({ kind: 'text', text }))
  for (const content of contents) {
    await writeOutbound(tx, {
      conversation,
      author: 'bot',
      content,
      ownerEpoch: conversation.ownerEpoch,
      runId: turn.run.id,
      clock: deps.clock,
    })
  }
  await settle(tx, deps, turn)
}

async function settle(tx: Tx, deps: ConcludeDeps, turn: Turn): Promise<void> {
  await markAnswered(tx, {
    conversationId: turn.conversation.id,
    uptoSeq: turn.run.uptoSeq,
    now: deps.clock.now(),
  })
}

async function handOver(
  tx: Tx,
  deps: ConcludeDeps,
  turn: Turn,
  conversation: ConversationModel,
  handoff: OutcomeHandoff & { said: string | undefined },
): Promise<void> {
  const { profile, run } = turn
  const facts = handoff.summary ?? (await summaryFromFacts(tx, turn))
  const summary = handoff.detail === null ? facts : `${facts}\n(${handoff.detail})`
  const queued = await requestHandoff(tx, {
    conversation,
    reason: handoff.reason,
    summary,
    runId: run.id,
    profile,
    clock: deps.clock,
  })
  for (const text of deps.splitText(noticeText(profile, deps.clock.now(), handoff.said))) {
    await writeOutbound(tx, {
      conversation: queued.conversation,
      author: 'bot',
      content: { kind: 'text', text },
      ownerEpoch: queued.conversation.ownerEpoch,
      runId: run.id,
      clock: deps.clock,
    })
  }
}
