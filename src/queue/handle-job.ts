import type { JobDefinition } from './job-definition.ts'

export interface JobContext {
  readonly jobId: string
  /** 1 for the first run. */
  readonly attempt: number
  readonly maxAttempts: number
  /** After this run there is no other, unless the process dies in it (see release-dead-workers). */
  readonly isLastAttempt: boolean
  /** Aborts when the job was taken away from this process: stop, another process runs it again. */
  readonly signal: AbortSignal
}

/** A definition paired with what runs it, the payload's type already closed over. */
export interface JobHandler {
  readonly id: string
  run(payload: unknown, context: JobContext): Promise<void>
}

/**
 * Pairs a definition with its handler. The payload is parsed again before `handler` sees it; one that does
 * not fit fails the attempt like any other error. The handler may run twice for one job, even at once when
 * a connection was lost at the wrong moment, and must be safe to.
 */
export function handleJob<Payload>(
  definition: JobDefinition<Payload>,
  handler: (payload: Payload, context: JobContext) => Promise<void>,
): JobHandler {
  return {
    id: definition.id,
    run: async (payload, context) => handler(definition.payload.parse(payload), context),
  }
}
