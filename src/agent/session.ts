/**
 * What one run knows while it goes. A resumed run goes the same way again: everything that is stored is taken
 * from the store instead of being asked for or done, so the state after it is the state before the crash.
 */
import type { Clock } from '../shared/clock.ts'
import type { Locale } from '../shared/locale.ts'
import type { AgentEvents } from './agent-events.ts'
import { microUsdToUsd, type Price } from './cost.ts'
import type { Halt } from './halt.ts'
import { toolUseIds } from './history-content.ts'
import { Journal } from './journal.ts'
import { Repetition } from './repetition.ts'
import { firstMatch, type RunState, type StopCondition } from './stop-conditions.ts'
import type { RunStore, StoredAttempt, StoredRun, StoredToolCall } from './stored-run.ts'
import { LOOP_TEXTS, type LoopTexts } from './texts.ts'
import type { HistoryMessage, Model, RunInput, RunResult, Step, Tool, ToolSchema, Usage } from './types.ts'
import { NO_USAGE } from './usage.ts'

/** An agent's options with every default filled in. */
export interface Settings<Ctx> {
  id: string
  model: Model
  modelName: string
  fallbackModel: Model | null
  /** By name: a name like `constructor` is found only when a tool is called so. */
  tools: ReadonlyMap<string, Tool<Ctx>>
  toolSchemas: readonly ToolSchema[]
  stopWhen: readonly StopCondition[]
  maxSteps: number
  maxOutputTokens: number
  toolTimeoutMs: number
  finalAnswerTimeoutMs: number
  forceFinalAnswer: (stopReason: string) => boolean
  clock: Clock
  locale: Locale
  runStore: RunStore
  events: AgentEvents
  prices: readonly Price[]
}

export interface Session<Ctx> {
  readonly settings: Settings<Ctx>
  readonly input: RunInput<Ctx>
  readonly locale: Locale
  readonly texts: LoopTexts
  readonly startedAtMs: number
  readonly storedAttempts: ReadonlyMap<number, StoredAttempt>
  readonly storedCalls: ReadonlyMap<string, StoredToolCall>
  readonly journal: Journal
  readonly repetition: Repetition
  readonly usedIds: Set<string>
  /** The run's deadline, from its first request on; closed by whoever opened the session. */
  halt: Halt | null
  initial: readonly HistoryMessage[]
  appended: HistoryMessage[]
  steps: Step[]
  usage: Usage
  /** Of the step that is going on. */
  stepUsage: Usage
  costMicroUsd: number
  /** Of the next request. */
  attemptIndex: number
  usedFallback: boolean
  wrote: boolean
  toolFailures: RunResult['toolFailures']
  pausesInRow: number
  droppedContext: boolean
  /** Nothing new is asked or done: see `Agent.recall`. */
  readonly recallsOnly: boolean
  /** So far everything came from the store. */
  isReplay: boolean
}

export function openSession<Ctx>(
  settings: Settings<Ctx>,
  input: RunInput<Ctx>,
  stored: StoredRun | null,
  recallsOnly: boolean,
): Session<Ctx> {
  const locale = input.locale ?? settings.locale
  return {
    settings,
    input,
    locale,
    texts: LOOP_TEXTS[locale],
    startedAtMs: stored?.startedAtMs ?? settings.clock.now(),
    storedAttempts: new Map(stored?.attempts.map((attempt) => [attempt.attemptIndex, attempt])),
    storedCalls: new Map(stored?.toolCalls.map((call) => [call.toolUseId, call])),
    journal: new Journal(settings.runStore, input.runId),
    repetition: new Repetition(),
    usedIds: toolUseIds(input.messages),
    halt: null,
    initial: input.messages,
    appended: [],
    steps: [],
    usage: NO_USAGE,
    stepUsage: NO_USAGE,
    costMicroUsd: 0,
    attemptIndex: 0,
    usedFallback: false,
    wrote: false,
    toolFailures: [],
    pausesInRow: 0,
    droppedContext: false,
    recallsOnly,
    isReplay: true,
  }
}

export function elapsedMs<Ctx>(session: Session<Ctx>): number {
  return session.settings.clock.now() - session.startedAtMs
}

/**
 * The limit or condition that ends the run here, or null. While the store has a next request, the decision was
 * taken before the crash and is read from it: the clock has moved since then.
 */
export function stopWord<Ctx>(session: Session<Ctx>, which: 'all' | 'budget'): string | null {
  const next = session.storedAttempts.get(session.attemptIndex)
  if (next !== undefined) return next.kind === 'final_answer' ? next.limit : null
  const word = firstMatch(session.settings.stopWhen, runState(session), which)
  if (word !== null || which === 'budget') return word
  const { maxSteps } = session.settings
  return session.steps.length >= maxSteps ? `max_steps:${maxSteps}` : null
}

/** Calls an observer; what it throws is its own affair. */
export function observe(
  session: { settings: { events: AgentEvents } },
  notify: (events: AgentEvents) => void,
): void {
  try {
    notify(session.settings.events)
  } catch {
    // An observer must not be able to break a conversation.
  }
}

function runState<Ctx>(session: Session<Ctx>): RunState {
  return {
    steps: session.steps,
    usage: session.usage,
    elapsedMs: elapsedMs(session),
    costUsd: microUsdToUsd(session.costMicroUsd),
  }
}
