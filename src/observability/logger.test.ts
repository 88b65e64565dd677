import { describe, expect, it } from 'vitest'
import { createLogger, describeError } from './logger.ts'

describe('the log', () => {
  it.each([
    ['raw', (error: Error) => error],
    ['described before', describeError],
  ])('keeps kind, code and place of an error that is %s, and not its message', (_how, given) => {
    const lines: string[] = []
    const log = createLogger('info', { write: (line) => lines.push(line) })
    const error = Object.assign(new TypeError('the secret of a customer'), { code: 'E_TEST' })
    log.error({ err: given(error) }, 'it failed')
    expect(lines.join()).not.toContain('secret')
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      msg: 'it failed',
      err: {
        type: 'TypeError',
        code: 'E_TEST',
        stack: expect.arrayContaining([expect.stringMatching(/^at /)]),
      },
    })
  })

  it('redacts what names people or holds secrets, wherever it stands', () => {
    const lines: string[] = []
    const log = createLogger('info', { write: (line) => lines.push(line) })
    log.info({ phone: '5511', customer: { name: 'Marina' }, deep: { in: { token: 't0ken' } } }, 'x')
    expect(lines.join()).not.toMatch(/5511|Marina|t0ken/)
  })
})
