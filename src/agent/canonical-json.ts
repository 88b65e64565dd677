/** JSON with the keys of every object in sorted order, so that equal values give equal strings. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const members = new Map(Object.entries(value))
  let json = ''
  for (const key of [...members.keys()].sort()) {
    const member: unknown = members.get(key)
    if (member === undefined) continue
    json += `${json === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(member)}`
  }
  return `{${json}}`
}
