/**
 * A JSON value that PostgreSQL takes: without NUL characters, which neither `text` nor `jsonb` holds, and
 * with a replacement character for half a surrogate pair, which `jsonb` refuses. Everything else stays.
 */
export function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value)
  if (Array.isArray(value)) return value.map(storable)
  if (typeof value !== 'object' || value === null) return value
  // fromEntries defines own properties: a key named __proto__ stays a key.
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [storableText(key), storable(inner)]))
}

function storableText(text: string): string {
  // UTF-8 has no half pairs: writing it puts U+FFFD in their place.
  return Buffer.from(text.replaceAll('\u0000', ''), 'utf8').toString('utf8')
}
