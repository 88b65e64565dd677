import type { RunStore, RunWrites, StoredAttempt, StoredToolCall } from '../../src/agent/stored-run.ts'

export interface MemoryRunStore extends RunStore {
  readonly attempts: Map<number, StoredAttempt>
  readonly toolCalls: Map<string, StoredToolCall>
  /** How often a method was called, over all runs on this store. */
  readonly calls: () => number
  /** The n-th call from now (0: the next) throws, `before` its work or `after` it. */
  failAt(n: number, when: 'before' | 'after', error?: Error): void
}

/** The `RunStore` port in memory, for one run: all it keeps goes through JSON, as through a database. */
export function memoryRunStore(startedAtMs = 0): MemoryRunStore {
  const attempts = new Map<number, StoredAttempt>()
  const toolCalls = new Map<string, StoredToolCall>()
  let count = 0
  let failure: { at: number; when: 'before' | 'after'; error: Error } | null = null

  const step = <T>(work: () => T): Promise<T> => {
    const planned = failure?.at === count ? failure : null
    count += 1
    if (planned?.when === 'before') return Promise.reject(planned.error)
    const value = work()
    return planned === null ? Promise.resolve(value) : Promise.reject(planned.error)
  }
  return {
    attempts,
    toolCalls,
    calls: () => count,
    failAt: (n, when, error = new Error('the store is away')) => {
      failure = { at: count + n, when, error }
    },
    load: () =>
      step(() =>
        structuredClone({
          startedAtMs,
          attempts: [...attempts.values()],
          toolCalls: [...toolCalls.values()],
        }),
      ),
    save: (_runId, writes) =>
      step(() => {
        const kept: RunWrites = JSON.parse(JSON.stringify(writes))
        for (const attempt of kept.attempts) attempts.set(attempt.attemptIndex, attempt)
        for (const { toolUseId, name, stepIndex } of kept.toolStarts) {
          toolCalls.set(toolUseId, { toolUseId, name, stepIndex, result: null })
        }
        for (const { stepIndex, atMs: _atMs, ...result } of kept.toolResults) {
          const { toolUseId, name } = result
          toolCalls.set(toolUseId, { toolUseId, name, stepIndex, result })
        }
      }),
  }
}
