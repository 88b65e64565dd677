import { randomInt } from 'node:crypto'
import { v7 } from 'uuid'

/** A new database id: UUID version 7 (RFC 9562), so that ids of one process sort by the time they were made. */
export function newId(): string {
  return v7()
}

/** Letters and digits that are not mistaken for each other when read aloud or typed (no 0/O, 1/I/L, U). */
const CODE_ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A short code a customer can read out, e.g. `K7M2QP`: 30^6 = 729 million, unique per tenant by constraint. */
export function newCode(length = 6): string {
  let code = ''
  for (let index = 0; index < length; index += 1) {
    code += CODE_ALPHABET.charAt(randomInt(CODE_ALPHABET.length))
  }
  return code
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** True when `value` has the form of a database id; a query with anything else would be a database error. */
export function isId(value: string): boolean {
  return UUID.test(value)
}
