import { ApiError } from '../api/client.ts'

/** The words for a refusal: ours for its code, else the server's own; undefined when it said nothing. */
export function messageOfRefusal(
  error: Error,
  explain: (code: string) => string | undefined,
): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  return explain(error.code) ?? (error.status === 0 ? undefined : error.message)
}
