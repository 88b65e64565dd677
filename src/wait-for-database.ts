import { setTimeout as delay } from 'node:timers/promises'
import { assertDatabaseFit, classifyDatabaseError } from './db/index.ts'
import { messageOf } from './run-command.ts'
import { InfrastructureError } from './shared/app-error.ts'

export interface WaitOptions {
  /** How long to wait for the first connection. */
  readonly limitMs: number
  /** Resolves when the process is to stop. */
  readonly stopAsked: Promise<void>
  /** Takes one line for each try that failed. */
  readonly print: (line: string) => void
}

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 5_000

/** No such role or database, wrong password: the server is there, and will say the same again. */
const REFUSED_FOR_GOOD: ReadonlySet<string | undefined> = new Set(['28000', '28P01', '3D000'])

/**
 * Resolves once the database takes connections and is fit (see `assertDatabaseFit`): at the start of a whole
 * system it may come up after the process does. False when a stop was asked for before.
 * @throws InfrastructureError `database_away` after `limitMs`; whatever `assertDatabaseFit` throws for a server
 *   that is there and will not do.
 */
export async function waitForDatabase(
  databaseUrl: string,
  { limitMs, stopAsked, print }: WaitOptions,
): Promise<boolean> {
  const stopping = new AbortController()
  const stopped = stopAsked.then(() => {
    stopping.abort()
    return 'stopped' as const
  })
  const deadline = performance.now() + limitMs
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const outcome = await Promise.race([tryOnce(databaseUrl), stopped])
    if (outcome === 'stopped') return false
    if (outcome === 'fit') return true
    if (performance.now() + pauseMs > deadline) {
      const message = `${outcome.failure} (gave up after ${limitMs / 1_000} s)`
      throw new InfrastructureError('database_away', message)
    }
    print(`${outcome.failure} (trying again in ${pauseMs / 1_000} s)`)
    await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined)
  }
}

async function tryOnce(databaseUrl: string): Promise<'fit' | { readonly failure: string }> {
  try {
    await assertDatabaseFit(databaseUrl)
    return 'fit'
  } catch (error) {
    const { kind, sqlState } = classifyDatabaseError(error)
    if (kind !== 'connection' || REFUSED_FOR_GOOD.has(sqlState)) throw error
    return { failure: String(messageOf(error)) }
  }
}
