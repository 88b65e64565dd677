import { setTimeout as delay } from 'node:timers/promises'
import type { AgentEvents } from '../agent/agent-events.ts'
import type { Price } from '../agent/cost.ts'
import { type Agent, createAgent } from '../agent/create-agent.ts'
import { joinMessages } from '../agent/history.ts'
import { maxCost, maxDuration, maxInputTokens, stepCountIs } from '../agent/stop-conditions.ts'
import type { RunStore } from '../agent/stored-run.ts'
import type { Model, Tool } from '../agent/types.ts'
import type { AgentConfig } from '../config/config.ts'
import type { ChannelAccount, OutboundChannel } from '../conversations/outbound-channel.ts'
import type { Reader, TenantStore } from '../db/index.ts'
import { referredMedia, refuseMedia, withMedia } from '../media/media-for-model.ts'
import type { MediaStorage } from '../media/media-storage.ts'
import { AppError } from '../shared/app-error.ts'
import type { Clock } from '../shared/clock.ts'
import { beginTurn, type Turn } from './begin-turn.ts'
import { type ConcludeDeps, type Concluded, concludeTurn, type FinishedRun } from './conclude-turn.ts'
import { dailyCost } from './daily-cost.ts'
import { howThingsStand, mayGoOn } from './may-go-on.ts'
import type { RunLease } from './run-store.ts'
import { systemPrompt } from './system-prompt.ts'
import type { ReceptionContext } from './tools/reception-context.ts'

export interface AssistantDeps extends ConcludeDeps {
  readonly store: TenantStore
  readonly clock: Clock
  readonly config: AgentConfig
  readonly model: Model
  /** What `model` is called in requests, in the price table and in the run's row. */
  readonly modelName: string
  /** Answers when `model` cannot be reached; null when `model` needs no network. */
  readonly fallbackModel: Model | null
  readonly tools: readonly Tool<ReceptionContext>[]
  readonly channel: OutboundChannel
  /** Where the pictures and PDFs are that the model is shown. */
  readonly mediaStorage: MediaStorage
  readonly loadAccount: (reader: Reader, channelId: string) => Promise<ChannelAccount>
  readonly events: AgentEvents
  /** Where a run survives a crash, bound to who holds it. */
  readonly openRunStore: (lease: RunLease) => RunStore
  readonly prices?: readonly Price[]
}

export interface Assistant {
  /**
   * Answers what a conversation owes an answer, once; null when it owes none. Running it again is safe, and so
   * is running it after a crash: the run goes on where it was.
   * @throws RunInterruptedError when `signal` is aborted, and whatever the database throws: the job comes back.
   */
  runTurn(input: { tenantId: string; conversationId: string; signal: AbortSignal }): Promise<Concluded | null>
}

export function createAssistant(deps: AssistantDeps): Assistant {
  return {
    async runTurn({ tenantId, conversationId, signal }) {
      const turn = await deps.store
        .transact(tenantId, (tx) =>
          beginTurn(tx, {
            conversationId,
            clock: deps.clock,
            model: deps.modelName,
            dailyLimitMicroUsd: toMicroUsd(deps.config.tenantDailyCostUsd),
            loadAccount: deps.loadAccount,
          }),
        )
        .catch((error: unknown) => {
          if (error instanceof AppError && error.code === 'not_found') return null
          throw error
        })
      if (turn === 'handed_off') {
        return { status: 'stopped', stopReason: 'unsupported_message', handoff: 'unsupported_message' }
      }
      if (turn === null || typeof turn === 'string') return null
      const ended = new AbortController()
      const typing = showTyping(deps, turn, ended.signal)
      try {
        const result = await finishRun(deps, turn, signal)
        return await deps.store.transact(tenantId, (tx) => concludeTurn(tx, deps, turn, result))
      } finally {
        ended.abort()
        await typing
      }
    },
  }
}

async function finishRun(deps: AssistantDeps, turn: Turn, signal: AbortSignal): Promise<FinishedRun> {
  switch (turn.refusal) {
    case null:
      return runAgent(deps, turn, signal, 'run')
    case 'daily_cost':
      return NOT_BEGUN
    case 'overtaken':
      return {
        ...(await runAgent(deps, turn, signal, 'recall')),
        status: 'superseded',
        stopReason: 'superseded',
      }
    case 'died_too_often': {
      const left = await runAgent(deps, turn, signal, 'recall')
      // It had ended, and only what follows from it was missing.
      if (left.status !== 'superseded') return left
      return { ...left, status: 'failed', stopReason: 'died_too_often' }
    }
  }
}

async function runAgent(
  deps: AssistantDeps,
  turn: Turn,
  signal: AbortSignal,
  how: 'run' | 'recall',
): Promise<FinishedRun> {
  const { tenantId } = turn.lease
  const stored = joinMessages(turn.history, [{ role: 'user', content: turn.opening }])
  const messages = await withMedia({ store: deps.store, storage: deps.mediaStorage }, tenantId, stored)
  const day = { spentByOthers: turn.spentByOthers }
  const result = await agentFor(deps, turn, day)[how]({
    runId: turn.run.id,
    system: systemPrompt(turn.profile, turn.catalog),
    messages,
    context: {
      tenantId,
      customerId: turn.customer.id,
      conversationId: turn.conversation.id,
      currency: turn.profile.currency,
    },
    locale: turn.profile.locale,
    signal,
    shouldContinue: async ({ wrote }) => {
      const now = deps.clock.now()
      const state = await deps.store.transactSql(tenantId, (tx) => howThingsStand(tx, turn, now))
      day.spentByOthers = state.spentByOthers
      return mayGoOn(state, turn, wrote, now)
    },
  })
  // A damaged file would be refused in every later turn too, since it stays in the history.
  if (result.stopReason === 'model_error') {
    await refuseMedia(deps.store, tenantId, referredMedia(stored), deps.clock.now())
  }
  return result
}

/** A run's store is bound to its lease, so each run has an agent of its own; building one costs no I/O. */
function agentFor(
  deps: AssistantDeps,
  turn: Turn,
  day: { readonly spentByOthers: number },
): Agent<ReceptionContext> {
  const { config } = deps
  return createAgent<ReceptionContext>({
    id: 'receptionist',
    model: deps.model,
    modelName: deps.modelName,
    ...(deps.fallbackModel === null ? {} : { fallbackModel: deps.fallbackModel }),
    tools: deps.tools,
    stopWhen: [
      stepCountIs(config.maxSteps),
      maxInputTokens(config.maxInputTokens),
      maxCost(config.maxCostUsd),
      maxDuration(config.maxDurationMs),
      dailyCost(toMicroUsd(config.tenantDailyCostUsd), () => day.spentByOthers),
    ],
    maxSteps: config.maxSteps,
    maxOutputTokens: config.maxOutputTokens,
    toolTimeoutMs: config.toolTimeoutMs,
    clock: deps.clock,
    locale: turn.profile.locale,
    runStore: deps.openRunStore(turn.lease),
    events: deps.events,
    ...(deps.prices === undefined ? {} : { prices: deps.prices }),
  })
}

function toMicroUsd(usd: number): number {
  return Math.round(usd * 1_000_000)
}

/** The channel takes "typing…" away after 25 s. */
const TYPING_RENEWED_MS = 20_000

/** "Read" and "typing…" until `ended`. Best effort: its failure is nobody's concern. */
async function showTyping({ channel }: AssistantDeps, turn: Turn, ended: AbortSignal): Promise<void> {
  const { newestWamid, account } = turn
  if (newestWamid === null || account === null) return
  try {
    while (!ended.aborted) {
      await channel.markRead(account, newestWamid, { typing: true })
      await delay(TYPING_RENEWED_MS, undefined, { signal: ended })
    }
  } catch {
    // The run has ended; or there is trouble that the answer itself will meet, and report.
  }
}

/** The tenant's day was spent before the run began. */
const NOT_BEGUN: FinishedRun = {
  status: 'stopped',
  stopReason: 'daily_cost',
  text: '',
  endTurn: null,
  toolFailures: [],
  refusalCategory: null,
  wrote: false,
  steps: [],
  appended: [],
}
