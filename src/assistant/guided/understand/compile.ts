const compiled = new Map<string, RegExp>()

/** The expression of a source, compiled once: sources are made of lexicons, so they are few. Not global. */
export function compile(source: string): RegExp {
  const known = compiled.get(source)
  if (known !== undefined) return known
  const pattern = new RegExp(source)
  compiled.set(source, pattern)
  return pattern
}
