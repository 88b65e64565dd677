import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { watchDueJobs } from '../../src/queue/watch-due-jobs.ts'
import { createQueueHarness, noteJob, type QueueHarness, silentLog, WAIT } from '../support/queue-harness.ts'

/** A worker is woken this near to the moment, on a machine that does other things too. */
const NEAR_MS = 500

let queue: QueueHarness
const ends: (() => Promise<void>)[] = []

beforeAll(async () => {
  queue = await createQueueHarness()
  // The first statement of a process takes its time.
  await queue.add(noteJob, { name: 'first' })
  await queue.reset()
})
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
  await queue.reset()
})
afterAll(() => queue.close())

/** Watches the queue; gives the moments at which a worker was woken, and what ends the watch. */
function watch(): { wakes: number[]; stop: () => void } {
  const pool = new pg.Pool({ connectionString: queue.db.url, max: 1 })
  pool.on('error', () => undefined)
  const ended = new AbortController()
  const wakes: number[] = []
  watchDueJobs({ pool, log: silentLog, signal: ended.signal, wake: () => void wakes.push(Date.now()) })
  ends.push(async () => {
    ended.abort()
    await pool.end()
  })
  return { wakes, stop: () => ended.abort() }
}

const reached = (moment: number) => expect.poll(() => Date.now() > moment, WAIT).toBe(true)
const near = (moment: number) => (woken: number) => woken >= moment - 5 && woken <= moment + NEAR_MS

describe('the watch for due jobs', () => {
  it('wakes a worker at the moment of a job that is due in a while, once', async () => {
    const { wakes } = watch()
    const runAt = Date.now() + 1_500
    await queue.add(noteJob, { name: 'later' }, { runAt })
    await expect.poll(() => wakes.length, WAIT).toBe(1)
    expect(wakes.every(near(runAt))).toBe(true)
    await reached(runAt + 500)
    expect(wakes).toHaveLength(1)
  })

  it('wakes one for each of two moments', async () => {
    const { wakes } = watch()
    const moments = [Date.now() + 1_500, Date.now() + 1_900]
    for (const runAt of moments) await queue.add(noteJob, { name: 'one of two' }, { runAt })
    await expect.poll(() => wakes.length, WAIT).toBe(2)
    for (const moment of moments) expect(wakes.some(near(moment))).toBe(true)
  })

  it('wakes one at the new moment of a job that was put off', async () => {
    const { wakes } = watch()
    const first = Date.now() + 1_500
    const jobKey = 'put off'
    await queue.add(noteJob, { name: 'first' }, { runAt: first, jobKey })
    await reached(first - 200)
    const second = first + 700
    await queue.add(noteJob, { name: 'second' }, { runAt: second, jobKey })
    await expect.poll(() => wakes.some(near(second)), WAIT).toBe(true)
  })

  it('goes on when its connection is lost', async () => {
    const { wakes } = watch()
    await queue.terminateAll()
    const runAt = Date.now() + 1_500
    await queue.add(noteJob, { name: 'after the loss' }, { runAt })
    await expect.poll(() => wakes.some(near(runAt)), WAIT).toBe(true)
  })

  it('wakes nobody after its end', async () => {
    const { wakes, stop } = watch()
    const runAt = Date.now() + 900
    await queue.add(noteJob, { name: 'too late' }, { runAt })
    // Seen by now, and still to come.
    await reached(runAt - 330)
    stop()
    await reached(runAt + 500)
    expect(wakes).toEqual([])
  })
})
