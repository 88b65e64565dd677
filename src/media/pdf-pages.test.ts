import { expect, it } from 'vitest'
import { countPages } from './pdf-pages.ts'

it('counts page objects or the tree, whichever says more; null when both are packed away', () => {
  expect(countPages(Buffer.from('/Type /Page /Type/Page /Type /Pages /Count 2'))).toBe(2)
  expect(countPages(Buffer.from('/Type /Pages /Count 7'))).toBe(7)
  expect(countPages(Buffer.from('%PDF-1.7'))).toBeNull()
})

it('takes a file that is nothing but counts', () => {
  expect(countPages(Buffer.from('/Count 1 '.repeat(233_000)))).toBe(1)
})
