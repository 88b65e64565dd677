import { z } from 'zod'
import { RunSupersededError } from '../agent/run-errors.ts'
import type { RunStore, StoredAttempt, StoredRun, StoredToolCall } from '../agent/types.ts'
import { jsonInput, nullableJsonInput, type Reader, type TenantStore, type Tx } from '../db/index.ts'
import type { Clock } from '../shared/clock.ts'

/** Who holds a run: writes of an earlier holder (a worker that was taken for dead) are refused. */
export interface RunLease {
  readonly tenantId: string
  readonly runId: string
  readonly attempt: number
}

/**
 * The agent loop's `RunStore` over PostgreSQL. Every write first proves that the lease still holds, in its
 * own transaction, so that two workers on one run cannot both write: the older one's run ends superseded.
 */
export function createRunStore(deps: { store: TenantStore; clock: Clock; lease: RunLease }): RunStore {
  const { store, clock, lease } = deps
  const key = { tenantId: lease.tenantId, runId: lease.runId }
  const write = (fn: (tx: Tx) => Promise<unknown>): Promise<void> =>
    store.transact(lease.tenantId, async (tx) => {
      await proveLease(tx, lease)
      await fn(tx)
    })
  return {
    load: (runId) => store.read(lease.tenantId, (reader) => loadRun(reader, runId)),
    saveResponse: (_runId, attempt) =>
      store.transact(lease.tenantId, async (tx) => {
        const stored = await tx.runStep.createMany({
          data: [
            {
              ...key,
              position: attempt.attemptIndex,
              record: jsonInput(attempt),
              costMicroUsd: BigInt(attempt.costMicroUsd),
            },
          ],
          skipDuplicates: true,
        })
        // Saved before (the process died right after): its use was counted then.
        await proveLease(tx, lease, stored.count === 1 ? usageOf(attempt) : {})
      }),
    saveToolStart: (_runId, call) =>
      write((tx) =>
        tx.toolCall.upsert({
          where: { tenantId_runId_toolUseId: { ...key, toolUseId: call.toolUseId } },
          create: {
            ...key,
            toolUseId: call.toolUseId,
            stepIndex: call.stepIndex,
            name: call.name,
            input: jsonInput(call.input ?? {}),
            effect: call.effect,
            startedAt: new Date(clock.now()),
          },
          update: {},
        }),
      ),
    saveToolResult: (_runId, { stepIndex, ...result }) =>
      write((tx) => {
        const row = {
          result: nullableJsonInput(result),
          outcome: result.error ?? 'ok',
          finishedAt: new Date(clock.now()),
        }
        return tx.toolCall.upsert({
          where: { tenantId_runId_toolUseId: { ...key, toolUseId: result.toolUseId } },
          create: {
            ...key,
            toolUseId: result.toolUseId,
            stepIndex,
            name: result.name,
            input: {},
            startedAt: row.finishedAt,
            ...row,
          },
          update: row,
        })
      }),
  }
}

/**
 * Locks the run's row, adding `change` to it.
 * @throws RunSupersededError when it ended or another worker took it up.
 */
export async function proveLease(
  tx: Tx,
  lease: RunLease,
  change: Parameters<Tx['run']['updateMany']>[0]['data'] = {},
): Promise<void> {
  const held = await tx.run.updateMany({
    where: { tenantId: lease.tenantId, id: lease.runId, attempt: lease.attempt, status: 'running' },
    data: { attempt: lease.attempt, ...change },
  })
  if (held.count !== 1) throw new RunSupersededError()
}

function usageOf(attempt: StoredAttempt) {
  return {
    steps: attempt.stepIndex + 1,
    inputTokens: { increment: attempt.usage.inputTokens },
    cacheReadTokens: { increment: attempt.usage.cacheReadTokens },
    cacheWriteTokens: { increment: attempt.usage.cacheWriteTokens },
    outputTokens: { increment: attempt.usage.outputTokens },
    costMicroUsd: { increment: BigInt(attempt.costMicroUsd) },
  }
}

async function loadRun(reader: Reader, runId: string): Promise<StoredRun | null> {
  const { tenantId } = reader
  const run = await reader.run.findUnique({ where: { tenantId_id: { tenantId, id: runId } } })
  if (run === null) return null
  const attempts = await reader.runStep.findMany({ where: { tenantId, runId }, orderBy: { position: 'asc' } })
  const calls = await reader.toolCall.findMany({ where: { tenantId, runId }, orderBy: { startedAt: 'asc' } })
  return {
    startedAtMs: run.startedAt.getTime(),
    attempts: attempts.map((row) => storedAttempt.parse(row.record)),
    toolCalls: calls.map((row) => ({
      toolUseId: row.toolUseId,
      stepIndex: row.stepIndex,
      name: row.name,
      result: row.result === null ? null : storedResult.parse(row.result),
    })),
  }
}

/** What was written by `saveResponse`, told apart from anything else by the parts the loop cannot do without. */
const storedAttempt = z.custom<StoredAttempt>(
  (value) =>
    z
      .looseObject({ attemptIndex: z.int(), stepIndex: z.int(), kind: z.string(), usage: z.looseObject({}) })
      .safeParse(value).success,
  'is not a stored answer of the model',
)

const storedResult = z.custom<NonNullable<StoredToolCall['result']>>(
  (value) =>
    z.looseObject({ toolUseId: z.string(), name: z.string(), content: z.string() }).safeParse(value).success,
  'is not a stored tool result',
)
