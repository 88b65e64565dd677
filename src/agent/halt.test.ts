import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Halt } from './halt.ts'

const never = () => new Promise<never>(() => undefined)
const listeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length
const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
const LONG_MS = 600_000

/** Rejections that nobody handled while a test ran. */
let unhandled: unknown[] = []
const record = (reason: unknown) => unhandled.push(reason)
beforeEach(() => {
  unhandled = []
  process.on('unhandledRejection', record)
})
afterEach(() => {
  process.off('unhandledRejection', record)
})

describe('a halt', () => {
  it('gives what the work gives, also when it throws before it waits', async () => {
    const halt = new Halt(LONG_MS, undefined)
    const error = new Error('broken')
    expect(await halt.until(async () => 7)).toEqual({ status: 'done', value: 7 })
    expect(await halt.until(() => Promise.reject(error))).toEqual({ status: 'failed', error })
    const thrower = (): Promise<never> => {
      throw error
    }
    expect(await halt.until(thrower)).toEqual({ status: 'failed', error })
    halt.close()
  })

  it('abandons work that ignores its signal at the time-out', async () => {
    const halt = new Halt(20, undefined)
    const { signal } = halt
    expect(await halt.until(never)).toEqual({ status: 'aborted' })
    expect(signal.aborted).toBe(true)
  })

  it('leaves no rejection of abandoned work unhandled', async () => {
    const halt = new Halt(20, undefined)
    let fail: (error: Error) => void = () => undefined
    const work = new Promise<never>((_resolve, reject) => {
      fail = reject
    })
    expect(await halt.until(() => work)).toEqual({ status: 'aborted' })
    fail(new Error('too late'))
    await turnOfTheLoop()
    expect(unhandled).toEqual([])
  })

  it('aborts its signal with the outer reason', async () => {
    const outer = new AbortController()
    const halt = new Halt(LONG_MS, outer.signal)
    const { signal } = halt
    const reason = new Error('shutting down')
    const settled = halt.until(never)
    outer.abort(reason)
    expect(await settled).toEqual({ status: 'aborted' })
    expect(signal.reason).toBe(reason)
    expect(halt.signal).toBe(signal)
    halt.close()
  })

  it('gives an aborted signal also to who asks for it after the strike', async () => {
    const outer = new AbortController()
    const halt = new Halt(null, outer.signal)
    const reason = new Error('shutting down')
    outer.abort(reason)
    expect(halt.signal.aborted).toBe(true)
    expect(halt.signal.reason).toBe(reason)
    halt.close()
  })

  it('lets go of its timer and of the outer signal when it is closed', () => {
    const outer = new AbortController()
    const before = timers()
    const halt = new Halt(LONG_MS, outer.signal)
    expect(listeners(outer.signal)).toBe(1)
    expect(timers()).toBe(before + 1)
    halt.close()
    expect(listeners(outer.signal)).toBe(0)
    expect(timers()).toBe(before)
  })

  it.each<[string, () => Halt]>([
    ['whose outer signal was aborted before', () => new Halt(LONG_MS, AbortSignal.abort('gone'))],
    ['without any time', () => new Halt(0, new AbortController().signal)],
    ['whose time is over', () => new Halt(-5, undefined)],
  ])('%s starts no work, and holds nothing', async (_name, make) => {
    const before = timers()
    const halt = make()
    let started = false
    const settled = await halt.until(async () => {
      started = true
    })
    expect(settled).toEqual({ status: 'aborted' })
    expect(started).toBe(false)
    expect(halt.signal.aborted).toBe(true)
    expect(timers()).toBe(before)
  })

  it('serves many pieces of work with one timer and one listener, and ends those that still go', async () => {
    const outer = new AbortController()
    const before = timers()
    const halt = new Halt(LONG_MS, outer.signal)
    for (let round = 0; round < 100; round += 1) {
      expect(await halt.until(async () => round)).toEqual({ status: 'done', value: round })
    }
    const going = Array.from({ length: 100 }, () => halt.until(never))
    const quick = await halt.until(async () => 'done')
    expect(quick).toEqual({ status: 'done', value: 'done' })
    expect([timers() - before, listeners(outer.signal)]).toEqual([1, 1])
    outer.abort()
    expect(new Set((await Promise.all(going)).map(({ status }) => status))).toEqual(new Set(['aborted']))
    expect(await halt.until(async () => 'late')).toEqual({ status: 'aborted' })
    halt.close()
    expect([timers() - before, listeners(outer.signal)]).toEqual([0, 0])
  })

  it('without a time-out waits for the work or the outer signal only', async () => {
    const before = timers()
    const halt = new Halt(null, undefined)
    expect(timers()).toBe(before)
    expect(await halt.until(async () => 'done')).toEqual({ status: 'done', value: 'done' })
  })
})

/** Node tells of unhandled rejections once the microtasks are done. */
async function turnOfTheLoop(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}
