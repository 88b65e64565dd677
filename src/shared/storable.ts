/** Halves and whole pairs alike: the whole ones are looked at more closely, and stay. */
const SURROGATES = /[\ud800-\udfff]/

/**
 * A JSON value that PostgreSQL takes and that the Messages API does not refuse: without NUL characters, which
 * neither `text` nor `jsonb` holds, and with a replacement character for half a surrogate pair. Everything else
 * stays; what needs no change is the same object.
 */
export function storable<T>(value: T): T
export function storable(value: unknown): unknown {
  return isStorable(value) ? value : cleaned(value)
}

/** Looks without making anything: nearly everything is. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return storableText(value) === value
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isStorable)
  return Object.keys(value).every(isStorable) && Object.values(value).every(isStorable)
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value)
  if (Array.isArray(value)) return value.map(storable)
  if (typeof value !== 'object' || value === null) return value
  // fromEntries defines own properties: a key named __proto__ stays a key.
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [storableText(key), storable(inner)]))
}

function storableText(text: string): string {
  if (!text.includes('\u0000') && !SURROGATES.test(text)) return text
  // UTF-8 has no half pairs: writing it puts U+FFFD in their place.
  return Buffer.from(text.replaceAll('\u0000', ''), 'utf8').toString('utf8')
}
