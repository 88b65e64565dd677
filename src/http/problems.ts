import type { FastifyReply } from 'fastify'
import { type Problem, problemSchema } from '../contracts/staff-api.ts'

/** HTTP status of every code that a request can end with. A code that is not here is a fault of ours: 500. */
const STATUS_OF_CODE: Readonly<Record<string, number>> = {
  invalid_request: 400,
  invalid_cursor: 400,
  unauthorized: 401,
  invalid_credentials: 401,
  cross_site: 403,
  forbidden: 403,
  not_found: 404,
  already_claimed: 409,
  wrong_state: 409,
  new_message: 409,
  window_closed: 409,
  customer_opted_out: 409,
  proactive_stopped: 409,
  not_assigned: 409,
  owner_changed: 409,
  phone_number_taken: 409,
  shortcut_taken: 409,
  email_taken: 409,
  last_owner: 409,
  precondition_failed: 412,
  invalid_document: 422,
  encryption_key_missing: 422,
  idempotency_mismatch: 422,
  unknown_placeholder: 422,
  precondition_required: 428,
  too_many_requests: 429,
  too_many_attempts: 429,
  busy: 503,
  database_unavailable: 503,
}

export function statusOfCode(code: string): number {
  return Object.hasOwn(STATUS_OF_CODE, code) ? (STATUS_OF_CODE[code] ?? 500) : 500
}

/** Of the refusals of booking these do not read 422. */
const STATUS_OF_REFUSAL: Readonly<Record<string, number>> = {
  not_found: 404,
  time_taken: 409,
  already_cancelled: 409,
  customer_busy: 409,
  limit_reached: 409,
}

/** HTTP status of a rule of the business that said no (a DomainError's code). */
export function statusOfRefusal(code: string): number {
  return Object.hasOwn(STATUS_OF_REFUSAL, code) ? (STATUS_OF_REFUSAL[code] ?? 422) : 422
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  428: 'Precondition Required',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

const PROBLEM_TYPE = 'application/problem+json'

/**
 * Answers with RFC 9457 `application/problem+json`.
 * @param extra further members, e.g. `issues` or `assignee`.
 */
export function sendProblem(
  reply: FastifyReply,
  status: number,
  code: string,
  detail: string,
  extra: Readonly<Record<string, unknown>> = {},
): FastifyReply {
  const problem: Problem = { type: 'about:blank', title: TITLES[status] ?? 'Error', status, code, detail }
  return reply
    .code(status)
    .header('content-type', `${PROBLEM_TYPE}; charset=utf-8`)
    .serializer(JSON.stringify)
    .send({ ...extra, ...problem })
}

type ProblemStatus = 400 | 401 | 403 | 404 | 409 | 412 | 422 | 428 | 429 | 503

/** The `response` entries of a route that may answer with these problems; `codes` are its own words. */
export function problemResponses<Status extends ProblemStatus>(
  problems: Readonly<Record<Status, string>>,
): Record<Status, { description: string; content: Record<string, { schema: typeof problemSchema }> }>
export function problemResponses(problems: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(problems).map(([status, description]) => [
      status,
      { description, content: { [PROBLEM_TYPE]: { schema: problemSchema } } },
    ]),
  )
}
