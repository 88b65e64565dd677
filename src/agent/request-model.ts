/**
 * One request of a run: from the store when it was made before, else asked of the model and put down in the
 * journal, which stores it before it is acted on. Failures are stored too, so that a resumed run takes the same
 * turn. When the model is out of reach and there is a fallback, that one answers from here to the end of the run.
 */
import { storable } from '../shared/storable.ts'
import { costOf } from './cost.ts'
import { Halt } from './halt.ts'
import { toSendable } from './history-content.ts'
import { ModelError } from './model-error.ts'
import { buildRequest, shapeOf } from './request-builder.ts'
import { fromHost, RunInterruptedError, RunSupersededError } from './run-errors.ts'
import { elapsedMs, observe, type Session } from './session.ts'
import { earliestDeadline } from './stop-conditions.ts'
import type { StoredAttempt } from './stored-run.ts'
import { markFailed, responseAttributes, usageAttributes, withSpan } from './tracing.ts'
import type { AttemptKind, FailedCall, HistoryMessage, ModelRequest, ModelResponse } from './types.ts'
import { addUsage, NO_USAGE, toUsage } from './usage.ts'

export interface Ask {
  kind: AttemptKind
  maxTokens: number
  /** Only for `final_answer`: the limit's word. */
  limit: string | null
  /** Stands at the end of this request and is no part of the run's history. */
  extra: HistoryMessage[]
}

type Outcome = { response: ModelResponse; failure: null } | { response: null; failure: FailedCall }

export async function requestModel<Ctx>(session: Session<Ctx>, ask: Ask): Promise<StoredAttempt> {
  for (;;) {
    const stored = session.storedAttempts.get(session.attemptIndex)
    const attempt = stored ?? (await makeAttempt(session, ask))
    session.attemptIndex += 1
    session.usage = addUsage(session.usage, attempt.usage)
    session.stepUsage = addUsage(session.stepUsage, attempt.usage)
    session.costMicroUsd += attempt.costMicroUsd
    if (!wantsFallback(session, attempt)) return attempt
    session.usedFallback = true
  }
}

/** A forced final answer is worth no second model: without it there is the fixed sentence and a person. */
function wantsFallback<Ctx>(session: Session<Ctx>, attempt: StoredAttempt): boolean {
  if (attempt.failure?.kind !== 'unreachable' || attempt.kind === 'final_answer') return false
  return session.settings.fallbackModel !== null && !session.usedFallback
}

async function makeAttempt<Ctx>(session: Session<Ctx>, ask: Ask): Promise<StoredAttempt> {
  if (session.recallsOnly) throw new RunSupersededError()
  session.isReplay = false
  if (session.journal.owesAnswer) await session.journal.write()
  await askToContinue(session)
  const { settings, input } = session
  const request = buildRequest({
    model: settings.modelName,
    maxTokens: ask.maxTokens,
    system: input.system,
    tools: settings.toolSchemas,
    messages: toSendable([...session.initial, ...session.appended, ...ask.extra], session.pausesInRow > 0),
    mayCallTools: ask.kind !== 'final_answer',
  })
  const startedAtMs = settings.clock.now()
  const outcome = await traced(session, request, ask)
  // Before anybody looks at it: what could not be stored, or sent back, must not be acted on either.
  const attempt = toAttempt(session, ask, storable(outcome))
  session.journal.add({ attempts: [attempt] })
  report(session, attempt, settings.clock.now() - startedAtMs)
  return attempt
}

async function askToContinue<Ctx>(session: Session<Ctx>): Promise<void> {
  const { shouldContinue, signal } = session.input
  if (signal?.aborted === true) throw new RunInterruptedError(signal.reason)
  if (shouldContinue === undefined) return
  const state = { phase: 'model' as const, wrote: session.wrote, stepIndex: session.steps.length }
  if (!(await fromHost(() => shouldContinue(state)))) throw new RunSupersededError()
}

async function traced<Ctx>(session: Session<Ctx>, request: ModelRequest, ask: Ask): Promise<Outcome> {
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': session.usedFallback ? 'fallback' : 'anthropic',
    'gen_ai.request.model': request.model,
    'gen_ai.request.max_tokens': request.max_tokens,
  }
  return await withSpan(`chat ${request.model}`, 'client', attributes, async (span) => {
    const outcome = await call(session, request, ask)
    if (outcome.response === null) {
      markFailed(span, outcome.failure.code ?? outcome.failure.kind)
    } else {
      span.setAttributes({
        ...responseAttributes(outcome.response),
        ...usageAttributes(toUsage(outcome.response.usage)),
      })
    }
    return outcome
  })
}

async function call<Ctx>(session: Session<Ctx>, request: ModelRequest, ask: Ask): Promise<Outcome> {
  const { settings, input } = session
  const model = session.usedFallback ? (settings.fallbackModel ?? settings.model) : settings.model
  const ofFinalAnswer =
    ask.kind === 'final_answer' ? new Halt(settings.finalAnswerTimeoutMs, input.signal) : null
  const halt = ofFinalAnswer ?? haltOfRun(session)
  const settled = await halt.until(() => {
    const { signal } = halt
    return model.complete(request, { signal, runId: input.runId, attemptIndex: session.attemptIndex })
  })
  ofFinalAnswer?.close()
  if (input.signal?.aborted === true) throw new RunInterruptedError(input.signal.reason)
  switch (settled.status) {
    case 'done':
      return { response: settled.value, failure: null }
    case 'aborted':
      return { response: null, failure: failed('deadline', null, request) }
    case 'failed':
      return { response: null, failure: toFailure(session, settled.error, request) }
  }
}

/** The run's deadline, counted from its start also when it was taken up again later. */
function haltOfRun<Ctx>(session: Session<Ctx>): Halt {
  const deadline = earliestDeadline(session.settings.stopWhen)
  const left = deadline === null ? null : deadline.deadlineMs - elapsedMs(session)
  if (left !== null && left <= 0) return new Halt(0, session.input.signal)
  session.halt ??= new Halt(left, session.input.signal)
  return session.halt
}

function toFailure<Ctx>(session: Session<Ctx>, error: unknown, request: ModelRequest): FailedCall {
  const known = error instanceof ModelError ? error : null
  const kind = known?.kind ?? 'bug'
  if (kind === 'bug' || kind === 'bad_request') {
    const { id } = session.settings
    const { runId } = session.input
    observe(session, (events) => events.onBug?.({ agentId: id, runId, where: `model:${kind}`, cause: error }))
  }
  // The run's own deadline is seen above; a deadline that only the adapter knows is an outage to us.
  return failed(kind === 'deadline' ? 'unreachable' : kind, known, request)
}

function failed(kind: FailedCall['kind'], error: ModelError | null, request: ModelRequest): FailedCall {
  return {
    kind,
    status: error?.status ?? null,
    code: error?.apiCode ?? null,
    requestId: error?.requestId ?? null,
    shape: kind === 'bad_request' || kind === 'bug' ? shapeOf(request) : null,
  }
}

function toAttempt<Ctx>(session: Session<Ctx>, ask: Ask, outcome: Outcome): StoredAttempt {
  const { settings, input } = session
  const cost =
    outcome.response === null
      ? { microUsd: 0, known: true }
      : costOf(settings.modelName, outcome.response.usage, settings.clock.now(), settings.prices)
  if (!cost.known && cost.microUsd > 0) {
    const model = settings.modelName
    observe(session, (events) => events.onUnknownModel?.({ agentId: settings.id, runId: input.runId, model }))
  }
  return {
    attemptIndex: session.attemptIndex,
    stepIndex: session.steps.length,
    kind: ask.kind,
    limit: ask.limit,
    model: settings.modelName,
    maxTokens: ask.maxTokens,
    ...outcome,
    usage: outcome.response === null ? NO_USAGE : toUsage(outcome.response.usage),
    costMicroUsd: cost.microUsd,
  }
}

function report<Ctx>(session: Session<Ctx>, attempt: StoredAttempt, durationMs: number): void {
  observe(session, (events) =>
    events.onModelCall?.({
      agentId: session.settings.id,
      runId: session.input.runId,
      attemptIndex: attempt.attemptIndex,
      kind: attempt.kind,
      model: attempt.model,
      fallback: session.usedFallback,
      stopReason: attempt.response?.stop_reason ?? null,
      failure: attempt.failure,
      usage: attempt.usage,
      costMicroUsd: attempt.costMicroUsd,
      durationMs,
    }),
  )
}
