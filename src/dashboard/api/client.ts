import { z } from 'zod'

const problemBody = z.looseObject({ code: z.string(), detail: z.string() })

/** An answer of the API that is not a success, or none at all (`status` 0, code `network`). */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** The stable word of the problem, e.g. `window_closed`. */
  readonly code: string
  /** The whole problem, with members such as `assignee` or `issues`. */
  readonly body: Readonly<Record<string, unknown>>

  constructor(status: number, code: string, detail: string, body: Readonly<Record<string, unknown>> = {}) {
    super(detail)
    this.status = status
    this.code = code
    this.body = body
  }
}

export type Query = Readonly<Record<string, string | number | undefined>>

export interface CallOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly query?: Query
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}

/**
 * Calls the staff API of this origin and parses the answer.
 * @throws ApiError when it answers with a problem or cannot be reached; ZodError when it breaks its contract.
 */
export async function call<Schema extends z.ZodType>(
  schema: Schema,
  path: string,
  options: CallOptions = {},
): Promise<z.output<Schema>> {
  const { value } = await callWithHeaders(schema, path, options)
  return value
}

/** As `call`, with the headers of the answer (for `ETag`). */
export async function callWithHeaders<Schema extends z.ZodType>(
  schema: Schema,
  path: string,
  options: CallOptions = {},
): Promise<{ value: z.output<Schema>; headers: Headers }> {
  const response = await send(path, options)
  const text = await response.text()
  if (!response.ok) throw problemOf(response.status, text)
  return { value: schema.parse(text === '' ? null : JSON.parse(text)), headers: response.headers }
}

/** The browser refuses to keep a request alive with more than 64 KiB; a character takes up to 3 bytes. */
const MOST_KEPT_ALIVE = 20_000

/** For calls whose answer has no body. */
export const nothing = z.null()

export function withQuery(path: string, query: Query = {}): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') params.set(name, String(value))
  }
  const text = params.toString()
  return text === '' ? path : `${path}?${text}`
}

async function send(path: string, options: CallOptions): Promise<Response> {
  const { method = 'GET', query, body, headers, signal } = options
  const text = body === undefined ? undefined : JSON.stringify(body)
  try {
    return await fetch(withQuery(path, query), {
      method,
      credentials: 'same-origin',
      // What somebody has done still leaves when they close the page.
      keepalive: method !== 'GET' && (text?.length ?? 0) <= MOST_KEPT_ALIVE,
      headers: { ...(text === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(text === undefined ? {} : { body: text }),
      ...(signal === undefined ? {} : { signal }),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiError(0, 'network', 'the server cannot be reached')
  }
}

function problemOf(status: number, text: string): ApiError {
  const parsed = problemBody.safeParse(parseJson(text))
  if (!parsed.success) return new ApiError(status, 'unreadable', `the server answered ${status}`)
  return new ApiError(status, parsed.data.code, parsed.data.detail, parsed.data)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
