export interface WorkLimit {
  /** Most that run at once. */
  readonly running: number
  /** Most that wait for one of those to end; who comes then is refused. */
  readonly waiting: number
  /** What the refused are told. */
  readonly refusal: () => Error
}

/**
 * Bounds work that is dear in processor or memory. The returned function runs what it is given, first come,
 * first served, and rejects at once with the refusal when too many wait already.
 */
export function limitWork({
  running,
  waiting,
  refusal,
}: WorkLimit): <T>(work: () => Promise<T>) => Promise<T> {
  const queue: (() => void)[] = []
  let free = running
  return async (work) => {
    if (free > 0) free -= 1
    else if (queue.length >= waiting) throw refusal()
    // Whoever ends hands its place on, so nobody slips in between.
    else await new Promise<void>((resolve) => queue.push(resolve))
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next === undefined) free += 1
      else next()
    }
  }
}
