/** A stop that takes longer than this is cut short: the contract promises an end within 20 s. */
const LONGEST_STOP_MS = 18_000

/**
 * Take it before anything is started, so that a signal during the start stops what was started.
 *
 * Resolves at the first SIGTERM or SIGINT. From then on a second signal ends the process at once with code 1,
 * and so does a stop that hangs: what it leaves is taken up by another process or the next start.
 */
export function onStopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let stopping = false
    const onSignal = () => {
      if (stopping) process.exit(1)
      stopping = true
      setTimeout(() => process.exit(1), LONGEST_STOP_MS).unref()
      resolve()
    }
    process.on('SIGTERM', onSignal)
    process.on('SIGINT', onSignal)
  })
}
