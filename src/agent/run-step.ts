/**
 * One model turn: the request, what its `stop_reason` asks for, and the one retry that some endings are worth.
 * Only a message that ended with `tool_use` runs tools.
 */
import { type BatchResults, executeTools } from './execute-tools.ts'
import { dropOlderTurns, textOf } from './history.ts'
import { acceptCalls, acceptWithoutCalls, cutAtSentence, withCutText } from './history-content.ts'
import { type Ask, requestModel } from './request-model.ts'
import { RunSupersededError } from './run-errors.ts'
import { observe, type Session, stopWord } from './session.ts'
import { earliestDeadline } from './stop-conditions.ts'
import type {
  AttemptKind,
  ContentBlockParam,
  EndTurn,
  FailedCall,
  ModelResponse,
  RunStatus,
  ToolCall,
  ToolResult,
} from './types.ts'
import { NO_USAGE } from './usage.ts'

export interface Ending {
  status: RunStatus
  stopReason: string
  text?: string
  endTurn?: EndTurn
  refusalCategory?: string | null
  /** A condition or limit stopped the run between answers. */
  byCondition?: boolean
}

/** `go`: the run goes on with the next step. */
type Verdict = { type: 'retry'; ask: Ask } | { type: 'end'; ending: Ending } | { type: 'go' }

/** The step that is going on: which retries it has used, and how large an answer may be. */
interface StepState {
  tried: Set<AttemptKind>
  maxTokens: number
}

const MAX_PAUSES_IN_ROW = 3
const TRUNCATED_FACTOR = 4

/** Gives how the run ends, or null when it goes on. */
export async function runStep<Ctx>(session: Session<Ctx>): Promise<Ending | null> {
  session.stepUsage = NO_USAGE
  const step: StepState = { tried: new Set(), maxTokens: session.settings.maxOutputTokens }
  let ask = toAsk(session.pausesInRow > 0 ? 'continue_pause' : 'turn', step)
  for (;;) {
    const { response, failure } = await requestModel(session, ask)
    if (response === null) return onFailure(session, failure)
    const verdict = await judge(session, step, response)
    if (verdict.type === 'end') return verdict.ending
    if (verdict.type === 'go') return null
    const word = stopWord(session, 'budget')
    if (word !== null) {
      closeStep(session, { finishReason: response.stop_reason ?? 'none' })
      return stoppedBy(word)
    }
    ask = verdict.ask
  }
}

/** A stop condition's ending; the caller decides whether a last answer is asked for. */
export function stoppedBy(word: string): Ending {
  return { status: 'stopped', stopReason: word, byCondition: true }
}

async function judge<Ctx>(session: Session<Ctx>, step: StepState, response: ModelResponse): Promise<Verdict> {
  const pausesBefore = session.pausesInRow
  if (response.stop_reason !== 'pause_turn') session.pausesInRow = 0
  switch (response.stop_reason) {
    case 'end_turn':
    case 'stop_sequence':
      return onAnswer(session, step, response, pausesBefore)
    case 'tool_use':
      return await onToolUse(session, step, response)
    case 'max_tokens':
      return onMaxTokens(session, step, response, pausesBefore)
    case 'pause_turn':
      return onPause(session, response)
    case 'refusal': {
      const refusalCategory = response.stop_details?.category ?? null
      return end(session, response, {
        status: 'stopped',
        stopReason: 'finish_reason:refusal',
        refusalCategory,
      })
    }
    case 'model_context_window_exceeded':
      return onContextWindow(session, step, response, pausesBefore)
    default: {
      const stopReason = response.stop_reason ?? 'none'
      const ids = { agentId: session.settings.id, runId: session.input.runId }
      observe(session, (events) => events.onUnknownStopReason?.({ ...ids, stopReason }))
      return end(session, response, { status: 'stopped', stopReason: 'unknown_stop_reason' })
    }
  }
}

function onAnswer<Ctx>(
  session: Session<Ctx>,
  step: StepState,
  response: ModelResponse,
  pauses: number,
): Verdict {
  const content = acceptWithoutCalls(response.content)
  if (textOf(content) === '') return onEmpty(session, step, response)
  return answer(session, response, content, pauses)
}

/** One retry that asks for the answer; then somebody else has to give it. */
function onEmpty<Ctx>(session: Session<Ctx>, step: StepState, response: ModelResponse): Verdict {
  if (step.tried.has('retry_empty')) {
    return end(session, response, { status: 'stopped', stopReason: 'empty_answer' })
  }
  session.appended.push({ role: 'user', content: [{ type: 'text', text: session.texts.answerNow }] })
  return retry('retry_empty', step)
}

async function onToolUse<Ctx>(
  session: Session<Ctx>,
  step: StepState,
  response: ModelResponse,
): Promise<Verdict> {
  const { content, calls } = acceptCalls(response.content, session.usedIds)
  if (calls.length === 0) return onEmpty(session, step, response)
  const results: BatchResults = new Map()
  const close = () => {
    const toolResults = calls.map((call) => results.get(call.toolUseId) ?? notExecuted(session, call))
    session.appended.push({ role: 'assistant', content }, { role: 'user', content: toolResults.map(toBlock) })
    closeStep(session, { finishReason: 'tool_use', text: textOf(response.content), calls, toolResults })
  }
  const ended = await executeTools(session, calls, results).catch((error: unknown) => {
    // What was written must stay in the history, whoever goes on from here.
    if (error instanceof RunSupersededError && hasWritten(session, results)) close()
    throw error
  })
  close()
  if (ended === null) return { type: 'go' }
  const text = textOf(response.content)
  return {
    type: 'end',
    ending: { status: 'stopped', stopReason: `tool_call:${ended.name}`, endTurn: ended, text },
  }
}

/** Some call of the batch wrote, or nobody knows whether it did. */
function hasWritten<Ctx>(session: Session<Ctx>, results: BatchResults): boolean {
  return [...results.values()].some(
    ({ name, error }) =>
      session.settings.tools.get(name)?.effect === 'write' &&
      (error === null || error === 'infrastructure' || error === 'bug'),
  )
}

function onMaxTokens<Ctx>(
  session: Session<Ctx>,
  step: StepState,
  response: ModelResponse,
  pauses: number,
): Verdict {
  const callsTools = response.content.some(
    (block) => block.type === 'tool_use' || block.type === 'server_tool_use',
  )
  const text = textOf(response.content)
  if (!callsTools && text !== '') {
    const content = withCutText(acceptWithoutCalls(response.content), cutAtSentence(text))
    return answer(session, response, content, pauses)
  }
  if (step.tried.has('retry_truncated')) {
    const stopReason = callsTools ? 'truncated_tool_use' : 'empty_answer'
    return end(session, response, { status: 'stopped', stopReason })
  }
  step.maxTokens = session.settings.maxOutputTokens * TRUNCATED_FACTOR
  session.pausesInRow = pauses
  return retry('retry_truncated', step)
}

function onPause<Ctx>(session: Session<Ctx>, response: ModelResponse): Verdict {
  if (session.pausesInRow >= MAX_PAUSES_IN_ROW) {
    return end(session, response, { status: 'stopped', stopReason: 'pause_limit' })
  }
  session.pausesInRow += 1
  const content = acceptWithoutCalls(response.content)
  session.appended.push({ role: 'assistant', content })
  closeStep(session, { finishReason: 'pause_turn', text: textOf(content) })
  return { type: 'go' }
}

function onContextWindow<Ctx>(
  session: Session<Ctx>,
  step: StepState,
  response: ModelResponse,
  pauses: number,
): Verdict {
  const shorter = session.droppedContext ? null : dropOlderTurns(session.initial)
  if (shorter === null) return end(session, response, { status: 'stopped', stopReason: 'context_window' })
  session.droppedContext = true
  session.initial = shorter
  session.pausesInRow = pauses
  return retry('retry_context', step)
}

function onFailure<Ctx>(session: Session<Ctx>, failure: FailedCall | null): Ending {
  switch (failure?.kind) {
    case 'deadline':
      return stoppedBy(earliestDeadline(session.settings.stopWhen)?.word ?? 'max_duration:0')
    case 'unreachable':
    case 'not_allowed':
      return { status: 'stopped', stopReason: 'model_unavailable' }
    case 'bad_request':
    case 'bug':
    case undefined:
      return { status: 'stopped', stopReason: 'model_error' }
  }
}

/** The answer, with what the paused messages right before it had already said. */
function answer<Ctx>(
  session: Session<Ctx>,
  response: ModelResponse,
  content: ContentBlockParam[],
  pauses: number,
): Verdict {
  const begun = pauses === 0 ? [] : session.steps.slice(-pauses).map((step) => step.text)
  const text = [...begun, textOf(content)].filter((part) => part !== '').join('\n')
  session.appended.push({ role: 'assistant', content })
  const stopReason = response.stop_reason ?? 'end_turn'
  return end(session, response, { status: 'completed', stopReason, text })
}

function end<Ctx>(session: Session<Ctx>, response: ModelResponse, ending: Ending): Verdict {
  closeStep(session, { finishReason: response.stop_reason ?? 'none', text: textOf(response.content) })
  return { type: 'end', ending }
}

function closeStep<Ctx>(
  session: Session<Ctx>,
  done: { finishReason: string; text?: string; calls?: ToolCall[]; toolResults?: ToolResult[] },
): void {
  session.steps.push({
    stepIndex: session.steps.length,
    text: done.text ?? '',
    toolCalls: done.calls ?? [],
    toolResults: done.toolResults ?? [],
    usage: session.stepUsage,
    finishReason: done.finishReason,
  })
}

function toAsk(kind: AttemptKind, step: StepState): Ask {
  return { kind, maxTokens: step.maxTokens, limit: null, extra: [] }
}

function retry(kind: AttemptKind, step: StepState): Verdict {
  step.tried.add(kind)
  return { type: 'retry', ask: toAsk(kind, step) }
}

function notExecuted<Ctx>(session: Session<Ctx>, call: ToolCall): ToolResult {
  return { toolUseId: call.toolUseId, name: call.name, error: 'limit', content: session.texts.limit }
}

function toBlock(result: ToolResult): ContentBlockParam {
  const { toolUseId, content, error } = result
  return {
    type: 'tool_result',
    tool_use_id: toolUseId,
    content,
    ...(error === null ? {} : { is_error: true }),
  }
}
