/**
 * Runs the tool calls of one message. Every call gets exactly one result, in the order of the calls.
 *
 * Order of work: refusals (unknown tool, bad input, third identical call, spent budget), then all reads side by
 * side, then writes one after another as given until one fails, then the tool that ends the turn, if nothing
 * else failed.
 * Each call is stored before it starts and its result after it (see `journal.ts`). After a crash a stored
 * result is taken as it is, and a call that was started without a result is finished under the same key even
 * when a limit was reached meanwhile: it may have happened.
 */
import { storable } from '../shared/storable.ts'
import { prepareCall } from './prepare-call.ts'
import { fromHost, RunSupersededError } from './run-errors.ts'
import { runTool, type ToolOutcome } from './run-tool.ts'
import { observe, type Session, stopWord } from './session.ts'
import type { EndTurn, PreparedCall, Tool, ToolCall, ToolEffect, ToolErrorKind, ToolResult } from './types.ts'

/** Results by tool use id; filled as the work goes, so that it tells what was done when the work is cut off. */
export type BatchResults = Map<string, ToolResult>

/** What is to be done with one call. */
type Plan<Ctx> =
  | { do: 'keep'; call: ToolCall; tool: Tool<Ctx> | null; outcome: ToolOutcome }
  | { do: 'refuse'; call: ToolCall; tool: Tool<Ctx> | null; outcome: ToolOutcome; cause?: unknown }
  | { do: 'run'; call: ToolCall; tool: Tool<Ctx>; prepared: PreparedCall<Ctx>; resumed: boolean }

export async function executeTools<Ctx>(
  session: Session<Ctx>,
  calls: readonly ToolCall[],
  results: BatchResults,
): Promise<EndTurn | null> {
  const limit = stopWord(session, 'budget')
  const plans = calls.map((call) => planCall(session, call, limit !== null))
  await askToWrite(session, plans)
  for (const plan of plans) {
    if (plan.do === 'keep') note(session, plan, results)
    if (plan.do === 'refuse') finish(session, plan, plan.outcome, results)
  }
  await runReads(session, plans, results)
  await runWrites(session, plans, results)
  return await endTurn(session, plans, results)
}

function planCall<Ctx>(session: Session<Ctx>, call: ToolCall, limitReached: boolean): Plan<Ctx> {
  const { texts } = session
  const tool = session.settings.tools.get(call.name) ?? null
  const stored = session.storedCalls.get(call.toolUseId)
  const repeated = session.repetition.isRepeated(call.name, call.input)
  if (stored?.result) {
    const { error, content, output } = stored.result
    return { do: 'keep', call, tool, outcome: { error, content, output } }
  }
  const resumed = stored !== undefined
  if (limitReached && !resumed) return refusal(call, tool, 'limit', texts.limit)
  // Begun before a deploy took the tool away: what became of it is for a person to find out.
  if (tool === null && resumed) return refusal(call, null, 'bug', texts.bug)
  if (tool === null) {
    const known = [...session.settings.tools.keys()].sort()
    return refusal(
      call,
      null,
      'unknown_tool',
      texts.unknownTool(JSON.stringify(call.name.slice(0, 64)), known),
    )
  }
  if (repeated && !resumed) return refusal(call, tool, 'repeated', texts.repeated)
  return planRun(session, tool, call, resumed)
}

/**
 * A schema that throws is a bug of the tool's. So is one that refuses what it took before the crash: what became
 * of that call is for a person to find out.
 */
function planRun<Ctx>(session: Session<Ctx>, tool: Tool<Ctx>, call: ToolCall, resumed: boolean): Plan<Ctx> {
  try {
    const prepared = prepareCall(tool, call.input, session.locale)
    if (prepared.valid) return { do: 'run', call, tool, prepared, resumed }
    if (!resumed) return refusal(call, tool, 'invalid_input', prepared.content)
    throw new Error('the input of a call that was started is not valid any more')
  } catch (cause) {
    const { id } = session.settings
    const where = `schema:${tool.name}`
    observe(session, (events) => events.onBug?.({ agentId: id, runId: session.input.runId, where, cause }))
    return refusal(call, tool, 'bug', session.texts.bug)
  }
}

function refusal<Ctx>(
  call: ToolCall,
  tool: Tool<Ctx> | null,
  error: ToolErrorKind,
  content: string,
): Plan<Ctx> {
  return { do: 'refuse', call, tool, outcome: { error, content: storable(content), output: null } }
}

/** Not asked when a write of this batch was started before a crash: that one has to be finished. */
async function askToWrite<Ctx>(session: Session<Ctx>, plans: readonly Plan<Ctx>[]): Promise<void> {
  const { shouldContinue } = session.input
  const writes = plans.filter((plan) => plan.tool?.effect === 'write')
  const fresh = writes.some((plan) => plan.do === 'run' && !plan.resumed)
  const begun = writes.some((plan) => session.storedCalls.has(plan.call.toolUseId))
  if (shouldContinue === undefined || !fresh || begun) return
  const state = { phase: 'write' as const, wrote: session.wrote, stepIndex: session.steps.length }
  if (!(await fromHost(() => shouldContinue(state)))) throw new RunSupersededError()
}

async function runReads<Ctx>(
  session: Session<Ctx>,
  plans: readonly Plan<Ctx>[],
  results: BatchResults,
): Promise<void> {
  const reads = toRun(plans, 'read')
  await saveStart(session, reads)
  const done = await Promise.all(
    reads.map(async (plan) => ({
      plan,
      outcome: await runTool(session, plan),
    })),
  )
  for (const { plan, outcome } of done) finish(session, plan, outcome, results)
}

/**
 * One after another as given. After one that failed, or that nobody knows of, the later ones do not run: a batch
 * that cancels the old time after it could not book the new one would leave the customer with none.
 */
async function runWrites<Ctx>(
  session: Session<Ctx>,
  plans: readonly Plan<Ctx>[],
  results: BatchResults,
): Promise<void> {
  let mayRun = true
  for (const plan of plans) {
    if (plan.tool?.effect !== 'write') continue
    if (plan.do === 'run' && (mayRun || plan.resumed)) await runOne(session, plan, results)
    else if (plan.do === 'run') refuseForBatch(session, plan, session.texts.batchFailed, results)
    mayRun &&= results.get(plan.call.toolUseId)?.error === null
  }
  if (toRun(plans, 'write').length > 0) await session.journal.write()
}

function refuseForBatch<Ctx>(
  session: Session<Ctx>,
  { call, tool }: Plan<Ctx>,
  content: string,
  results: BatchResults,
): void {
  const outcome: ToolOutcome = { error: 'batch_failed', content, output: null }
  finish(session, { do: 'refuse', call, tool, outcome }, outcome, results)
}

function toRun<Ctx>(plans: readonly Plan<Ctx>[], effect: ToolEffect): (Plan<Ctx> & { do: 'run' })[] {
  return plans.flatMap((plan) => (plan.do === 'run' && plan.tool.effect === effect ? [plan] : []))
}

async function runOne<Ctx>(
  session: Session<Ctx>,
  plan: Plan<Ctx> & { do: 'run' },
  results: BatchResults,
): Promise<ToolOutcome> {
  await saveStart(session, [plan])
  const outcome = await runTool(session, plan)
  finish(session, plan, outcome, results)
  return outcome
}

/**
 * The turn ends when exactly one tool that ends it was called, it succeeded, and so did everything else of the
 * batch. Otherwise the model reads why not: an answer must not be lost to a refused `end_turn` call.
 */
async function endTurn<Ctx>(
  session: Session<Ctx>,
  plans: readonly Plan<Ctx>[],
  results: BatchResults,
): Promise<EndTurn | null> {
  const ending = plans.filter((plan) => plan.tool?.effect === 'end_turn')
  const othersFailed = [...results.values()].some((result) => result.error !== null)
  for (const plan of ending) {
    if (plan.do === 'keep' && plan.outcome.error === null)
      return toEndTurn(session, plan, plan.outcome.output)
    if (plan.do !== 'run') continue
    if (!plan.resumed && (othersFailed || ending.length > 1)) {
      const content = ending.length > 1 ? session.texts.oneEndTurn : session.texts.batchFailed
      refuseForBatch(session, plan, content, results)
      continue
    }
    const outcome = await runOne(session, plan, results)
    if (outcome.error === null) return toEndTurn(session, plan, outcome.output)
  }
  return null
}

function toEndTurn<Ctx>(session: Session<Ctx>, plan: Plan<Ctx>, output: unknown): EndTurn {
  const { name, toolUseId, input } = plan.call
  const parsed = plan.tool === null ? null : prepareCall(plan.tool, input, session.locale)
  return { name, toolUseId, input: parsed?.valid === true ? parsed.input : input, output }
}

/** Before tools run: what called them is stored, and that they start. A call that was started before is stored. */
async function saveStart<Ctx>(
  session: Session<Ctx>,
  plans: readonly (Plan<Ctx> & { do: 'run' })[],
): Promise<void> {
  if (plans.length === 0) return
  const atMs = session.settings.clock.now()
  const stepIndex = session.steps.length
  const fresh = plans.filter((plan) => !plan.resumed)
  const toolStarts = fresh.map(({ call, tool }) => ({ ...call, stepIndex, effect: tool.effect, atMs }))
  session.journal.add({ toolStarts })
  await session.journal.write()
}

function finish<Ctx>(
  session: Session<Ctx>,
  plan: Plan<Ctx>,
  outcome: ToolOutcome,
  results: BatchResults,
): void {
  session.isReplay = false
  const { clock, id } = session.settings
  const { runId } = session.input
  const { toolUseId, name } = plan.call
  note(session, { do: 'keep', call: plan.call, tool: plan.tool, outcome }, results)
  const end = { toolUseId, name, stepIndex: session.steps.length, ...outcome, atMs: clock.now() }
  session.journal.add({ toolResults: [end] })
  if (plan.do !== 'refuse') return
  observe(session, (events) =>
    events.onToolCall?.({
      agentId: id,
      runId,
      toolUseId,
      tool: plan.tool?.name ?? 'unknown_tool',
      outcome: outcome.error ?? 'ok',
      durationMs: 0,
    }),
  )
}

/** What a result means to the rest of the run; the same for a fresh and a stored one. */
function note<Ctx>(session: Session<Ctx>, plan: Plan<Ctx> & { do: 'keep' }, results: BatchResults): void {
  const { call, tool, outcome } = plan
  const { error, content } = outcome
  results.set(call.toolUseId, { toolUseId: call.toolUseId, name: call.name, error, content })
  const failed = error === 'infrastructure' || error === 'bug'
  if (failed) session.toolFailures.push({ name: call.name, toolUseId: call.toolUseId, kind: error })
  if (tool?.effect !== 'write') return
  if (error === null) session.repetition.writeSucceeded(call.name, call.input)
  if (error === null || failed) session.wrote = true
}
