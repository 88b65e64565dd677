/**
 * Errors that the product raises on purpose. `code` is a stable word, `message` is safe to show to an
 * operator (it never holds another customer's data), `cause` keeps what happened underneath for the log.
 */
export class AppError extends Error {
  readonly code: string

  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = new.target.name
    this.code = code
  }
}

/**
 * A rule of the business said no. `message` and `suggestion` are written in the tenant's locale for the
 * model (or a person of the staff) to act on; `facts` holds the same as data for programs.
 */
export class DomainError extends AppError {
  /** The next step that helps, in the tenant's locale; empty when the message says it all. */
  readonly suggestion: string
  readonly facts: Readonly<Record<string, unknown>>

  constructor(
    code: string,
    message: string,
    options: { suggestion?: string; facts?: Readonly<Record<string, unknown>>; cause?: unknown } = {},
  ) {
    super(code, message, options.cause === undefined ? undefined : { cause: options.cause })
    this.suggestion = options.suggestion ?? ''
    this.facts = options.facts ?? {}
  }
}

/** Something outside (database, API) failed; trying again later may help, the request itself was fine. */
export class InfrastructureError extends AppError {}
