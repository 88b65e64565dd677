import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { classifyDatabaseError } from '../../db/index.ts'
import { describeError } from '../../observability/logger.ts'
import { AppError, DomainError } from '../../shared/app-error.ts'
import { InvalidDocumentError, RetryLaterError } from '../../tenancy/errors.ts'
import { sendProblem, statusOfCode, statusOfRefusal } from '../problems.ts'
import { requestIssues } from '../request-issues.ts'

/** One place that turns whatever a handler threw into a problem document. */
export const errorsPlugin = fp(
  (app, _options, done) => {
    app.setNotFoundHandler((_request, reply) =>
      sendProblem(reply, 404, 'not_found', 'There is nothing at this address.'),
    )
    app.setErrorHandler<FastifyError>(answerError)
    done()
  },
  { name: 'errors' },
)

/** Answers with the problem document of an error; for what the framework itself refuses too. */
export function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  if (hasZodFastifySchemaValidationErrors(error)) {
    const issues = requestIssues(error.validation)
    const told = issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
    sendProblem(reply, 400, 'invalid_request', told.join('; '), { issues })
    return
  }
  if (error instanceof DomainError) {
    const detail = [error.message, error.suggestion].filter((part) => part !== '').join(' ')
    sendProblem(reply, statusOfRefusal(error.code), error.code, detail, error.facts)
    return
  }
  if (error instanceof AppError) {
    const status = statusOfCode(error.code)
    if (status < 500 || error instanceof RetryLaterError) {
      if (status === 401) reply.header('www-authenticate', 'Bearer')
      if (error instanceof RetryLaterError) reply.header('retry-after', error.retryAfterSeconds)
      sendProblem(reply, status, error.code, error.message, membersOf(error))
      return
    }
  } else if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    sendProblem(reply, error.statusCode, codeOfFastify(error), clientMessage(error))
    return
  }
  answerFault(error, request, reply)
}

function answerFault(error: Error, request: FastifyRequest, reply: FastifyReply): void {
  const { kind, sqlState } = classifyDatabaseError(error)
  if (sqlState === '22021' || sqlState === '22P05') {
    sendProblem(reply, 400, 'invalid_request', 'The request holds a character that no text may hold (NUL).')
    return
  }
  const isAway = error instanceof AppError && statusOfCode(error.code) === 503
  if (kind === 'connection' || kind === 'timeout' || isAway) {
    request.log.error({ err: describeError(error) }, 'the database did not answer')
    sendProblem(reply, 503, 'database_unavailable', 'The service cannot reach its database. Try again.')
    return
  }
  request.log.error({ err: describeError(error) }, 'a request failed')
  sendProblem(reply, 500, 'internal', 'Something failed here. It was logged under this request.', {
    requestId: request.id,
  })
}

/** What the error says beside its code: `issues` of a document, the `assignee` of a lost claim. */
function membersOf(error: AppError): Readonly<Record<string, unknown>> {
  if (error instanceof InvalidDocumentError) return { issues: error.issues }
  return 'facts' in error && typeof error.facts === 'object' && error.facts !== null ? { ...error.facts } : {}
}

function codeOfFastify(error: FastifyError): string {
  switch (error.statusCode) {
    case 413:
      return 'body_too_large'
    case 415:
      return 'unsupported_media_type'
    default:
      return 'invalid_request'
  }
}

function clientMessage(error: FastifyError): string {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return 'The body is larger than this route takes.'
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return 'This route takes application/json.'
    case 'FST_ERR_BAD_URL':
      return 'The address is not a valid URL.'
    default:
      // The parser refuses both in the same words.
      return error instanceof SyntaxError || error.code === 'FST_ERR_CTP_INVALID_JSON_BODY'
        ? 'The body is not valid JSON, or holds a key that is not allowed (__proto__, constructor).'
        : 'The request was refused.'
  }
}
