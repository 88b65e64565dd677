import { z } from 'zod'
import { RunSupersededError } from '../agent/run-errors.ts'
import type {
  RunStore,
  StoredAttempt,
  StoredRun,
  StoredToolCall,
  ToolEnd,
  ToolStart,
} from '../agent/stored-run.ts'
import type { Reader, TenantStore, Tx } from '../db/index.ts'

/** Who holds a run: writes of an earlier holder (a worker that was taken for dead) are refused. */
export interface RunLease {
  readonly tenantId: string
  readonly runId: string
  readonly attempt: number
}

/**
 * The agent loop's `RunStore` over PostgreSQL. A write proves in its own transaction that the lease still
 * holds, so that two workers on one run cannot both write: the older one's run ends superseded.
 */
export function createRunStore(deps: { store: TenantStore; lease: RunLease }): RunStore {
  const { store, lease } = deps
  return {
    // Nobody held the run before its first holder, so there is nothing to find.
    load: async (runId) =>
      lease.attempt === 1 ? null : store.read(lease.tenantId, (reader) => loadRun(reader, runId)),
    save: async (_runId, { attempts, toolResults, toolStarts }) => {
      const held = await store.call(lease.tenantId, 'save_run_writes', [
        lease.runId,
        lease.attempt,
        toJson(attempts),
        toJson(toolResults.map(toResultRow)),
        toJson(toolStarts.map(toStartRow)),
      ])
      if (!held) throw new RunSupersededError()
    },
  }
}

function toResultRow({ stepIndex, atMs, ...result }: ToolEnd) {
  const { toolUseId, name, error } = result
  return { toolUseId, stepIndex, name, at: new Date(atMs), result, outcome: error ?? 'ok' }
}

function toStartRow({ atMs, input, ...start }: ToolStart) {
  return { ...start, at: new Date(atMs), input: input ?? {} }
}

/** null for an empty list: there is nothing to do for it then. */
function toJson(list: readonly unknown[]): string | null {
  return list.length === 0 ? null : JSON.stringify(list)
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

/** An attempt as `save` wrote it, told apart from anything else by the parts the loop cannot do without. */
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
