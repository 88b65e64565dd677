import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { DeadLetter } from '../../src/queue/dead-letter.ts'
import { enqueue } from '../../src/queue/enqueue.ts'
import { migrateQueue } from '../../src/queue/migrate-queue.ts'
import { queueDepth } from '../../src/queue/queue-facts.ts'
import { tidyQueue } from '../../src/queue/tidy-queue.ts'
import { newId } from '../../src/shared/ids.ts'
import { createTestDatabase } from '../support/database.ts'
import {
  createQueueHarness,
  deferred,
  noteJob,
  onceJob,
  type QueueHarness,
  silentLog as silent,
  WAIT,
} from '../support/queue-harness.ts'

let queue: QueueHarness

beforeAll(async () => {
  queue = await createQueueHarness()
})
afterEach(() => queue.reset())
afterAll(() => queue.close())

describe('enqueue', () => {
  it('makes one job of a key that is added again, with the last payload', async () => {
    await queue.add(noteJob, { name: 'first' }, { jobKey: 'k' })
    await queue.add(noteJob, { name: 'second' }, { jobKey: 'k' })
    const seen: string[] = []
    queue.start({ note: async ({ name }) => void seen.push(name) })
    await expect.poll(() => seen, WAIT).toEqual(['second'])
    await expect.poll(queue.depth, WAIT).toEqual([])
  })

  it('does not run a job before its time', async () => {
    const runAt = Date.now() + 900
    await queue.add(noteJob, { name: 'later' }, { runAt })
    expect(await queue.depth()).toMatchObject([{ task: 'test_note', ready: 0, scheduled: 1, running: 0 }])
    const seen: number[] = []
    queue.start({ note: async () => void seen.push(Date.now()) })
    await expect.poll(() => seen.length, WAIT).toBe(1)
    expect(seen[0]).toBeGreaterThanOrEqual(runAt - 5)
  })

  it('runs the jobs of one queue one at a time, while another queue goes on', async () => {
    const seen: string[] = []
    const gate = deferred()
    queue.start({
      note: async ({ name }) => {
        if (name === 'a1') await gate.promise
        seen.push(name)
      },
    })
    await queue.add(noteJob, { name: 'a1' }, { queueName: 'a', runAt: 1 })
    await queue.add(noteJob, { name: 'a2' }, { queueName: 'a', runAt: 2 })
    await expect.poll(async () => (await queue.depth())[0]?.running, WAIT).toBe(1)
    await queue.add(noteJob, { name: 'b1' }, { queueName: 'b' })
    await expect.poll(() => seen, WAIT).toEqual(['b1'])
    gate.resolve()
    await expect.poll(() => seen, WAIT).toEqual(['b1', 'a1', 'a2'])
  })

  it('adds jobs inside a tenant transaction as the plain role, and rolls them back with it', async () => {
    const [kept, lost] = [newId(), newId()]
    await queue.db.store.transact(kept, (tx) => enqueue(tx, noteJob, { name: 'kept' }, { queueName: kept }))
    const failed = queue.db.store.transact(lost, async (tx) => {
      await enqueue(tx, noteJob, { name: 'lost' }, { queueName: lost, jobKey: lost })
      throw new Error('rolled back')
    })
    await expect(failed).rejects.toThrow('rolled back')
    const names = await queue.db.store.read(kept, (reader) => queueDepth(reader))
    expect(names).toMatchObject([{ task: 'test_note', ready: 1 }])
    const { rows } = await queue.admin.query('select payload from graphile_worker._private_jobs')
    expect(rows).toEqual([{ payload: { name: 'kept' } }])
  })

  it('refuses a payload that does not fit', async () => {
    const wrong = JSON.parse('{"name": 7}')
    await expect(queue.add(noteJob, wrong)).rejects.toThrow(z.ZodError)
    expect(await queue.depth()).toEqual([])
  })
})

describe('a job that fails', () => {
  it('with all its attempts is reported, counted and kept', async () => {
    const letters: DeadLetter[] = []
    queue.start(
      {
        once: async () => {
          throw new Error('broken')
        },
      },
      { onDeadLetter: (letter) => letters.push(letter) },
    )
    await queue.add(onceJob, { name: 'x' }, { jobKey: 'kept' })
    await expect.poll(() => letters, WAIT).toMatchObject([{ task: 'test_once', attempts: 1 }])
    expect(letters[0]?.error?.message).toBe('broken')
    await expect.poll(queue.failures, WAIT).toEqual([{ task: 'test_once', count: 1 }])
    await tidyQueue(queue.admin)
    expect(await queue.failures()).toEqual([{ task: 'test_once', count: 1 }])
  })

  it('after its key was added anew is neither a dead letter nor kept', async () => {
    const gate = deferred()
    const seen: string[] = []
    queue.start({
      note: async ({ name }) => {
        seen.push(name)
        if (name === 'old') await gate.promise.then(() => Promise.reject(new Error('old failed')))
      },
    })
    await queue.add(noteJob, { name: 'old' }, { jobKey: 'k', queueName: 'q' })
    await expect.poll(() => seen, WAIT).toEqual(['old'])
    await queue.add(noteJob, { name: 'new' }, { jobKey: 'k', queueName: 'q' })
    gate.resolve()
    await expect.poll(() => seen, WAIT).toEqual(['old', 'new'])
    await expect.poll(queue.depth, WAIT).toEqual([])
    expect(await queue.failures()).toEqual([])
    await tidyQueue(queue.admin)
    const { rows } =
      await queue.admin.query(`select (select count(*)::int from graphile_worker._private_jobs) as jobs,
      (select count(*)::int from graphile_worker._private_job_queues) as queues`)
    expect(rows).toEqual([{ jobs: 0, queues: 0 }])
  })
})

describe('tidying', () => {
  it('leaves queue rows alone while a transaction adds a job to one', async () => {
    await queue.add(noteJob, { name: 'x' }, { queueName: 'q' })
    await queue.admin.query('delete from graphile_worker._private_jobs')
    await queue.db.store.unsafeTransact('test', async (tx) => {
      await enqueue(tx, noteJob, { name: 'y' }, { queueName: 'q' })
      await tidyQueue(queue.admin)
    })
    const seen: string[] = []
    queue.start({ note: async ({ name }) => void seen.push(name) })
    await expect.poll(() => seen, WAIT).toEqual(['y'])
  })
})

describe('migrateQueue', () => {
  it('lets several processes install the schema at once', async () => {
    const empty = await createTestDatabase({ empty: true })
    try {
      const migrate = () => migrateQueue({ databaseUrl: empty.url, log: silent })
      await Promise.all([migrate(), migrate(), migrate()])
      await migrate()
      expect(await empty.store.unsafeRead('test', (reader) => queueDepth(reader))).toEqual([])
    } finally {
      await empty.close()
    }
  })
})
