/**
 * The `Model` port over `messages.create` of the Anthropic SDK: a plain request and its answer, nothing kept at
 * the provider. Retries of the network are the SDK's (two, with its backoff), bounded by the caller's signal. Where
 * waiting mends nothing there are none: a spend limit comes as 429, which the SDK would ask again.
 */
import Anthropic from '@anthropic-ai/sdk'
import type { MessageCreateParamsNonStreaming } from '@anthropic-ai/sdk/resources/messages/messages.js'
import { ModelError } from './model-error.ts'
import type { Model, ModelErrorKind, ModelRequest, ModelResponse } from './types.ts'

export interface AnthropicModelOptions {
  apiKey: string
  /** Default: the SDK's, `https://api.anthropic.com`. */
  baseURL?: string
  /**
   * Of one network attempt, milliseconds. Three of them with the backoff between should fit into the run's
   * duration: otherwise an API that hangs is a deadline and never an outage. Default 18,000.
   */
  timeoutMs?: number
  /** Default 2. */
  maxRetries?: number
}

const DEFAULT_TIMEOUT_MS = 18_000

export function createAnthropicModel(options: AnthropicModelOptions): Model {
  const client = new Anthropic({
    apiKey: options.apiKey,
    authToken: null,
    timeout: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    maxRetries: options.maxRetries ?? 2,
    logLevel: 'off',
    fetch: fetchWithoutVainRetries,
    // The loop makes the spans itself, and without content.
    openTelemetry: false,
    ...(options.baseURL === undefined ? {} : { baseURL: options.baseURL }),
  })
  return {
    complete: async (request, { signal }) => {
      try {
        const message: unknown = await client.messages.create(toBody(request), { signal })
        if (!isMessage(message)) throw new ModelError('unreachable', { apiCode: 'not_a_message' })
        return message
      } catch (error) {
        throw toModelError(error)
      }
    },
  }
}

/** `tool_choice` without tools is refused with 400. */
function toBody(request: ModelRequest): MessageCreateParamsNonStreaming {
  if (request.tools.length > 0) return request
  const { tools: _tools, tool_choice: _choice, ...body } = request
  return body
}

/** The key, its permissions or its money. */
const NOT_ALLOWED: readonly number[] = [401, 402, 403]

/**
 * The SDK decides by status before it reads a body, but obeys `x-should-retry`: an answer that no waiting mends is
 * handed on with it. A body that breaks off is a lost answer to the SDK, as any other.
 */
async function fetchWithoutVainRetries(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request)
  const { status, statusText } = response
  if (status !== 429 && !NOT_ALLOWED.includes(status)) return response
  const body = await response.text()
  const headers = new Headers(response.headers)
  if (status !== 429 || saysSpent(body)) headers.set('x-should-retry', 'false')
  // They are of the body as it was sent; this one is decoded.
  headers.delete('content-encoding')
  headers.delete('content-length')
  return new Response(body, { status, statusText, headers })
}

/** `{ error: { type, details: { error_code } } }`, https://platform.claude.com/docs/en/api/errors */
function saysSpent(body: string): boolean {
  try {
    const { error }: { error?: unknown } = JSON.parse(body)
    if (!isRecord(error)) return false
    const { type, details } = error
    return isSpent(type, isRecord(details) ? details['error_code'] : null)
  } catch {
    return false
  }
}

/** Codes (`error.details.error_code`) of a 429 that no waiting mends: the money of the month is spent. */
const SPENT = new Set(['contract_spend_limit_reached', 'enforced_spend_limit_reached'])

/**
 * What each error class of the SDK (1.14) means to the loop. The first row that fits counts: an
 * `APIConnectionTimeoutError` is an `APIConnectionError`, and every one of them an `APIError`.
 */
const MEANINGS: readonly (readonly [(error: unknown) => boolean, ModelErrorKind])[] = [
  [(error) => error instanceof Anthropic.APIUserAbortError, 'deadline'],
  [(error) => error instanceof Anthropic.APIConnectionError, 'unreachable'],
  [isSpendLimit, 'not_allowed'],
  [(error) => hasStatus(error, NOT_ALLOWED), 'not_allowed'],
  [(error) => hasStatus(error, [408, 409, 429, 499]), 'unreachable'],
  [(error) => error instanceof Anthropic.InternalServerError, 'unreachable'],
  [(error) => error instanceof Anthropic.APIError, 'bad_request'],
]

/** The SDK's error as a `ModelError`. Its text stays behind in `cause`: it may quote the request. */
export function toModelError(error: unknown): ModelError {
  if (error instanceof ModelError) return error
  const kind = MEANINGS.find(([fits]) => fits(error))?.[1] ?? 'bug'
  if (!(error instanceof Anthropic.APIError)) return new ModelError(kind, { cause: error })
  return new ModelError(kind, {
    status: error.status ?? null,
    apiCode: error.errorCode ?? error.type,
    requestId: error.requestID ?? null,
    cause: error,
  })
}

function isSpendLimit(error: unknown): boolean {
  if (!(error instanceof Anthropic.APIError)) return false
  return isSpent(error.type, error.errorCode)
}

function isSpent(type: unknown, errorCode: unknown): boolean {
  return type === 'billing_error' || (typeof errorCode === 'string' && SPENT.has(errorCode))
}

function hasStatus(error: unknown, statuses: readonly number[]): boolean {
  return error instanceof Anthropic.APIError && statuses.includes(error.status ?? 0)
}

/** Enough to know that an answer is the API's own and not, say, a proxy's page. */
function isMessage(value: unknown): value is ModelResponse {
  if (!isRecord(value) || !isRecord(value['usage'])) return false
  const { id, model, role, content, stop_reason: stopReason, usage } = value
  return (
    typeof id === 'string' &&
    typeof model === 'string' &&
    role === 'assistant' &&
    (stopReason === null || typeof stopReason === 'string') &&
    typeof usage['input_tokens'] === 'number' &&
    typeof usage['output_tokens'] === 'number' &&
    Array.isArray(content) &&
    content.every((block) => isRecord(block) && typeof block['type'] === 'string')
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
