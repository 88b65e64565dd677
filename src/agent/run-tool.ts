/**
 * Runs one tool call whose input is valid. Whatever the tool does, the outcome is one of the table's: a result,
 * a rule's refusal in the tool's own words, or one of two fixed texts. An exception's text goes no further than
 * the observer's `cause`.
 */
import { DomainError, InfrastructureError } from '../shared/app-error.ts'
import { storable } from '../shared/storable.ts'
import { Halt, type Settled } from './halt.ts'
import { RunInterruptedError, RunSupersededError } from './run-errors.ts'
import { observe, type Session } from './session.ts'
import { markFailed, withSpan } from './tracing.ts'
import type { PreparedCall, Tool, ToolCall, ToolContext, ToolErrorKind } from './types.ts'

export interface ToolOutcome {
  error: ToolErrorKind | null
  content: string
  /** As `ToolEnd` has it; null for an error. */
  output: unknown
}

/** A call that is to be run. */
export interface ReadyCall<Ctx> {
  call: ToolCall
  tool: Tool<Ctx>
  prepared: PreparedCall<Ctx>
  /** It was started before a crash. */
  resumed: boolean
}

/** Rejects only with `RunInterruptedError` (the run's signal) and `RunSupersededError` (thrown by the tool). */
export async function runTool<Ctx>(session: Session<Ctx>, ready: ReadyCall<Ctx>): Promise<ToolOutcome> {
  const { tool, call } = ready
  const attributes = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': tool.name,
    'gen_ai.tool.call.id': call.toolUseId,
    'gen_ai.tool.type': 'function',
  }
  const { clock, id } = session.settings
  const startedAtMs = clock.now()
  return await withSpan(`execute_tool ${tool.name}`, 'internal', attributes, async (span) => {
    const { outcome: raw, cause } = await settle(session, ready)
    const outcome = storable(raw)
    if (outcome.error !== null) markFailed(span, outcome.error)
    observe(session, (events) =>
      events.onToolCall?.({
        agentId: id,
        runId: session.input.runId,
        toolUseId: call.toolUseId,
        tool: tool.name,
        outcome: outcome.error ?? 'ok',
        durationMs: clock.now() - startedAtMs,
        ...(outcome.error === 'infrastructure' ? { cause } : {}),
      }),
    )
    return outcome
  })
}

interface Explained {
  outcome: ToolOutcome
  cause: unknown
}

async function settle<Ctx>(session: Session<Ctx>, ready: ReadyCall<Ctx>): Promise<Explained> {
  const { tool, call, prepared } = ready
  if (ready.resumed) {
    const found = await lookUp(session, ready)
    if (found !== null) return { outcome: found, cause: null }
    if (session.recallsOnly) {
      const cause = new InfrastructureError('never_finished', tool.name)
      return { outcome: failure(session, 'infrastructure'), cause }
    }
  }
  const settled = await attempt(session, call, (ctx) => prepared.run(ctx))
  const explained = explain(session, tool, settled)
  const { error } = explained.outcome
  if (tool.effect === 'read' || (error !== 'infrastructure' && error !== 'bug')) return explained
  // Nobody knows yet whether this write took place; its key does.
  const found = await lookUp(session, ready)
  return found === null ? explained : { outcome: found, cause: null }
}

function explain<Ctx>(session: Session<Ctx>, tool: Tool<Ctx>, settled: Settled<unknown>): Explained {
  if (settled.status === 'aborted') {
    return {
      outcome: failure(session, 'infrastructure'),
      cause: new InfrastructureError('tool_timeout', tool.name),
    }
  }
  if (settled.status === 'failed') return explainError(session, tool, settled.error)
  const outcome = toSuccess(tool, settled.value)
  if (outcome !== null) return { outcome, cause: null }
  return reportBug(session, tool, new Error('the result cannot be written as JSON'))
}

function explainError<Ctx>(session: Session<Ctx>, tool: Tool<Ctx>, error: unknown): Explained {
  if (error instanceof RunSupersededError) throw error
  if (error instanceof DomainError) {
    const content = `${error.message} ${error.suggestion}`.trim()
    return { outcome: { error: 'domain_rule', content: content || error.code, output: null }, cause: null }
  }
  if (error instanceof InfrastructureError) {
    return { outcome: failure(session, 'infrastructure'), cause: error }
  }
  return reportBug(session, tool, error)
}

function reportBug<Ctx>(session: Session<Ctx>, tool: Tool<Ctx>, cause: unknown): Explained {
  const { id } = session.settings
  const where = `tool:${tool.name}`
  observe(session, (events) => events.onBug?.({ agentId: id, runId: session.input.runId, where, cause }))
  return { outcome: failure(session, 'bug'), cause }
}

/** null: there is none by this key, or the lookup is down as well. */
async function lookUp<Ctx>(
  session: Session<Ctx>,
  { tool, call, prepared }: ReadyCall<Ctx>,
): Promise<ToolOutcome | null> {
  const { lookup } = prepared
  if (lookup === null) return null
  const settled = await attempt(session, call, lookup)
  if (settled.status === 'failed' && settled.error instanceof RunSupersededError) throw settled.error
  return settled.status === 'done' && settled.value !== null ? toSuccess(tool, settled.value.output) : null
}

async function attempt<Ctx, T>(
  session: Session<Ctx>,
  call: ToolCall,
  work: (ctx: ToolContext<Ctx>) => Promise<T>,
): Promise<Settled<T>> {
  const { input, locale, settings } = session
  const halt = new Halt(settings.toolTimeoutMs, input.signal)
  const settled = await halt.until(() =>
    work({
      context: input.context,
      runId: input.runId,
      toolUseId: call.toolUseId,
      idempotencyKey: `${input.runId}:${call.toolUseId}`,
      locale,
      get signal() {
        return halt.signal
      },
    }),
  )
  halt.close()
  if (settled.status !== 'done' && input.signal?.aborted === true) {
    throw new RunInterruptedError(input.signal.reason)
  }
  return settled
}

function failure<Ctx>(session: Session<Ctx>, error: 'infrastructure' | 'bug'): ToolOutcome {
  return { error, content: session.texts[error], output: null }
}

/** null when the value cannot be written as JSON. */
function toSuccess<Ctx>(tool: Tool<Ctx>, value: unknown): ToolOutcome | null {
  try {
    const json = JSON.stringify(value ?? {})
    if (json === undefined) return null
    const output: unknown = tool.effect === 'end_turn' ? JSON.parse(json) : null
    return { error: null, content: typeof value === 'string' && value !== '' ? value : json, output }
  } catch {
    return null
  }
}
