/** What came first: the work's end, or the time-out or signal. */
export type Settled<T> =
  | { status: 'done'; value: T }
  | { status: 'failed'; error: unknown }
  | { status: 'aborted' }

/**
 * Runs `work` until `timeoutMs` have passed or `outer` is aborted. Work that ignores its signal is abandoned,
 * and whatever it does later is nobody's unhandled rejection. Never rejects; the timer never outlives it.
 *
 * The signal is made when it is asked for: most tools never look at theirs, and making one costs more than
 * many of them do.
 */
export async function withTimeout<T>(
  work: (signal: () => AbortSignal) => Promise<T>,
  timeoutMs: number | null,
  outer: AbortSignal | undefined,
): Promise<Settled<T>> {
  if (outer?.aborted === true || (timeoutMs !== null && timeoutMs <= 0)) return { status: 'aborted' }
  return await new Promise((resolve) => {
    let controller: AbortController | null = null
    let isAborted = false
    const abort = () => {
      isAborted = true
      controller?.abort(outer?.reason)
      settle({ status: 'aborted' })
    }
    const signal = () => {
      controller ??= new AbortController()
      if (isAborted) controller.abort(outer?.reason)
      return controller.signal
    }
    const timer = timeoutMs === null ? null : setTimeout(abort, timeoutMs)
    outer?.addEventListener('abort', abort, { once: true })
    const settle = (settled: Settled<T>) => {
      if (timer !== null) clearTimeout(timer)
      outer?.removeEventListener('abort', abort)
      resolve(settled)
    }
    startWork(() => work(signal)).then(
      (value) => settle({ status: 'done', value }),
      (error: unknown) => settle({ status: 'failed', error }),
    )
  })
}

async function startWork<T>(work: () => Promise<T>): Promise<T> {
  return await work()
}
