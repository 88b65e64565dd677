import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeReplyId, encodeChoiceId, signActionId } from './action-id.ts'

const SECRET = 'session-secret'
const CONFIRM = { name: 'confirm', payload: 'K7M2QP' }

describe('choice ids', () => {
  it('come back as the model chose them', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 198 }), (id) => {
        expect(decodeReplyId(encodeChoiceId(id), SECRET)).toEqual({ kind: 'choice', id })
      }),
    )
  })

  it('stay within a row and distinct when they are too long', () => {
    const one = encodeChoiceId(`${'x'.repeat(300)}1`)
    const other = encodeChoiceId(`${'x'.repeat(300)}2`)
    expect(one.length).toBe(200)
    expect(one).not.toBe(other)
  })

  it('can never pass for an action of ours', () => {
    const forged = encodeChoiceId(signActionId(SECRET, CONFIRM))
    expect(decodeReplyId(forged, SECRET).kind).toBe('choice')
  })
})

describe('action ids', () => {
  it('come back when the signature and the scope are right', () => {
    expect(decodeReplyId(signActionId(SECRET, CONFIRM), SECRET)).toEqual({ kind: 'action', action: CONFIRM })
    const odd = { name: 'slot', payload: '2026-12-01T10:00:ana:b' }
    expect(decodeReplyId(signActionId(SECRET, odd, 'customer-1'), SECRET, 'customer-1')).toEqual({
      kind: 'action',
      action: odd,
    })
  })

  it('are foreign with another secret, scope, name or payload', () => {
    const id = signActionId(SECRET, CONFIRM, 'customer-1')
    const forgeries = [
      decodeReplyId(id, 'other', 'customer-1'),
      decodeReplyId(id, SECRET, 'customer-2'),
      decodeReplyId(id.replace('confirm', 'cancel'), SECRET, 'customer-1'),
      decodeReplyId(id.replace('K7M2QP', 'K7M2QQ'), SECRET, 'customer-1'),
    ]
    expect(forgeries.map(({ kind }) => kind)).toEqual(['foreign', 'foreign', 'foreign', 'foreign'])
  })

  it.each([['a:confirm:K7M2QP'], ['a:::'], ['SAIR'], [''], ['a:confirm:x:short']])(
    'are foreign when %j',
    (id) => {
      expect(decodeReplyId(id, SECRET)).toEqual({ kind: 'foreign', id })
    },
  )

  it('refuse a name or a length that could not travel', () => {
    expect(() => signActionId(SECRET, { name: 'a:b', payload: '' })).toThrow('no valid id')
    expect(() => signActionId(SECRET, { name: 'confirm', payload: 'x'.repeat(200) })).toThrow('no valid id')
  })
})
