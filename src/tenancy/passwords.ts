import argon2 from 'argon2'
import { limitWork } from '../shared/work-limit.ts'
import { RetryLaterError } from './errors.ts'

/** OWASP's smallest argon2id setting: 19 MiB, two passes, one lane (Password Storage Cheat Sheet). */
const SETTINGS = { type: argon2.argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Of a random password that nobody has, with the same cost as a real one. */
const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$L0p2RfDsNWQTT/LbYQrw4g$L8uWzKOBuncbDwrTIEw43GzHJGOe1DVMYzi3AVr510w'

/**
 * For the whole process, whatever the account: it has four threads for this, for files and for names of hosts,
 * and a flood of logins must leave some. A hundred that wait are done in two or three seconds, which is as
 * long as somebody at a login page should wait.
 */
const inTurn = limitWork({
  running: 2,
  waiting: 100,
  refusal: () => new RetryLaterError('busy', 'too many passwords are being checked: try again shortly', 3),
})

/** @throws RetryLaterError `busy` when too many wait for this already. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => argon2.hash(password, SETTINGS))
}

/**
 * A null hash (nobody by that name) takes the same work as a wrong password, and is never right.
 * @throws RetryLaterError `busy` when too many wait for this already, also for nobody's.
 */
export async function verifyPassword(hash: string | null, password: string): Promise<boolean> {
  const matches = await inTurn(() => argon2.verify(hash ?? NOBODYS_HASH, password))
  return matches && hash !== null
}
