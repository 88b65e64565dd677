import { describe, expect, it } from 'vitest'
import { limitWork } from './work-limit.ts'

/** Work that ends when it is told to. */
function heldWork() {
  const held: (() => void)[] = []
  const started: string[] = []
  return {
    started,
    hold: (name: string) => () =>
      new Promise<string>((resolve) => {
        started.push(name)
        held.push(() => resolve(name))
      }),
    endFirst: () => held.shift()?.(),
  }
}

describe('limitWork', () => {
  it('runs as many as it may, lets as many wait as it may, and refuses the rest at once', async () => {
    const limited = limitWork({ running: 2, waiting: 1, refusal: () => new Error('full') })
    const { started, hold, endFirst } = heldWork()
    const taken = ['a', 'b', 'c'].map((name) => limited(hold(name)))
    await expect(limited(hold('d'))).rejects.toThrow('full')
    expect(started).toEqual(['a', 'b'])
    endFirst()
    expect(await taken[0]).toBe('a')
    await expect.poll(() => started).toEqual(['a', 'b', 'c'])
    endFirst()
    endFirst()
    expect(await Promise.all(taken)).toEqual(['a', 'b', 'c'])
  })

  it('takes those that wait in the order in which they came', async () => {
    const limited = limitWork({ running: 1, waiting: 10, refusal: () => new Error('full') })
    const order: number[] = []
    await Promise.all([1, 2, 3, 4].map((number) => limited(async () => order.push(number))))
    expect(order).toEqual([1, 2, 3, 4])
  })

  it('frees the place of work that fails', async () => {
    const limited = limitWork({ running: 1, waiting: 0, refusal: () => new Error('full') })
    await expect(limited(() => Promise.reject(new Error('broke')))).rejects.toThrow('broke')
    expect(await limited(async () => 'done')).toBe('done')
  })
})
