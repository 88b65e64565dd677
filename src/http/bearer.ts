import { createHash, timingSafeEqual } from 'node:crypto'

/** Whether an `Authorization` header is `Bearer` and `expected`, compared in constant time. */
export function isBearer(header: string | undefined, expected: string): boolean {
  const given = /^Bearer +(\S.*)$/i.exec(header ?? '')?.[1]
  return given !== undefined && equalsSecret(given.trimEnd(), expected)
}

/** Compares in constant time, whatever the lengths. */
export function equalsSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}
