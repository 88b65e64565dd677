/** Halves and whole pairs alike: the whole ones are looked at more closely, and stay. */
const SURROGATES = /[\ud800-\udfff]/

/**
 * A JSON value that PostgreSQL takes and that the Messages API does not refuse: without NUL characters, which
 * neither `text` nor `jsonb` holds, and with a replacement character for half a surrogate pair. Everything else
 * stays; what needs no change is the same object.
 */
export function storable<T>(value: T): T
export function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value)
  if (Array.isArray(value)) {
    const items: unknown[] = value.map((item: unknown) => storable(item))
    return items.every((item, index) => item === value[index]) ? value : items
  }
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const cleaned = entries.map(([key, inner]): [string, unknown] => [storableText(key), storable(inner)])
  const isSame = cleaned.every(
    ([key, inner], index) => key === entries[index]?.[0] && inner === entries[index][1],
  )
  // fromEntries defines own properties: a key named __proto__ stays a key.
  return isSame ? value : Object.fromEntries(cleaned)
}

function storableText(text: string): string {
  if (!text.includes('\u0000') && !SURROGATES.test(text)) return text
  // UTF-8 has no half pairs: writing it puts U+FFFD in their place.
  return Buffer.from(text.replaceAll('\u0000', ''), 'utf8').toString('utf8')
}
