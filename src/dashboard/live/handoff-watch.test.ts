import { describe, expect, it } from 'vitest'
import type { ConversationDto } from '../../contracts/staff-api.ts'
import { createHandoffWatch } from './handoff-watch.ts'

const NOW = Date.parse('2026-12-07T13:00:00Z')

function conversation(status: ConversationDto['status'], requestedAt: string | null = null): ConversationDto {
  return {
    id: 'c-1',
    status,
    customer: { id: 'p-1', name: null, phone: null },
    assignee: null,
    handoff:
      requestedAt === null
        ? null
        : { reason: 'customer_request', summary: '', requestedAt, firstReplyDueAt: null, firstReplyAt: null },
    unread: 1,
    lastMessageAt: null,
    windowClosesAt: null,
    lastMessage: null,
    viewers: [],
  }
}

describe('a conversation joins the queue', () => {
  it('when it was elsewhere before, and once', () => {
    const watch = createHandoffWatch()
    expect(watch.joins(conversation('bot'), NOW)).toBe(false)
    expect(watch.joins(conversation('queued', '2026-12-07T13:00:00Z'), NOW)).toBe(true)
    expect(watch.joins(conversation('queued', '2026-12-07T13:00:00Z'), NOW)).toBe(false)
    expect(watch.joins(conversation('assigned', '2026-12-07T13:00:00Z'), NOW)).toBe(false)
    // Back in the queue, because whoever had it was silent.
    expect(watch.joins(conversation('queued', '2026-12-07T10:00:00Z'), NOW)).toBe(true)
  })

  it('when nobody saw it before and the request is fresh; a word of somebody who waits is no news', () => {
    expect(createHandoffWatch().joins(conversation('queued', '2026-12-07T12:59:30Z'), NOW)).toBe(true)
    expect(createHandoffWatch().joins(conversation('queued', '2026-12-07T12:00:00Z'), NOW)).toBe(false)
  })

  it('not when a list showed it there already', () => {
    const watch = createHandoffWatch()
    watch.note(conversation('queued', '2026-12-07T12:59:30Z'))
    expect(watch.joins(conversation('queued', '2026-12-07T12:59:30Z'), NOW)).toBe(false)
  })
})
