import { expect, it } from 'vitest'
import { outcomeOfCode } from './error-table.ts'
import { parseErrors } from './webhook-error.ts'

it('an error that names no code is none of Meta’s, and pauses nothing', () => {
  const [error] = parseErrors([{ title: 'Something' }])
  if (error === undefined) throw new Error('it was dropped')
  expect(error).toMatchObject({ code: -1, detail: 'Something' })
  expect(outcomeOfCode(error).kind).toBe('rejected')
  const [refused] = parseErrors([{ code: 0, title: 'Auth' }])
  expect(refused?.code).toBe(0)
})
