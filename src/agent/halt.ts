/** What came first: the work's end, or the halt. */
export type Settled<T> =
  | { status: 'done'; value: T }
  | { status: 'failed'; error: unknown }
  | { status: 'aborted' }

/**
 * An end that is set from outside: `timeoutMs` have passed, or `outer` was aborted. Work that ignores its signal
 * is abandoned, and whatever it does later is nobody's unhandled rejection.
 *
 * One halt may see many pieces of work, one after another or side by side: a run has one timer and one signal
 * for all its requests. The signal is made when it is asked for: most tools never look at theirs, and making one
 * costs more than many of them do.
 */
export class Halt {
  private readonly outer: AbortSignal | undefined
  private readonly timer: NodeJS.Timeout | null
  private readonly waiting = new Set<() => void>()
  private readonly strike = () => this.onStrike()
  private controller: AbortController | null = null
  private struck: boolean

  /** null: no time-out. The owner must `close` it, or its timer keeps the process alive. */
  constructor(timeoutMs: number | null, outer: AbortSignal | undefined) {
    this.outer = outer
    this.struck = outer?.aborted === true || (timeoutMs !== null && timeoutMs <= 0)
    this.timer = timeoutMs === null || this.struck ? null : setTimeout(this.strike, timeoutMs)
    if (!this.struck) outer?.addEventListener('abort', this.strike, { once: true })
  }

  get signal(): AbortSignal {
    this.controller ??= new AbortController()
    if (this.struck) this.controller.abort(this.outer?.reason)
    return this.controller.signal
  }

  /** Runs `work` until it ends or the halt strikes. Never rejects. */
  async until<T>(work: () => Promise<T>): Promise<Settled<T>> {
    if (this.struck) return { status: 'aborted' }
    return await new Promise((resolve) => {
      const abandon = () => resolve({ status: 'aborted' })
      const settle = (settled: Settled<T>) => {
        this.waiting.delete(abandon)
        resolve(settled)
      }
      this.waiting.add(abandon)
      startWork(work).then(
        (value) => settle({ status: 'done', value }),
        (error: unknown) => settle({ status: 'failed', error }),
      )
    })
  }

  close(): void {
    if (this.timer !== null) clearTimeout(this.timer)
    this.outer?.removeEventListener('abort', this.strike)
  }

  private onStrike(): void {
    this.struck = true
    this.controller?.abort(this.outer?.reason)
    for (const abandon of this.waiting) abandon()
    this.waiting.clear()
  }
}

async function startWork<T>(work: () => Promise<T>): Promise<T> {
  return await work()
}
