import { describe, expect, it } from 'vitest'
import { Repetition } from './repetition.ts'

describe('repetition', () => {
  it('finds the third identical call, whatever the order of keys and what came between', () => {
    const repetition = new Repetition()
    expect(repetition.isRepeated('times', { a: 1, b: { c: 2, d: 3 } })).toBe(false)
    expect(repetition.isRepeated('times', { b: { d: 3, c: 2 }, a: 1 })).toBe(false)
    expect(repetition.isRepeated('book', { a: 1, b: { c: 2, d: 3 } })).toBe(false)
    expect(repetition.isRepeated('times', { a: 1, b: { c: 2, d: 3 } })).toBe(true)
  })

  it('finds a cycle A-B-A-B-A-B', () => {
    const repetition = new Repetition()
    const calls = ['A', 'B', 'A', 'B', 'A', 'B'].map((name) => repetition.isRepeated(name, {}))
    expect(calls).toEqual([false, false, false, false, true, true])
  })

  it('starts again after a successful write, but for the write itself', () => {
    const repetition = new Repetition()
    for (const name of ['times', 'times', 'book', 'book']) repetition.isRepeated(name, {})
    repetition.writeSucceeded('book', {})
    expect(repetition.isRepeated('times', {})).toBe(false)
    expect(repetition.isRepeated('book', {})).toBe(true)
  })
})
