import type { AttemptKind, FailedCall, RunStatus, ToolErrorKind, Usage } from './types.ts'

/** Observers; ids and numbers only, never content. One that throws is ignored. */
export interface AgentEvents {
  onModelCall?(event: {
    agentId: string
    runId: string
    attemptIndex: number
    kind: AttemptKind
    model: string
    fallback: boolean
    stopReason: string | null
    failure: FailedCall | null
    usage: Usage
    costMicroUsd: number
    durationMs: number
  }): void
  onToolCall?(event: {
    agentId: string
    runId: string
    toolUseId: string
    /** The tool's name, or `unknown_tool` for a name that the model invented. */
    tool: string
    outcome: 'ok' | ToolErrorKind
    durationMs: number
    /** For the log's error serialiser; only for `infrastructure`. Never for the model or a log message. */
    cause?: unknown
  }): void
  onUnknownStopReason?(event: { agentId: string; runId: string; stopReason: string }): void
  onUnknownModel?(event: { agentId: string; runId: string; model: string }): void
  /** Something that must not happen: alert. */
  onBug?(event: { agentId: string; runId: string; where: string; cause: unknown }): void
  onRunEnd?(event: {
    agentId: string
    runId: string
    status: RunStatus
    stopReason: string
    steps: number
    usage: Usage
    costMicroUsd: number
  }): void
}
