/**
 * The digests that were declared for a file, as hex. The webhook writes base64 and the Graph API hex; what is
 * neither, of 32 bytes, proves nothing and is left out.
 */
export function declaredDigests(declared: readonly (string | null)[]): string[] {
  return declared.flatMap((value) => {
    if (value === null) return []
    if (/^[0-9a-f]{64}$/i.test(value)) return [value.toLowerCase()]
    const bytes = Buffer.from(value, 'base64')
    return bytes.length === 32 ? [bytes.toString('hex')] : []
  })
}
