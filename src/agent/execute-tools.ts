/**
 * Runs the tool calls of one message. Every call gets exactly one result, in the order of the calls.
 *
 * Order of work: refusals (unknown tool, bad input, third identical call, spent budget), then all reads side by
 * side, then writes one after another as given, then the tool that ends the turn, if nothing else failed.
 * Each call is stored before it starts and its result before anything is made of it. After a crash a stored
 * result is taken as it is, and a call that was started without a result is finished under the same key even
 * when a limit was reached meanwhile: it may have happened.
 */
import { parseInput } from './invalid-input.ts'
import { fromHost, RunSupersededError } from './run-errors.ts'
import { runTool, type ToolOutcome } from './run-tool.ts'
import { observe, type Session, stopWord } from './session.ts'
import type { EndTurn, Tool, ToolCall, ToolErrorKind, ToolResult } from './types.ts'

/** Results by tool use id; filled as the work goes, so that it tells what was done when the work is cut off. */
export type BatchResults = Map<string, ToolResult>

/** What is to be done with one call. */
type Plan<Ctx> =
  | { do: 'keep'; call: ToolCall; tool: Tool<Ctx> | null; outcome: ToolOutcome }
  | { do: 'refuse'; call: ToolCall; tool: Tool<Ctx> | null; outcome: ToolOutcome; cause?: unknown }
  | { do: 'run'; call: ToolCall; tool: Tool<Ctx>; resumed: boolean }

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
    if (plan.do === 'refuse') await finish(session, plan, plan.outcome, results)
  }
  await runReads(session, plans, results)
  for (const plan of plans) {
    if (plan.do === 'run' && plan.tool.effect === 'write') await runOne(session, plan, results)
  }
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
  if (tool === null) {
    const known = [...session.settings.tools.keys()].sort()
    return refusal(
      call,
      null,
      'unknown_tool',
      texts.unknownTool(JSON.stringify(call.name.slice(0, 64)), known),
    )
  }
  if (resumed) return { do: 'run', call, tool, resumed }
  if (repeated) return refusal(call, tool, 'repeated', texts.repeated)
  const problem = inputProblem(session, tool, call)
  return problem ?? { do: 'run', call, tool, resumed }
}

/** null: the input is valid. A schema that throws is a bug of the tool's. */
function inputProblem<Ctx>(session: Session<Ctx>, tool: Tool<Ctx>, call: ToolCall): Plan<Ctx> | null {
  try {
    const parsed = parseInput(tool, call.input, session.locale)
    return parsed.valid ? null : refusal(call, tool, 'invalid_input', parsed.content)
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
  return { do: 'refuse', call, tool, outcome: { error, content, output: null } }
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
  const reads = plans.flatMap((plan) => (plan.do === 'run' && plan.tool.effect === 'read' ? [plan] : []))
  for (const plan of reads) await saveStart(session, plan)
  const done = await Promise.all(
    reads.map(async (plan) => ({
      plan,
      outcome: await runTool(session, plan.tool, plan.call, plan.resumed),
    })),
  )
  for (const { plan, outcome } of done) await finish(session, plan, outcome, results)
}

async function runOne<Ctx>(
  session: Session<Ctx>,
  plan: Plan<Ctx> & { do: 'run' },
  results: BatchResults,
): Promise<ToolOutcome> {
  await saveStart(session, plan)
  const outcome = await runTool(session, plan.tool, plan.call, plan.resumed)
  await finish(session, plan, outcome, results)
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
      const outcome: ToolOutcome = { error: 'batch_failed', content, output: null }
      await finish(session, { do: 'refuse', call: plan.call, tool: plan.tool, outcome }, outcome, results)
      continue
    }
    const outcome = await runOne(session, plan, results)
    if (outcome.error === null) return toEndTurn(session, plan, outcome.output)
  }
  return null
}

function toEndTurn<Ctx>(session: Session<Ctx>, plan: Plan<Ctx>, output: unknown): EndTurn {
  const { name, toolUseId, input } = plan.call
  const parsed = plan.tool === null ? null : parseInput(plan.tool, input, session.locale)
  return { name, toolUseId, input: parsed?.valid === true ? parsed.input : input, output }
}

async function saveStart<Ctx>(session: Session<Ctx>, plan: Plan<Ctx> & { do: 'run' }): Promise<void> {
  if (plan.resumed) return
  const { runStore } = session.settings
  const start = { ...plan.call, stepIndex: session.steps.length, effect: plan.tool.effect }
  await fromHost(() => runStore.saveToolStart(session.input.runId, start))
}

async function finish<Ctx>(
  session: Session<Ctx>,
  plan: Plan<Ctx>,
  outcome: ToolOutcome,
  results: BatchResults,
): Promise<void> {
  const { runStore, id } = session.settings
  const { runId } = session.input
  const { toolUseId, name } = plan.call
  note(session, { do: 'keep', call: plan.call, tool: plan.tool, outcome }, results)
  await fromHost(() =>
    runStore.saveToolResult(runId, { toolUseId, name, stepIndex: session.steps.length, ...outcome }),
  )
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
