/** An append-only record that can be waited on, for tests and the simulator: no polling, no sleeps. */
export interface Recording<T> {
  readonly items: readonly T[]
  add(item: T): void
  listen(listener: (item: T) => void): () => void
  /** The first item, past or coming, that matches. @throws Error after the time-out (default 5 s) */
  waitFor(matches?: (item: T) => boolean, options?: { timeoutMs?: number }): Promise<T>
}

const DEFAULT_TIMEOUT_MS = 5000

export function createRecording<T>(name: string): Recording<T> {
  const items: T[] = []
  const listeners = new Set<(item: T) => void>()

  function listen(listener: (item: T) => void): () => void {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  }

  return {
    items,
    listen,
    add(item) {
      items.push(item)
      for (const listener of [...listeners]) listener(item)
    },
    waitFor(matches = () => true, { timeoutMs = DEFAULT_TIMEOUT_MS } = {}) {
      const past = items.find(matches)
      if (past !== undefined) return Promise.resolve(past)
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          stop()
          reject(new Error(`no ${name} matched within ${timeoutMs} ms; ${items.length} were recorded`))
        }, timeoutMs)
        const stop = listen((item) => {
          if (!matches(item)) return
          clearTimeout(timer)
          stop()
          resolve(item)
        })
      })
    },
  }
}
