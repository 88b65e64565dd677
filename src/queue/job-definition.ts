import { z } from 'zod'

/**
 * A job is a definition (here) and a handler (src/jobs). The payload holds ids only and is parsed again
 * before the handler sees it; a handler may run twice for one job and must be safe to.
 */
export interface JobDefinition<Payload> {
  /** graphile-worker's task identifier. */
  readonly id: string
  readonly payload: z.ZodType<Payload>
  /** Tries before the job is given up (graphile-worker backs off exponentially between them). */
  readonly maxAttempts: number
}

/** Types the payload from its schema. */
export function defineJob<Payload>(definition: JobDefinition<Payload>): JobDefinition<Payload> {
  return definition
}

const conversationPayload = z.object({ tenantId: z.uuid(), conversationId: z.uuid() })

/** Takes stored webhook bodies apart, each on its own. The ids are bigints as text. */
export const ingestWebhookJob = defineJob({
  id: 'ingest_webhook',
  payload: z.object({ eventIds: z.array(z.string().regex(/^\d+$/)).min(1) }),
  maxAttempts: 25,
})

/**
 * Answers what a conversation owes an answer. Adding a key again while its job runs costs the running job
 * its retries, so the payload is the conversation alone and the work is derived from the database each time.
 */
export const runTurnJob = defineJob({ id: 'run_turn', payload: conversationPayload, maxAttempts: 25 })

/** Key of a conversation's turn: one waits, one runs. */
export function turnJobKey(conversationId: string): string {
  return `turn:${conversationId}`
}

/** Sends a conversation's outbox rows in their order. */
export const drainOutboxJob = defineJob({ id: 'drain_outbox', payload: conversationPayload, maxAttempts: 25 })

/** Key and queue of a conversation's drain: one waits, one runs. */
export function drainJobName(conversationId: string): string {
  return `drain:${conversationId}`
}

/** Fetches a file that came with a message while the channel still has it. */
export const fetchMediaJob = defineJob({
  id: 'fetch_media',
  payload: z.object({ tenantId: z.uuid(), mediaId: z.uuid() }),
  maxAttempts: 25,
})

/** Moves on the conversations that nobody moves, for every tenant; queues itself again. */
export const sweepConversationsJob = defineJob({
  id: 'sweep_conversations',
  payload: z.object({}),
  maxAttempts: 25,
})
