/** What came first: the work's end, or the signal. */
export type Settled<T> =
  | { status: 'done'; value: T }
  | { status: 'failed'; error: unknown }
  | { status: 'aborted' }

/**
 * Waits for `work`, but not longer than `signal`: work that ignores its signal is abandoned, and whatever it
 * does later is nobody's unhandled rejection. Never rejects.
 */
export async function abandonOnAbort<T>(work: () => Promise<T>, signal: AbortSignal): Promise<Settled<T>> {
  if (signal.aborted) return { status: 'aborted' }
  let onAbort = () => {}
  const aborted = new Promise<Settled<T>>((resolve) => {
    onAbort = () => resolve({ status: 'aborted' })
    signal.addEventListener('abort', onAbort, { once: true })
  })
  const settled = startWork(work).then(
    (value): Settled<T> => ({ status: 'done', value }),
    (error: unknown): Settled<T> => ({ status: 'failed', error }),
  )
  const first = await Promise.race([settled, aborted])
  signal.removeEventListener('abort', onAbort)
  return first
}

/** Runs `work` with a signal that is aborted after `timeoutMs` or with `outer`. The timer never outlives it. */
export async function withTimeout<T>(
  work: (signal: AbortSignal) => Promise<T>,
  timeoutMs: number | null,
  outer: AbortSignal | undefined,
): Promise<Settled<T>> {
  if (timeoutMs !== null && timeoutMs <= 0) return { status: 'aborted' }
  const timeout = new AbortController()
  const timer = timeoutMs === null ? null : setTimeout(() => timeout.abort(), timeoutMs)
  const signal = outer === undefined ? timeout.signal : AbortSignal.any([outer, timeout.signal])
  try {
    return await abandonOnAbort(() => work(signal), signal)
  } finally {
    if (timer !== null) clearTimeout(timer)
  }
}

async function startWork<T>(work: () => Promise<T>): Promise<T> {
  return await work()
}
