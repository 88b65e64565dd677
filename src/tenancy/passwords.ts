import argon2 from 'argon2'

/** OWASP's smallest argon2id setting: 19 MiB, two passes, one lane (Password Storage Cheat Sheet). */
const SETTINGS = { type: argon2.argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Of a random password that nobody has, with the same cost as a real one. */
const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$L0p2RfDsNWQTT/LbYQrw4g$L8uWzKOBuncbDwrTIEw43GzHJGOe1DVMYzi3AVr510w'

export function hashPassword(password: string): Promise<string> {
  return argon2.hash(password, SETTINGS)
}

/** A null hash (nobody by that name) takes the same work as a wrong password, and is never right. */
export async function verifyPassword(hash: string | null, password: string): Promise<boolean> {
  const matches = await argon2.verify(hash ?? NOBODYS_HASH, password)
  return matches && hash !== null
}
