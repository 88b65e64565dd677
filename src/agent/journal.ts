/**
 * What a run still owes its store. Facts are collected as they come and written together, all or nothing, at the
 * moments where they must be durable:
 *
 * - before a tool runs: the answer that called it, the refusals beside it, and that it starts
 * - after a batch that wrote: the results
 * - before the next request, when an answer is not stored yet
 * - when the run ends or breaks off
 *
 * The results of reads wait for the next of these moments, with the answer that was made of them: a crash in
 * between only reads again. One write a step instead of one a fact is most of what storing a run costs.
 */
import { fromHost } from './run-errors.ts'
import type { RunStore, RunWrites } from './stored-run.ts'

export class Journal {
  private readonly store: RunStore
  private readonly runId: string
  private owed: RunWrites = nothing()
  private broken = false

  constructor(store: RunStore, runId: string) {
    this.store = store
    this.runId = runId
  }

  add(fact: Partial<RunWrites>): void {
    const { attempts, toolResults, toolStarts } = this.owed
    if (fact.attempts !== undefined) attempts.push(...fact.attempts)
    if (fact.toolResults !== undefined) toolResults.push(...fact.toolResults)
    if (fact.toolStarts !== undefined) toolStarts.push(...fact.toolStarts)
  }

  /** An answer of the model is not stored yet: it may not be acted on. */
  get owesAnswer(): boolean {
    return this.owed.attempts.length > 0
  }

  /** @throws HostFailure when the store failed; RunSupersededError when it says so. */
  async write(): Promise<void> {
    const { attempts, toolResults, toolStarts } = this.owed
    if (attempts.length + toolResults.length + toolStarts.length === 0) return
    const writes = this.owed
    this.owed = nothing()
    this.broken = true
    await fromHost(() => this.store.save(this.runId, writes))
    this.broken = false
  }

  /** For a run that breaks off: what can still be stored is. A store that has failed is not asked again. */
  async writeWhatCanBe(): Promise<void> {
    if (this.broken) return
    await this.write().catch(() => undefined)
  }
}

function nothing(): RunWrites {
  return { attempts: [], toolResults: [], toolStarts: [] }
}
