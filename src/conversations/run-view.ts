import { z } from 'zod'
import type { RunDetailDto, toolCallDtoSchema } from '../contracts/dashboard-api.ts'
import { handoffReasonSchema, type RunDto, runDtoSchema } from '../contracts/staff-api.ts'
import type { HandoffModel, Reader, RunModel, ToolCallModel } from '../db/index.ts'
import { formatOffsetInstant } from '../scheduling/time-zone.ts'
import { isId } from '../shared/ids.ts'
import { formatInstant } from './format-instant.ts'

/** A run with the tools it called, in their order, and the handoff it led to. */
export interface RunDetail extends RunModel {
  readonly toolCalls: readonly ToolCallModel[]
  readonly handoffs: readonly HandoffModel[]
}

/** The run, or null when this conversation of the tenant has none of that id. */
export async function getRun(
  reader: Reader,
  input: { readonly conversationId: string; readonly runId: string },
): Promise<RunDetail | null> {
  const { conversationId, runId } = input
  if (!isId(conversationId) || !isId(runId)) return null
  return reader.run.findFirst({
    where: { tenantId: reader.tenantId, id: runId, conversationId },
    include: { toolCalls: { orderBy: [{ stepIndex: 'asc' }, { startedAt: 'asc' }] }, handoffs: true },
  })
}

export function toRunDto(run: RunModel, timeZone: string): RunDto {
  return {
    id: run.id,
    status: runDtoSchema.shape.status.parse(run.status),
    stopReason: run.stopReason,
    steps: run.steps,
    usage: {
      inputTokens: run.inputTokens,
      cacheReadTokens: run.cacheReadTokens,
      cacheWriteTokens: run.cacheWriteTokens,
      outputTokens: run.outputTokens,
    },
    costUsd: Number(run.costMicroUsd) / 1_000_000,
    startedAt: formatOffsetInstant(timeZone, run.startedAt.getTime()),
    finishedAt: formatInstant(run.finishedAt, timeZone),
  }
}

export function toRunDetailDto(run: RunDetail, timeZone: string): RunDetailDto {
  const handoff = run.handoffs[0]
  return {
    ...toRunDto(run, timeZone),
    model: run.model,
    toolCalls: run.toolCalls.map((call) => toToolCallDto(call, timeZone)),
    handoff:
      handoff === undefined
        ? null
        : { reason: handoffReasonSchema.parse(handoff.reason), summary: handoff.summary },
  }
}

function toToolCallDto(call: ToolCallModel, timeZone: string): z.output<typeof toolCallDtoSchema> {
  return {
    id: call.toolUseId,
    step: call.stepIndex,
    name: call.name,
    input: z.json().parse(call.input),
    effect: call.effect,
    outcome: call.outcome,
    result: z.json().parse(call.result),
    startedAt: formatOffsetInstant(timeZone, call.startedAt.getTime()),
    finishedAt: formatInstant(call.finishedAt, timeZone),
  }
}
