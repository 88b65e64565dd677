import type { NetworkFailure } from './error-table.ts'

/**
 * Failures that happen before the request's first byte: no address, no connection, or no trusted TLS session.
 * Everything else (reset, closed socket, any time-out after connecting) may have happened after Meta read the
 * message, and counts as ambiguous; so does a code that is not in this list.
 * Names: Node's system errors, and undici's for the connect time-out.
 */
const NOT_SENT: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EAI_NODATA',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])

/**
 * Reads what `fetch` threw. The reason sits in the chain of causes (`TypeError: fetch failed`), and with several
 * addresses in an `AggregateError`, where every one of them must have failed before sending.
 */
export function networkFailure(thrown: unknown): NetworkFailure {
  const words = failureWords(thrown, 0)
  const notSent = words.length > 0 && words.every((word) => NOT_SENT.has(word))
  return { kind: notSent ? 'not_sent' : 'ambiguous', word: words[0] ?? 'unknown network failure' }
}

/** Causes nest two or three deep; the bound only guards against a cycle. */
const MAX_DEPTH = 8

function failureWords(thrown: unknown, depth: number): string[] {
  if (!(thrown instanceof Error) || depth > MAX_DEPTH) return []
  if (thrown instanceof AggregateError && thrown.errors.length > 0) {
    return thrown.errors.flatMap((error: unknown) => failureWords(error, depth + 1))
  }
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : null
  if (code !== null) return [code]
  const deeper = failureWords(thrown.cause, depth + 1)
  if (deeper.length > 0) return deeper
  return thrown.name === 'TimeoutError' || thrown.name === 'AbortError' ? [thrown.name] : []
}
