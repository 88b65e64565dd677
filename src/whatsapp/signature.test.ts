import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { verifySignature } from './signature.ts'

const SECRET = 'app-secret'
const BODY = Buffer.from('{"text":"ol\\u00e1"}')
const DIGEST = createHmac('sha256', SECRET).update(BODY).digest('hex')

describe('verifySignature', () => {
  it('accepts the digest of exactly these bytes, in either case', () => {
    expect(verifySignature(BODY, `sha256=${DIGEST}`, SECRET)).toBe(true)
    expect(verifySignature(BODY, `sha256=${DIGEST.toUpperCase()}`, SECRET)).toBe(true)
  })

  it('refuses other bytes that mean the same, and another secret', () => {
    expect(verifySignature(Buffer.from('{"text":"olá"}'), `sha256=${DIGEST}`, SECRET)).toBe(false)
    expect(verifySignature(BODY, `sha256=${DIGEST}`, 'other')).toBe(false)
  })

  it.each([
    [undefined],
    [''],
    [DIGEST],
    ['sha256='],
    [`sha1=${DIGEST}`],
    [`sha256=${DIGEST}00`],
    ['sha256=zz'],
  ])('refuses the header %s without an error', (header) => {
    expect(verifySignature(BODY, header, SECRET)).toBe(false)
  })

  it('refuses everything when there is no secret', () => {
    const digest = createHmac('sha256', '').update(BODY).digest('hex')
    expect(verifySignature(BODY, `sha256=${digest}`, '')).toBe(false)
  })
})
