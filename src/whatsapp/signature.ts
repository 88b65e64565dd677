import { createHmac, timingSafeEqual } from 'node:crypto'

const HEADER = /^sha256=([0-9a-f]{64})$/i

/**
 * True when `header` (`X-Hub-Signature-256`) signs exactly these bytes with the app's secret. The digests are
 * compared in constant time; a missing or misshapen header is `false`, never an error. The bytes must be those
 * of the wire: Meta escapes non-ASCII text, and a re-serialised body has another digest.
 */
export function verifySignature(rawBody: Buffer, header: string | undefined, appSecret: string): boolean {
  const claimed = HEADER.exec(header ?? '')?.[1]
  if (claimed === undefined || appSecret === '') return false
  return timingSafeEqual(
    Buffer.from(claimed, 'hex'),
    createHmac('sha256', appSecret).update(rawBody).digest(),
  )
}
