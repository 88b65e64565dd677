import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { DeadLetter } from '../../src/queue/dead-letter.ts'
import type { JobContext } from '../../src/queue/handle-job.ts'
import { defineJob } from '../../src/queue/job-definition.ts'
import { releaseDeadWorkers } from '../../src/queue/release-dead-workers.ts'
import {
  createQueueHarness,
  deferred,
  holdJob,
  kill,
  type Note,
  noteJob,
  onceJob,
  type QueueHarness,
  silentLog as silent,
  WAIT,
} from '../support/queue-harness.ts'

/** As `holdJob`, with its first attempt the last. */
const holdOnceJob = defineJob({ ...holdJob, maxAttempts: 1 })

let queue: QueueHarness

beforeAll(async () => {
  queue = await createQueueHarness()
})
afterEach(() => queue.reset())
afterAll(() => queue.close())

describe('a process that is killed', () => {
  it('loses its job and its queue to a live process within 15 s', { timeout: 40_000 }, async () => {
    const child = await queue.startChild()
    await queue.add(holdJob, { name: 'x' }, { queueName: 'conversation' })
    expect(await child.line()).toBe('holding x 1')
    const seen: number[] = []
    queue.start({ hold: async (_note, { attempt }) => void seen.push(attempt) })
    await queue.add(holdJob, { name: 'behind' }, { queueName: 'conversation', runAt: Date.now() + 1 })
    expect(await releaseDeadWorkers(queue.admin, [])).toMatchObject({ workerIds: [], jobs: 0 })
    expect(seen).toEqual([])
    const killedAt = Date.now()
    await kill(child.process)
    await expect.poll(() => seen, WAIT).toEqual([2, 1])
    expect(Date.now() - killedAt).toBeLessThan(9_000)
  })

  it('in the last attempt of a job, costs it no run; a second time makes a dead letter', {
    timeout: 60_000,
  }, async () => {
    await queue.add(holdOnceJob, { name: 'poison' })
    for (const attempt of [1, 2]) {
      const child = await queue.startChild()
      expect(await child.line()).toBe(`holding poison ${attempt}`)
      await kill(child.process)
    }
    const letters: DeadLetter[] = []
    const seen: string[] = []
    queue.start(
      { hold: async () => void seen.push('ran') },
      { onDeadLetter: (letter) => letters.push(letter) },
    )
    await expect.poll(() => letters, WAIT).toMatchObject([{ task: 'test_hold', attempts: 2 }])
    expect(seen).toEqual([])
    expect(await queue.failures()).toEqual([{ task: 'test_hold', count: 1 }])
  })
})

describe('a database that goes away', () => {
  it('stops nothing for good: terminated connections are replaced and jobs run', async () => {
    const seen: string[] = []
    const pool = queue.start({ note: async ({ name }) => void seen.push(name) })
    for (const name of ['one', 'two', 'three']) {
      await expect.poll(() => pool.isRunning(), WAIT).toBe(true)
      await queue.terminateAll()
      await queue.add(noteJob, { name })
      await expect.poll(() => seen, WAIT).toContain(name)
    }
  })

  it('takes a running job with it at most for seconds, and is reported as not running', {
    timeout: 60_000,
  }, async () => {
    const seen: string[] = []
    const logged: string[] = []
    const gate = deferred()
    const note = async ({ name }: Note, { attempt }: JobContext) => {
      seen.push(`${name} ${attempt}`)
      if (attempt === 1) await gate.promise
    }
    const log = { ...silent, error: (_fields: object, message: string) => void logged.push(message) }
    const pool = queue.start({ note }, { log })
    await queue.add(noteJob, { name: 'during' }, { queueName: 'q' })
    await expect.poll(() => seen, WAIT).toEqual(['during 1'])
    await queue.refuseConnections()
    await expect.poll(() => pool.isRunning(), WAIT).toBe(false)
    gate.resolve()
    await expect.poll(() => logged.join(), WAIT).toContain('Failed to complete jobs')
    expect(pool.isRunning()).toBe(false)
    await queue.allowConnections()
    await expect.poll(() => pool.isRunning(), WAIT).toBe(true)
    await expect.poll(() => seen, WAIT).toEqual(['during 1', 'during 2'])
    await expect.poll(queue.depth, WAIT).toEqual([])
  })

  it('does not take a running job from a process whose lock connection alone was cut', async () => {
    const seen: number[] = []
    const gate = deferred()
    const note = async (_note: Note, { attempt }: JobContext) => {
      seen.push(attempt)
      await gate.promise
    }
    const pool = queue.start({ note })
    await queue.add(noteJob, { name: 'x' })
    await expect.poll(() => seen, WAIT).toEqual([1])
    await queue.terminateAll(`application_name = 'agendou worker lock'`)
    expect(await releaseDeadWorkers(queue.admin, [])).toMatchObject({ workerIds: [], jobs: 0 })
    await expect.poll(() => pool.isRunning(), WAIT).toBe(true)
    gate.resolve()
    await expect.poll(queue.depth, WAIT).toEqual([])
    expect(seen).toEqual([1])
  })
})

describe('stop', () => {
  it('takes no more jobs and waits for the running ones', async () => {
    const seen: string[] = []
    const gate = deferred()
    const note = async ({ name }: Note) => {
      seen.push(`start ${name}`)
      await gate.promise
      seen.push(`end ${name}`)
    }
    const pool = queue.start({ note }, { concurrency: 1 })
    await queue.add(noteJob, { name: 'x' })
    await expect.poll(() => seen, WAIT).toEqual(['start x'])
    let stopped = false
    const stopping = pool.stop({ timeoutMs: 10_000 }).then(() => {
      stopped = true
    })
    expect(pool.isRunning()).toBe(false)
    await queue.add(noteJob, { name: 'y' })
    const others: string[] = []
    queue.start({ note: async ({ name }) => void others.push(name) })
    await expect.poll(() => others, WAIT).toEqual(['y'])
    expect(stopped).toBe(false)
    gate.resolve()
    await stopping
    expect(seen).toEqual(['start x', 'end x'])
  })

  it('ends in time with the database away', async () => {
    const gate = deferred()
    const pool = queue.start({ note: () => gate.promise })
    await queue.add(noteJob, { name: 'x' })
    await expect.poll(async () => (await queue.depth())[0]?.running, WAIT).toBe(1)
    await queue.refuseConnections()
    const startedAt = Date.now()
    await pool.stop({ timeoutMs: 200 })
    expect(Date.now() - startedAt).toBeLessThan(4_200)
    await queue.allowConnections()
    gate.resolve()
    const seen: string[] = []
    queue.start({ note: async (_note, { attempt }) => void seen.push(`x ${attempt}`) })
    await expect.poll(() => seen, WAIT).toEqual(['x 2'])
  })

  it('gives running jobs back at the limit, aborts them, and costs even a last attempt nothing', async () => {
    const letters: DeadLetter[] = []
    const aborted: string[] = []
    const pool = queue.start(
      {
        once: async ({ name }, { signal, isLastAttempt }) => {
          expect(isLastAttempt).toBe(true)
          await once(signal, 'abort')
          aborted.push(name)
          throw new Error('interrupted')
        },
      },
      { onDeadLetter: (letter) => letters.push(letter) },
    )
    await queue.add(onceJob, { name: 'x' }, { queueName: 'q' })
    await expect.poll(async () => (await queue.depth())[0]?.running, WAIT).toBe(1)
    const startedAt = Date.now()
    await pool.stop({ timeoutMs: 200 })
    expect(Date.now() - startedAt).toBeLessThan(4_200)
    expect(aborted).toEqual(['x'])
    expect(letters).toEqual([])
    expect(await queue.depth()).toMatchObject([{ ready: 1, running: 0 }])
    const seen: string[] = []
    queue.start({ once: async ({ name }) => void seen.push(name) })
    await expect.poll(() => seen, { ...WAIT, timeout: 2_000 }).toEqual(['x'])
  })
})
