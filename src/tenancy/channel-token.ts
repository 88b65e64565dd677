import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Channel access tokens at rest: AES-256-GCM, stored as nonce (12) + tag (16) + ciphertext. The tenant's
 * id is authenticated with it, so a token moved to another tenant's row does not open.
 */
export function encryptToken(token: string, tenantId: string, key: Buffer): Uint8Array<ArrayBuffer> {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(tenantId))
  const ciphertext = Buffer.concat([cipher.update(token, 'utf8'), cipher.final()])
  return Uint8Array.from(Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]))
}

/** The token, or null when it was encrypted under another key, for another tenant, or was altered. */
export function decryptToken(stored: Uint8Array, tenantId: string, key: Buffer): string | null {
  if (stored.length < NONCE_BYTES + TAG_BYTES) return null
  const decipher = createDecipheriv('aes-256-gcm', key, stored.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(tenantId))
    .setAuthTag(stored.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  try {
    const text = Buffer.concat([decipher.update(stored.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
    return text.toString('utf8')
  } catch {
    return null
  }
}
