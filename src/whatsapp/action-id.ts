import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { AppError } from '../shared/app-error.ts'
import { LIMITS } from './limits.ts'

/**
 * Ids of buttons and rows on the wire. What a model chose is `c:` and its id; what the product itself acts on
 * without the model is `a:name:payload:mac`. The MAC is what tells them apart for certain: a model (or a customer
 * with a modified client) can write `a:cancel:…`, but cannot sign it.
 */
export type ReplyId =
  | { readonly kind: 'choice'; readonly id: string }
  | { readonly kind: 'action'; readonly action: Action }
  /** Neither ours nor a model's of this product, or a forged or foreign-scoped action. */
  | { readonly kind: 'foreign'; readonly id: string }

export interface Action {
  /** `[a-z0-9_-]+`, e.g. `confirm`. */
  readonly name: string
  /** Whatever the action needs, e.g. an appointment code. */
  readonly payload: string
}

/** 128 bits: no forging, and room for the payload. */
const MAC_BYTES = 16
const ACTION_ID = /^a:([a-z0-9_-]+):(.*):([A-Za-z0-9_-]{22})$/s

/** A model's choice id for the wire. An id too long for a row is shortened with a digest, so it stays unique. */
export function encodeChoiceId(id: string): string {
  const wireId = `c:${id}`
  if (wireId.length <= LIMITS.rowId) return wireId
  const digest = createHash('sha256').update(id).digest('base64url').slice(0, 22)
  return `${wireId.slice(0, LIMITS.rowId - digest.length - 1)}~${digest}`
}

/**
 * A signed action id for a button, row or template quick reply. `scope` is bound by the signature without
 * travelling (say, the customer's id): the id then only counts in that scope.
 * @throws AppError `invalid_action_id` for a name of other characters or an id over 200 characters
 */
export function signActionId(secret: string, action: Action, scope = ''): string {
  const wireId = `a:${action.name}:${action.payload}:${mac(secret, action, scope).toString('base64url')}`
  if (!/^[a-z0-9_-]+$/.test(action.name) || wireId.length > LIMITS.rowId) {
    throw new AppError(
      'invalid_action_id',
      `action "${action.name}" makes no valid id of ${wireId.length} characters`,
    )
  }
  return wireId
}

/** Reads the id of a tapped button or row, or the payload of a template's quick reply. */
export function decodeReplyId(id: string, secret: string, scope = ''): ReplyId {
  if (id.startsWith('c:')) return { kind: 'choice', id: id.slice(2) }
  const [, name, payload, signature] = ACTION_ID.exec(id) ?? []
  if (name === undefined || payload === undefined || signature === undefined) return { kind: 'foreign', id }
  const action = { name, payload }
  const genuine = timingSafeEqual(Buffer.from(signature, 'base64url'), mac(secret, action, scope))
  return genuine ? { kind: 'action', action } : { kind: 'foreign', id }
}

/** Length-free joining would let parts slide into each other; JSON keeps their borders. */
function mac(secret: string, action: Action, scope: string): Buffer {
  const signed = JSON.stringify(['action-id', action.name, action.payload, scope])
  return createHmac('sha256', secret).update(signed).digest().subarray(0, MAC_BYTES)
}
