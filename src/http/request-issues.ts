import { z } from 'zod'

interface RequestIssue {
  /** Dotted, e.g. `customer.phone`; empty for the whole body or query. */
  readonly path: string
  readonly message: string
}

interface ValidationEntry {
  readonly instancePath: string
  readonly message?: string | undefined
  readonly params: Readonly<Record<string, unknown>>
}

const issueSchema = z.looseObject({
  path: z.array(z.union([z.string(), z.number()])),
  message: z.string(),
})
const variantsSchema = z.array(z.array(issueSchema)).min(1)
const keysSchema = z.array(z.string()).min(1)

/**
 * What is wrong with a request, each with its path. Of a union it names what is wrong with the form that is
 * nearest to what was sent, and of an object the properties that it does not know.
 */
export function requestIssues(entries: readonly ValidationEntry[]): RequestIssue[] {
  return entries.flatMap(({ instancePath, message = 'is invalid', params }) => {
    const path = instancePath.split('/').filter((part) => part !== '')
    return expand(path, message, params)
  })
}

function expand(
  path: readonly string[],
  message: string,
  facts: Readonly<Record<string, unknown>>,
): RequestIssue[] {
  const variants = variantsSchema.safeParse(facts['errors'])
  if (variants.success) {
    const nearest = variants.data.toSorted((one, other) => one.length - other.length)[0] ?? []
    return nearest.flatMap((issue) => expand([...path, ...issue.path.map(String)], issue.message, issue))
  }
  const keys = keysSchema.safeParse(facts['keys'])
  if (keys.success)
    return keys.data.map((key) => ({ path: [...path, key].join('.'), message: 'is not known' }))
  return [{ path: path.join('.'), message }]
}
