import type { ConversationDto } from '../../contracts/staff-api.ts'

/** Of a conversation that was never seen before, an older request than this is no news. */
const NEWS_MS = 60_000

export interface HandoffWatch {
  /** Takes note of how a conversation stands, without a sound. */
  note(conversation: ConversationDto): void
  /** Whether the conversation has just joined the queue. */
  joins(conversation: ConversationDto, now: number): boolean
}

/**
 * Tells who joins the queue from who merely writes in it. It remembers how each conversation last stood; a
 * list would not do, for it holds only the pages that were loaded.
 */
export function createHandoffWatch(): HandoffWatch {
  const known = new Map<string, ConversationDto['status']>()
  return {
    note: ({ id, status }) => {
      if (!known.has(id)) known.set(id, status)
    },
    joins: ({ id, status, handoff }, now) => {
      const before = known.get(id)
      known.set(id, status)
      if (status !== 'queued' || before === 'queued') return false
      return before !== undefined || (handoff !== null && now - Date.parse(handoff.requestedAt) < NEWS_MS)
    },
  }
}
