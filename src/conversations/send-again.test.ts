import { describe, expect, it } from 'vitest'
import { decideRow } from './send-again.ts'

const error = { code: 1, detail: 'detail' }
const given = (attempt: number, random = 0.5, windowOpen = true) => ({
  attempt,
  windowOpen,
  hasFallback: false,
  random: () => random,
})

describe('the outcome of a send', () => {
  it('that certainly did not happen is tried again, later each time, until the attempts are used up', () => {
    const retry = { kind: 'retry', error, maxAttempts: 5 } as const
    const waits = [1, 2, 3, 4].map((attempt) => decideRow(retry, given(attempt)))
    expect(waits.map((decision) => ('afterMs' in decision ? decision.afterMs : null))).toEqual([
      1_000, 2_000, 4_000, 8_000,
    ])
    expect(decideRow(retry, given(5))).toEqual({ kind: 'failed', error })
  })

  it('is tried again with jitter', () => {
    const retry = { kind: 'retry', error, maxAttempts: 5 } as const
    expect(decideRow(retry, given(1, 0))).toMatchObject({ afterMs: 750 })
    expect(decideRow(retry, given(1, 0.999))).toMatchObject({ afterMs: 1_250 })
  })

  it('refused for rate waits 4ˣ seconds for a recipient, less for the wider limits, and ends some day', () => {
    const backoff = (scope: 'number' | 'recipient') => ({ kind: 'backoff', scope, error }) as const
    expect(decideRow(backoff('recipient'), given(3))).toMatchObject({ kind: 'again', afterMs: 64_000 })
    expect(decideRow(backoff('number'), given(3))).toMatchObject({ kind: 'again', afterMs: 8_000 })
    expect(decideRow(backoff('recipient'), given(11))).toMatchObject({ afterMs: 3_600_000 })
    expect(decideRow(backoff('recipient'), given(12))).toMatchObject({ kind: 'failed' })
  })

  it('outside the window is final, inside it is tried once more', () => {
    const closed = { kind: 'window_closed', error } as const
    expect(decideRow(closed, given(1, 0.5, false))).toEqual({ kind: 'failed', error })
    expect(decideRow(closed, given(1))).toMatchObject({ kind: 'again' })
    expect(decideRow(closed, given(2))).toEqual({ kind: 'failed', error })
    expect(decideRow(closed, { ...given(2), hasFallback: true })).toMatchObject({
      kind: 'again',
      afterMs: 0,
      useFallback: true,
    })
  })

  it('that pauses the channel costs the message no attempt', () => {
    expect(decideRow({ kind: 'pause_channel', error }, given(1))).toMatchObject({
      kind: 'again',
      afterMs: 0,
      countsAsAttempt: false,
    })
  })

  it('otherwise is what it is', () => {
    expect(decideRow({ kind: 'accepted', wamid: 'w' }, given(1))).toEqual({ kind: 'sent', wamid: 'w' })
    expect(decideRow({ kind: 'unknown', error }, given(1))).toEqual({ kind: 'unknown', error })
    expect(decideRow({ kind: 'stop_proactive', error }, given(1))).toEqual({ kind: 'failed', error })
    const rejected = { kind: 'rejected', error, alert: true, optOut: false, disableTemplate: false } as const
    expect(decideRow(rejected, given(1))).toEqual({ kind: 'failed', error })
  })
})
