/** What of a run is stored, and the port that stores it. JSON all the way. */
import type {
  AttemptKind,
  FailedCall,
  ModelResponse,
  ToolCall,
  ToolEffect,
  ToolResult,
  Usage,
} from './types.ts'

/** One model request and how it ended: exactly one of `response` and `failure` is set. JSON all the way. */
export interface StoredAttempt {
  attemptIndex: number
  stepIndex: number
  kind: AttemptKind
  /** For `final_answer`: the limit's word, e.g. `step_count:8`. */
  limit: string | null
  model: string
  maxTokens: number
  response: ModelResponse | null
  failure: FailedCall | null
  usage: Usage
  costMicroUsd: number
}

export interface StoredToolCall {
  toolUseId: string
  stepIndex: number
  name: string
  /** null: it was started and nobody knows how it ended. `output` as in `ToolEnd`. */
  result: (ToolResult & { output: unknown }) | null
}

export interface StoredRun {
  /** Milliseconds since the Unix epoch; the run's duration counts from here. */
  startedAtMs: number
  /** By `attemptIndex`. */
  attempts: StoredAttempt[]
  toolCalls: StoredToolCall[]
}

/** A tool call that is about to run. */
export interface ToolStart extends ToolCall {
  stepIndex: number
  effect: ToolEffect
  /** Milliseconds since the Unix epoch. */
  atMs: number
}

/** A tool call that has ended; one that was refused has an end without a start. */
export interface ToolEnd extends ToolResult {
  stepIndex: number
  /** What an `end_turn` tool gave back, as JSON has it; null for the others, whose result is `content`. */
  output: unknown
  /** Milliseconds since the Unix epoch. */
  atMs: number
}

/** Facts of a run that become durable together, or not at all. */
export interface RunWrites {
  /** Answers of the model, or its failures. */
  attempts: StoredAttempt[]
  toolResults: ToolEnd[]
  toolStarts: ToolStart[]
}

/**
 * Port: where a run survives a crash. Each promise resolves when the data is durable. A rejection throws
 * out of `run` (the caller tries again later and the run goes on where it was), but for `RunSupersededError`,
 * which ends the run as `superseded`. Responses must be kept as text or `json`, not `jsonb`: the order of
 * keys is part of the prompt cache's prefix. Saving the same index or tool use id again must be harmless.
 */
export interface RunStore {
  /** What is stored of this run; null when there is nothing. */
  load(runId: string): Promise<StoredRun | null>
  /**
   * Called before an answer is acted on and around tool calls (see `journal.ts`); usually holds one answer, the
   * results of the step before it and the calls that start now. All of it is stored, or nothing.
   */
  save(runId: string, writes: RunWrites): Promise<void>
}
