import { expect, it } from 'vitest'
import { cutText } from './cut-text.ts'
import { storable } from './storable.ts'

it('takes NUL out, replaces half a surrogate pair, and leaves whole ones', () => {
  expect(storable({ a: ['x\u0000y', 'half \ud83d', '\ude00 half', 'whole 😀'], 'k\u0000': 1 })).toEqual({
    a: ['xy', 'half \ufffd', '\ufffd half', 'whole 😀'],
    k: 1,
  })
})

it('gives the same object back when there is nothing to change', () => {
  const value = { text: 'olá 😀', list: [1, null, { deep: true }] }
  expect(storable(value)).toBe(value)
})

it('keeps a key named __proto__ as a key', () => {
  const value: unknown = JSON.parse('{"__proto__": "x\\u0000"}')
  expect(JSON.stringify(storable(value))).toBe('{"__proto__":"x"}')
})

it('cuts a text on a border of graphemes', () => {
  expect(cutText('ab😀cd', 3)).toBe('ab')
  expect(cutText('ab👩‍👧cd', 5)).toBe('ab')
  expect(cutText('ab', 5)).toBe('ab')
})
