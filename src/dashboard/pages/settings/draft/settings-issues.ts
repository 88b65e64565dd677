import { z } from 'zod'
import { tenantDocumentSchema } from '../../../../contracts/tenant-document.ts'
import type { PlainSettings } from './draft-document.ts'

/** One place that is wrong. `path` is dotted, as the server says it. */
export interface SettingsIssue {
  readonly path: string
  readonly fault: Fault
}

/** What is wrong, to be said in the reader's language. */
export type Fault =
  | { readonly kind: 'required' | 'whole' | 'format' | 'repeated' | 'overlap' | 'before' | 'unknown' }
  | { readonly kind: 'least' | 'most' | 'long' | 'many'; readonly bound: number }
  /** In the server's words. */
  | { readonly kind: 'said'; readonly message: string }

/** Issues hang on the settings alone; the whole document's own rules want a channel. */
const SOME_CHANNEL = { phoneNumberId: '1', wabaId: '1', displayPhoneNumber: '+000000' }

/** The rules of the tenant document, as the server will apply them. */
export function judgeSettings(settings: PlainSettings): SettingsIssue[] {
  const result = tenantDocumentSchema.safeParse({ ...settings, channel: SOME_CHANNEL })
  if (result.success) return []
  const issues = result.error.issues.map((issue) => ({ path: issue.path.map(String), fault: faultOf(issue) }))
  const order = new Map(ORDER.map((section, at) => [section, at]))
  return issues
    .map(({ path, fault }) => ({ path: path.join('.'), fault }))
    .toSorted((one, other) => placeOf(one, order) - placeOf(other, order))
}

const serverIssues = z.array(z.object({ path: z.string(), message: z.string() }))

/** The issues of a 422, or null when the problem names none. */
export function issuesOfProblem(body: Readonly<Record<string, unknown>>): SettingsIssue[] | null {
  const issues = serverIssues.safeParse(body['issues'])
  if (!issues.success || issues.data.length === 0) return null
  return issues.data.map(({ path, message }) => ({ path, fault: { kind: 'said', message } }))
}

/** What stands at a dotted path, or undefined. */
export function valueAt(value: unknown, path: string): unknown {
  let at: unknown = value
  for (const part of path.split('.')) {
    const inside = record.safeParse(at)
    if (!inside.success) return undefined
    at = inside.data[part]
  }
  return at
}

const record = z.union([
  z.array(z.unknown()).transform((items) => Object.fromEntries(items.entries())),
  z.record(z.string(), z.unknown()),
])

/** As the sections stand on the page, so that the first issue is the topmost. */
const ORDER = ['services', 'professionals', 'exceptions', 'policy', 'handoff', 'instructions', 'texts']

function placeOf({ path }: SettingsIssue, order: ReadonlyMap<string, number>): number {
  return order.get(path.split('.')[0] ?? '') ?? order.size
}

function faultOf(issue: z.core.$ZodIssue): Fault {
  switch (issue.code) {
    case 'too_small':
      return issue.origin === 'number' || issue.origin === 'int'
        ? { kind: 'least', bound: Number(issue.minimum) }
        : { kind: 'required' }
    case 'too_big':
      if (issue.origin === 'number' || issue.origin === 'int') {
        return { kind: 'most', bound: Number(issue.maximum) }
      }
      return { kind: issue.origin === 'array' ? 'many' : 'long', bound: Number(issue.maximum) }
    case 'invalid_type':
      if (issue.expected === 'int') return { kind: 'whole' }
      return { kind: issue.expected === 'number' ? 'required' : 'format' }
    case 'custom':
      return customFault(issue.path.map(String), issue.message)
    default:
      return { kind: 'format' }
  }
}

/** The document's own rules have no code; where they are broken tells which it was. */
function customFault(path: readonly string[], message: string): Fault {
  const [section, , field, , inner] = path
  if (field === 'key') return { kind: 'repeated' }
  if (section === 'exceptions' && field === 'to') return { kind: 'before' }
  if (field === 'services' || (section === 'exceptions' && field === 'professional'))
    return { kind: 'unknown' }
  const isRange = section === 'handoff' ? path[1] === 'hours' && field !== undefined : field === 'hours'
  if (isRange && inner === undefined) return { kind: 'overlap' }
  if (section === 'timeZone') return { kind: 'format' }
  return { kind: 'said', message }
}
