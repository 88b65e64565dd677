/**
 * The words of the agent loop: the two ports it needs (`Model`, `RunStore`), what a tool is, and what a run
 * gives back. Shapes that cross the wire to the model are the Messages API's own, as typed by
 * `@anthropic-ai/sdk`.
 */
import type {
  ContentBlockParam,
  MessageCreateParamsNonStreaming,
  TextBlockParam,
  ToolChoiceAuto,
  ToolChoiceNone,
  Tool as ToolSchema,
} from '@anthropic-ai/sdk/resources/messages/messages.js'
import type { z } from 'zod'
import type { Locale } from '../shared/locale.ts'

export type { ContentBlockParam, ToolSchema }

/** One message of the history. Content is always a list of blocks, so that messages can be joined. */
export interface HistoryMessage {
  role: 'user' | 'assistant'
  content: ContentBlockParam[]
}

/** A Messages API request (`POST /v1/messages`), the part of it that the loop uses. */
export interface ModelRequest extends Pick<MessageCreateParamsNonStreaming, 'model' | 'max_tokens'> {
  system: TextBlockParam[]
  messages: HistoryMessage[]
  tools: ToolSchema[]
  tool_choice: ToolChoiceAuto | ToolChoiceNone
}

/** Token counters as the API reports them; a counter that is absent or null counts as 0. */
export interface ResponseUsage {
  input_tokens: number
  output_tokens: number
  cache_read_input_tokens?: number | null
  cache_creation_input_tokens?: number | null
  cache_creation?: { ephemeral_5m_input_tokens: number; ephemeral_1h_input_tokens: number } | null
}

/**
 * A Messages API message, the part of it that the loop reads. `stop_reason` is any word: the API may add
 * one. The SDK's `Message` is assignable to it.
 */
export interface ModelResponse {
  id: string
  model: string
  role: 'assistant'
  content: ContentBlockParam[]
  stop_reason: string | null
  stop_sequence?: string | null
  stop_details?: { category?: string | null } | null
  usage: ResponseUsage
}

export interface ModelCallOptions {
  /** Aborted when the run's deadline strikes or the caller gives up; a model that ignores it is abandoned. */
  signal: AbortSignal
  runId: string
  /** Number of the request within the run, from 0; with `runId` it makes ids that are unique. */
  attemptIndex: number
}

/** Port: something that answers a Messages API request. Fails with `ModelError`; anything else is a bug. */
export interface Model {
  complete(request: ModelRequest, options: ModelCallOptions): Promise<ModelResponse>
}

export interface Usage {
  inputTokens: number
  cacheReadTokens: number
  cacheWriteTokens: number
  outputTokens: number
}

export type ToolEffect = 'read' | 'write' | 'end_turn'

/** What a tool may know of the world: the application's own scope, and who is asking. */
export interface ToolContext<Ctx> {
  /** What the application gave to `run`: tenant, customer, conversation … never taken from the input. */
  context: Ctx
  runId: string
  toolUseId: string
  /** `${runId}:${toolUseId}`, the same when a crashed run calls again. Writes must be unique by it. */
  idempotencyKey: string
  locale: Locale
  /** Aborted on time-out or when the run is interrupted. */
  signal: AbortSignal
}

/**
 * A tool as the loop holds it; made with `defineTool`, which infers the input's type from the schema.
 */
export interface Tool<Ctx> {
  name: string
  description: string
  effect: ToolEffect
  inputSchema: ToolSchema.InputSchema
  /** Validates a call's input, once for all that is done with it. `wording` words what is wrong. */
  prepare(input: unknown, wording: z.core.$ZodErrorMap): PreparedCall<Ctx> | InvalidCall
}

/** A call whose input is valid. */
export interface PreparedCall<Ctx> {
  valid: true
  /** As parsed: defaults filled in. */
  input: unknown
  /** Returns a string, or any JSON value; it refuses by throwing `DomainError`. */
  run(ctx: ToolContext<Ctx>): Promise<unknown>
  /**
   * Finds the result of an earlier call with `ctx.idempotencyKey`; null when there is none. The function itself
   * is null for a tool that has no way to know.
   */
  lookup: ((ctx: ToolContext<Ctx>) => Promise<{ output: unknown } | null>) | null
}

export interface InvalidCall {
  valid: false
  issues: readonly z.core.$ZodIssue[]
}

/**
 * Why a tool result is an error. The first five are the tool's; the last three are the loop's refusals to run
 * it: the same call for the third time, a budget that is spent, an `end_turn` tool in a batch that failed.
 */
export type ToolErrorKind =
  | 'invalid_input'
  | 'domain_rule'
  | 'unknown_tool'
  | 'infrastructure'
  | 'bug'
  | 'repeated'
  | 'limit'
  | 'batch_failed'

export interface ToolCall {
  toolUseId: string
  name: string
  input: unknown
}

export interface ToolResult {
  toolUseId: string
  name: string
  /** null: it worked. */
  error: ToolErrorKind | null
  /** What the model reads. */
  content: string
}

/** One model turn with the results of its tools. `text` is what the model wrote, '' when it wrote nothing. */
export interface Step {
  stepIndex: number
  text: string
  toolCalls: ToolCall[]
  toolResults: ToolResult[]
  /** Of every request that this step took, truncated and failed ones too. */
  usage: Usage
  finishReason: string
}

/**
 * - `turn`: the ordinary request of a step
 * - `retry_truncated`, `retry_empty`, `retry_context`: the one retry that a bad ending is worth
 * - `continue_pause`: the paused content sent back
 * - `final_answer`: the forced one, after a limit
 */
export type AttemptKind =
  | 'turn'
  | 'retry_truncated'
  | 'retry_empty'
  | 'retry_context'
  | 'continue_pause'
  | 'final_answer'

/** Kinds of `ModelError`; see `model-error.ts` for what each means. */
export type ModelErrorKind = 'unreachable' | 'deadline' | 'not_allowed' | 'bad_request' | 'bug'

/** A request's measures without its content: enough to find the bug behind a 400, safe to store and log. */
export interface RequestShape {
  model: string
  maxTokens: number
  toolChoice: 'auto' | 'none'
  toolCount: number
  systemLength: number
  /** One word list per message, e.g. `user: text`, `assistant: thinking tool_use`, `user: tool_result text`. */
  messages: string[]
}

export interface FailedCall {
  kind: ModelErrorKind
  status: number | null
  /** The API's `error.type` or `error.details.error_code`; never its message. */
  code: string | null
  requestId: string | null
  /** Only for `bad_request` and `bug`. */
  shape: RequestShape | null
}

export type RunStatus = 'completed' | 'stopped' | 'superseded' | 'failed'

export interface EndTurn {
  name: string
  toolUseId: string
  /** As validated by the tool's schema. */
  input: unknown
  output: unknown
}

export interface RunResult {
  /**
   * `completed`: an answer. `stopped`: a stop condition, an `end_turn` tool, or an ending of the loop's own.
   * `superseded`: the store or `shouldContinue` said so. `failed`: a fault in the loop or in what it was given.
   */
  status: RunStatus
  /**
   * `completed`: the model's own (`end_turn`, `stop_sequence`, `max_tokens`). `stopped`: the condition's word
   * (`step_count:8`, `tool_call:offer_choices`, `finish_reason:refusal` …) or `truncated_tool_use`,
   * `unknown_stop_reason`, `empty_answer`, `context_window`, `pause_limit`, `model_unavailable`,
   * `model_error`. `superseded`: `superseded`. `failed`: `bug`.
   */
  stopReason: string
  /** The answer; '' when there is none. */
  text: string
  /** After a limit: whether the forced final answer gave a text. null when none was asked for. */
  finalAnswer: 'given' | 'empty' | 'error' | null
  /** The `end_turn` tool that ended the run, or null. */
  endTurn: EndTurn | null
  refusalCategory: string | null
  steps: Step[]
  usage: Usage
  costMicroUsd: number
  costUsd: number
  /** A write succeeded, or nobody knows whether it did. */
  wrote: boolean
  /** Tools that failed for infrastructure or a bug: what was promised to be checked must reach somebody. */
  toolFailures: { name: string; toolUseId: string; kind: 'infrastructure' | 'bug' }[]
  /** The answers came (from some step on) from the fallback model. */
  usedFallback: boolean
  /** The whole history: what was given, less what did not fit the context window, and what the run added. */
  messages: HistoryMessage[]
  /** What the run added alone; join it to the history with `joinMessages`. */
  appended: HistoryMessage[]
}

export interface RunInput<Ctx> {
  runId: string
  /** Stable per tenant and version: every byte of it is part of the cached prefix. No clock in here. */
  system: string
  /** Must end with a user message. */
  messages: HistoryMessage[]
  context: Ctx
  locale?: Locale
  /** Aborting it rejects the run with `RunInterruptedError`; the run can be resumed. */
  signal?: AbortSignal
  /**
   * Asked before each model request (`model`) and before a batch that would write (`write`). false ends the
   * run as `superseded`. `wrote` says whether this run has written: such a run should rather go on.
   */
  shouldContinue?(state: { phase: 'model' | 'write'; wrote: boolean; stepIndex: number }): Promise<boolean>
}
