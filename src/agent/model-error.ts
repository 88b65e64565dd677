import { AppError } from '../shared/app-error.ts'
import type { ModelErrorKind } from './types.ts'

/**
 * A model request that gave no message.
 * - `unreachable`: refused, reset, timed out, 5xx, 529, 429, after the adapter's own retries
 * - `deadline`: aborted by the signal it was given
 * - `not_allowed`: the key, its permissions or its money (401, 402, 403, a spend limit); trying again is useless
 * - `bad_request`: the request is wrong (400 and its kin): a bug of ours
 * - `bug`: anything unforeseen
 * The message is ours and holds no text of the API's: that may quote the request.
 */
export class ModelError extends AppError {
  readonly kind: ModelErrorKind
  readonly status: number | null
  readonly apiCode: string | null
  readonly requestId: string | null

  constructor(
    kind: ModelErrorKind,
    details: {
      status?: number | null
      apiCode?: string | null
      requestId?: string | null
      cause?: unknown
    } = {},
  ) {
    super(`model_${kind}`, `the model request ended as ${kind}`, { cause: details.cause })
    this.kind = kind
    this.status = details.status ?? null
    this.apiCode = details.apiCode ?? null
    this.requestId = details.requestId ?? null
  }
}
