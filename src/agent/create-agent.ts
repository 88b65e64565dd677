/**
 * An agent: a model, its tools and its brakes. `run` takes one turn from the customer's message to an answer,
 * and comes back with a normal result whatever the model, a tool or the network does.
 *
 * It rejects in two cases only, and both are the caller's own: the `RunStore` or `shouldContinue` failed (their
 * error comes through unchanged), or the caller aborted the run (`RunInterruptedError`). The same `run` with the
 * same `runId` then goes on where it was: no request that was answered is made again, no tool call that has a
 * result is run again, and a write whose end nobody knows is run again under the same idempotency key.
 */
import type { Clock } from '../shared/clock.ts'
import type { Locale } from '../shared/locale.ts'
import type { AgentEvents } from './agent-events.ts'
import { microUsdToUsd, PRICES, type Price } from './cost.ts'
import { forceFinalAnswer } from './final-answer.ts'
import { toSendable } from './history-content.ts'
import { toToolSchemas } from './request-builder.ts'
import { fromHost, HostFailure, RunInterruptedError, RunSupersededError } from './run-errors.ts'
import { type Ending, runStep, stoppedBy } from './run-step.ts'
import { observe, openSession, type Session, type Settings, stopWord } from './session.ts'
import { isLimitWord, type StopCondition } from './stop-conditions.ts'
import type { RunStore } from './stored-run.ts'
import { usageAttributes, withSpan } from './tracing.ts'
import type { Model, RunInput, RunResult, Tool } from './types.ts'

export interface AgentOptions<Ctx> {
  /** A stable word for logs and spans. */
  id: string
  model: Model
  /** The model's id at the API, e.g. `claude-haiku-5-5`; it is also what prices are looked up by. */
  modelName: string
  /** Takes over, to the end of the run, when `model` is unreachable. Default none: `model_unavailable`. */
  fallbackModel?: Model
  tools: readonly Tool<Ctx>[]
  stopWhen: readonly StopCondition[]
  /** The last wall, for a run whose conditions never match. Default 8. */
  maxSteps?: number
  /** `max_tokens` of a request; a truncated tool batch is retried once with four times this. Default 2,048. */
  maxOutputTokens?: number
  /** After this a tool is abandoned. Default 10,000. */
  toolTimeoutMs?: number
  /** Of the forced final answer, which comes after the run's own deadline. Default 15,000. */
  finalAnswerTimeoutMs?: number
  /** Which stop words ask for a forced final answer. Default: limits, `step_count:…` and `max_…`. */
  forceFinalAnswer?: (stopReason: string) => boolean
  clock: Clock
  /** Of the texts the loop itself says to the model, unless a run says otherwise. Default `pt-BR`. */
  locale?: Locale
  runStore: RunStore
  events?: AgentEvents
  prices?: readonly Price[]
}

export interface Agent<Ctx> {
  run(input: RunInput<Ctx>): Promise<RunResult>
  /**
   * What a run that will not go on has done, from the store alone: no request is made, and of a tool call whose
   * end nobody knows only its `lookup` is asked. Ends as the run did when it had ended, else `superseded`, with
   * its whole steps in `appended`.
   */
  recall(input: RunInput<Ctx>): Promise<RunResult>
}

/** Throws at once when two tools share a name. */
export function createAgent<Ctx>(options: AgentOptions<Ctx>): Agent<Ctx> {
  const settings = toSettings(options)
  return {
    run: async (input) => {
      const attributes = {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.provider.name': 'anthropic',
        'gen_ai.agent.name': settings.id,
        'gen_ai.request.model': settings.modelName,
        'agent.run.id': input.runId,
      }
      return await withSpan(`invoke_agent ${settings.id}`, 'internal', attributes, async (span) => {
        const result = await runToEnd(settings, input, false)
        span.setAttributes({
          ...usageAttributes(result.usage),
          'agent.run.status': result.status,
          'agent.run.stop_reason': result.stopReason,
        })
        return result
      })
    },
    recall: (input) => runToEnd(settings, input, true),
  }
}

async function runToEnd<Ctx>(
  settings: Settings<Ctx>,
  input: RunInput<Ctx>,
  recallsOnly: boolean,
): Promise<RunResult> {
  try {
    const stored = await fromHost(() => settings.runStore.load(input.runId))
    const session = openSession(settings, input, stored, recallsOnly)
    const result = await runSession(session).finally(() => session.halt?.close())
    // A run that had ended is told of once, however often its end is asked for.
    if (session.isReplay) return result
    observe(session, (events) =>
      events.onRunEnd?.({
        agentId: settings.id,
        runId: input.runId,
        status: result.status,
        stopReason: result.stopReason,
        steps: result.steps.length,
        usage: result.usage,
        costMicroUsd: result.costMicroUsd,
      }),
    )
    return result
  } catch (error) {
    if (error instanceof HostFailure) throw error.cause
    throw error
  }
}

async function runSession<Ctx>(session: Session<Ctx>): Promise<RunResult> {
  try {
    const result = await runToResult(session)
    await session.journal.write()
    return result
  } catch (error) {
    await session.journal.writeWhatCanBe()
    if (error instanceof RunSupersededError) {
      return toResult(session, { status: 'superseded', stopReason: 'superseded' }, null)
    }
    if (error instanceof HostFailure || error instanceof RunInterruptedError) throw error
    const ids = { agentId: session.settings.id, runId: session.input.runId }
    observe(session, (events) => events.onBug?.({ ...ids, where: 'loop', cause: error }))
    return toResult(session, { status: 'failed', stopReason: 'bug' }, null)
  }
}

async function runToResult<Ctx>(session: Session<Ctx>): Promise<RunResult> {
  const ending = await runSteps(session)
  const { forceFinalAnswer: wantsAnswer } = session.settings
  if (ending.byCondition !== true || !wantsAnswer(ending.stopReason)) return toResult(session, ending, null)
  const { finalAnswer, text } = await forceFinalAnswer(session, ending.stopReason)
  return toResult(session, { ...ending, text }, finalAnswer)
}

async function runSteps<Ctx>(session: Session<Ctx>): Promise<Ending> {
  for (;;) {
    const ending = await runStep(session)
    if (ending !== null) return ending
    const word = stopWord(session, 'all')
    if (word !== null) return { ...stoppedBy(word), text: session.steps.at(-1)?.text ?? '' }
  }
}

function toResult<Ctx>(
  session: Session<Ctx>,
  ending: Ending,
  finalAnswer: RunResult['finalAnswer'],
): RunResult {
  return {
    status: ending.status,
    stopReason: ending.stopReason,
    text: ending.text ?? '',
    finalAnswer,
    endTurn: ending.endTurn ?? null,
    refusalCategory: ending.refusalCategory ?? null,
    steps: session.steps,
    usage: session.usage,
    costMicroUsd: session.costMicroUsd,
    costUsd: microUsdToUsd(session.costMicroUsd),
    wrote: session.wrote,
    toolFailures: session.toolFailures,
    usedFallback: session.usedFallback,
    messages: toSendable([...session.initial, ...session.appended], false),
    appended: toSendable(session.appended, false),
  }
}

function toSettings<Ctx>(options: AgentOptions<Ctx>): Settings<Ctx> {
  const tools = new Map(options.tools.map((tool) => [tool.name, tool]))
  if (tools.size !== options.tools.length) throw new Error('two tools share a name')
  return {
    id: options.id,
    model: options.model,
    modelName: options.modelName,
    fallbackModel: options.fallbackModel ?? null,
    tools,
    toolSchemas: toToolSchemas(options.tools),
    stopWhen: options.stopWhen,
    maxSteps: options.maxSteps ?? 8,
    maxOutputTokens: options.maxOutputTokens ?? 2048,
    toolTimeoutMs: options.toolTimeoutMs ?? 10_000,
    finalAnswerTimeoutMs: options.finalAnswerTimeoutMs ?? 15_000,
    forceFinalAnswer: options.forceFinalAnswer ?? isLimitWord,
    clock: options.clock,
    locale: options.locale ?? 'pt-BR',
    runStore: options.runStore,
    events: options.events ?? {},
    prices: options.prices ?? PRICES,
  }
}
