import { describeError, type Logger } from './logger.ts'
import type { Metrics } from './metrics.ts'

export type BusinessEvents = ReturnType<typeof createBusinessEvents>

interface RunNumbers {
  readonly runId: string
  readonly status: string
  readonly stopReason: string
  readonly steps: number
  readonly costMicroUsd: number
  readonly usage: {
    readonly inputTokens: number
    readonly cacheReadTokens: number
    readonly cacheWriteTokens: number
    readonly outputTokens: number
  }
}

/** Outcomes of an update that need no line in the log. */
const TAKEN_IN: ReadonlySet<string> = new Set(['stored', 'duplicate', 'applied', 'failed'])

/** One function per business event: its log line (ids and numbers only) and its metrics in one place. */
export function createBusinessEvents(log: Logger, metrics: Metrics) {
  return {
    ...runEvents(log, metrics),
    ...conversationEvents(log, metrics),
    ...inboundEvents(log, metrics),
    ...outboundEvents(log, metrics),
    jobGivenUp(job: { readonly jobId: string; readonly task: string; readonly attempts: number }): void {
      log.error(
        { jobId: job.jobId, task: job.task, attempts: job.attempts, alert: true },
        'a job was given up',
      )
    },
  }
}

/** Of the agent's loop. */
function runEvents(log: Logger, metrics: Metrics) {
  return {
    runEnded({ usage, ...run }: RunNumbers): void {
      // The number of a limit is configuration, not a reason of its own: `step_count:8` counts as step_count.
      metrics.runs.inc({ status: run.status, reason: run.stopReason.replace(/:[\d.]+$/, '') })
      metrics.steps.observe(run.steps)
      metrics.tokens.inc({ kind: 'input' }, usage.inputTokens)
      metrics.tokens.inc({ kind: 'cache_read' }, usage.cacheReadTokens)
      metrics.tokens.inc({ kind: 'cache_write' }, usage.cacheWriteTokens)
      metrics.tokens.inc({ kind: 'output' }, usage.outputTokens)
      metrics.costUsd.inc(run.costMicroUsd / 1_000_000)
      log.info({ ...run, ...usage }, 'a run ended')
    },
    toolCalled(call: {
      readonly runId: string
      readonly toolUseId: string
      readonly tool: string
      readonly outcome: string
      readonly durationMs: number
      readonly cause?: unknown
    }): void {
      metrics.toolCalls.inc({ tool: call.tool, outcome: call.outcome })
      const { cause, ...ids } = call
      if (call.outcome === 'infrastructure' || call.outcome === 'bug') {
        log.error({ ...ids, err: describeError(cause) }, 'a tool failed')
      } else if (call.outcome === 'unknown_tool') log.warn(ids, 'the model called a tool that does not exist')
    },
    modelFailed(failure: {
      readonly runId: string
      readonly kind: string
      readonly status: number | null
    }): void {
      log.error(failure, 'a model request failed')
    },
    agentBug(bug: { readonly runId: string; readonly where: string; readonly cause: unknown }): void {
      log.error(
        { runId: bug.runId, place: bug.where, alert: true, err: describeError(bug.cause) },
        'a bug in a run',
      )
    },
    unknownStopReason(event: { readonly runId: string; readonly stopReason: string }): void {
      log.error(event, 'the model stopped for a reason that is not known')
    },
    unknownModel(event: { readonly runId: string; readonly model: string }): void {
      log.warn(event, 'no price is known for the model: the dearest one counts')
    },
  }
}

/** Of who has a conversation. */
function conversationEvents(log: Logger, metrics: Metrics) {
  return {
    handoffOpened(handoff: {
      readonly tenantId: string
      readonly conversationId: string
      readonly reason: string
    }): void {
      metrics.handoffs.inc({ reason: handoff.reason })
      log.info(handoff, 'a conversation was given to a person')
    },
    turnGivenUp(turn: {
      readonly tenantId: string
      readonly conversationId: string
      readonly error: unknown
    }): void {
      const { error, ...ids } = turn
      log.error({ ...ids, alert: true, err: describeError(error) }, 'a turn failed again and again')
    },
    sweepEnded(report: {
      readonly returnedToQueue: number
      readonly closed: number
      readonly failures: readonly {
        readonly tenantId: string
        readonly conversationId: string | null
        readonly error: unknown
      }[]
    }): void {
      for (const { error, ...ids } of report.failures) {
        log.error({ ...ids, err: describeError(error) }, 'a conversation could not be moved on')
      }
      if (report.returnedToQueue + report.closed > 0) {
        log.info({ returnedToQueue: report.returnedToQueue, closed: report.closed }, 'conversations moved on')
      }
    },
  }
}

/** Of what comes in. */
function inboundEvents(log: Logger, metrics: Metrics) {
  return {
    updateIngested(kind: string, outcome: string): void {
      metrics.webhookUpdates.inc({ kind, outcome })
      if (!TAKEN_IN.has(outcome)) log.info({ kind, outcome }, 'an update of a webhook was kept aside')
    },
    updateKept(kept: { readonly eventId: string; readonly path: string; readonly reason: string }): void {
      log.info(kept, 'an update of a webhook was kept aside')
    },
    mediaFetched(fetched: {
      readonly tenantId: string
      readonly mediaId: string
      readonly result: string
    }): void {
      metrics.media.inc({ result: fetched.result })
      if (fetched.result === 'stored' || fetched.result === 'nothing') return
      log.warn(fetched, 'a file of a message could not be kept')
    },
    updateFailed(error: unknown, path: string): void {
      log.error({ path, err: describeError(error) }, 'an update of a webhook failed')
    },
  }
}

/** Of what goes out. */
function outboundEvents(log: Logger, metrics: Metrics) {
  return {
    messageAttempted(attempt: {
      readonly messageId: string
      readonly channelId: string
      readonly outcome: {
        readonly kind: string
        readonly error?: { readonly code: number }
        readonly alert?: boolean
      }
    }): void {
      const { outcome, ...ids } = attempt
      metrics.outbound.inc({ outcome: outcome.kind })
      if (outcome.kind === 'accepted') return
      const alert =
        outcome.alert === true || outcome.kind === 'pause_channel' || outcome.kind === 'stop_proactive'
      log.warn(
        { ...ids, outcome: outcome.kind, errorCode: outcome.error?.code, ...(alert ? { alert } : {}) },
        'a message was not accepted',
      )
    },
  }
}
