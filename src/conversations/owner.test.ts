import { describe, expect, it } from 'vitest'
import { nextOwner, type OwnerEvent } from './owner.ts'

const STATUSES = ['bot', 'queued', 'assigned', 'closed'] as const

/** The next status for each of STATUSES, `-` where the step is refused. */
const TABLE: readonly [OwnerEvent, string][] = [
  [{ kind: 'customer_message' }, 'bot queued assigned bot'],
  [{ kind: 'handoff' }, 'queued - - -'],
  [{ kind: 'claim', staffId: 'paula' }, '- assigned - -'],
  [{ kind: 'take_over', staffId: 'paula' }, 'assigned assigned assigned assigned'],
  [{ kind: 'phone_take_over' }, 'assigned assigned assigned assigned'],
  [{ kind: 'release' }, '- - queued -'],
  [{ kind: 'return_to_bot' }, '- bot bot -'],
  [{ kind: 'resolve' }, '- - closed -'],
  [{ kind: 'idle' }, 'closed - closed -'],
]

describe('who owns a conversation next', () => {
  it.each(TABLE)('$kind leads bot, queued, assigned, closed to %s', (event, expected) => {
    const reached = STATUSES.map((status) => {
      const assigneeId = status === 'assigned' ? 'rita' : null
      return nextOwner({ status, assigneeId }, event)?.status ?? '-'
    })
    expect(reached.join(' ')).toBe(expected)
  })

  it('is who claims it from the phone', () => {
    const claimed = nextOwner({ status: 'assigned', assigneeId: null }, { kind: 'claim', staffId: 'paula' })
    expect(claimed).toEqual({ status: 'assigned', assigneeId: 'paula' })
  })

  it('stays the person while the customer writes, and is nobody while the phone has it', () => {
    const held = { status: 'assigned', assigneeId: 'rita' }
    expect(nextOwner(held, { kind: 'customer_message' })?.assigneeId).toBe('rita')
    expect(nextOwner(held, { kind: 'phone_take_over' })?.assigneeId).toBeNull()
  })
})
