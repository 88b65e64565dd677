import type { z } from 'zod'
import { AppError } from '../shared/app-error.ts'

/** One place in a tenant document that is wrong. `path` is dotted, e.g. `services.0.durationMinutes`. */
export interface DocumentIssue {
  readonly path: string
  readonly message: string
}

/** The tenant document cannot be applied; nothing was changed. */
export class InvalidDocumentError extends AppError {
  readonly issues: readonly DocumentIssue[]

  constructor(issues: readonly DocumentIssue[]) {
    const told = issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
    super('invalid_document', told.join('\n'))
    this.issues = issues
  }
}

/** Another tenant has this phone number. */
export function phoneNumberTaken(cause: unknown): AppError {
  return new AppError('phone_number_taken', 'channel.phoneNumberId belongs to another tenant', { cause })
}

/** A channel token has to be read or written, and there is no key to do it with. */
export function encryptionKeyMissing(): AppError {
  return new AppError('encryption_key_missing', 'ENCRYPTION_KEY is not set: channel tokens cannot be stored')
}

/** Somebody changed the tenant in between: the change was made from what is no more. */
export function preconditionFailed(): AppError {
  return new AppError('precondition_failed', 'the settings were changed in between: read them again')
}

/** Who asks is not told which of tenant, e-mail and password was wrong. */
export function invalidCredentials(): AppError {
  return new AppError('invalid_credentials', 'tenant, e-mail or password is wrong')
}

/** Refused for now: the same may be asked again when `retryAfterSeconds` have passed. */
export class RetryLaterError extends AppError {
  readonly retryAfterSeconds: number

  constructor(code: string, message: string, retryAfterSeconds: number) {
    super(code, message)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The account is closed for logins until `retryAfterSeconds` have passed. */
export class TooManyAttemptsError extends RetryLaterError {
  constructor(retryAfterSeconds: number) {
    super('too_many_attempts', 'too many failed logins: try again later', retryAfterSeconds)
  }
}

/** Every issue of a failed parse with its path; a property that is not known is named itself. */
export function issuesOf(error: z.ZodError): DocumentIssue[] {
  return error.issues.flatMap((issue) => {
    const path = issue.path.map(String)
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({ path: [...path, key].join('.'), message: 'is not known' }))
    }
    return [{ path: path.join('.'), message: issue.message }]
  })
}
