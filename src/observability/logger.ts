import { type Logger as PinoLogger, pino } from 'pino'

export type Logger = PinoLogger

/**
 * Property names that hold people or secrets, wherever they stand. Logs carry ids: this is the net under
 * that rule, not the rule.
 */
const SENSITIVE = [
  'phone',
  'address',
  'name',
  'email',
  'text',
  'body',
  'password',
  'token',
  'accessToken',
  'authorization',
  'cookie',
  'x-hub-signature-256',
  'input',
  'result',
  'content',
  'detail',
  'parameters',
  'where',
  'query',
]

/**
 * The process's logger: one JSON object a line on standard output.
 * @param level pino's level; `silent` for tests.
 */
export function createLogger(level: string, destination?: { write(line: string): void }): Logger {
  const options = {
    level,
    redact: {
      paths: SENSITIVE.flatMap((key) => [`["${key}"]`, `*["${key}"]`, `*.*["${key}"]`]),
      censor: '[redacted]',
    },
    serializers: { err: serializeError, error: serializeError },
    formatters: { level: (label: string) => ({ level: label }) },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}

interface ErrorDescription {
  readonly type: string
  readonly code?: string
  readonly stack: string[]
  readonly cause?: ErrorDescription
}

/** A raw error is described; what is described already stays. */
function serializeError(value: unknown): unknown {
  const isDescription =
    typeof value === 'object' && value !== null && !(value instanceof Error) && 'stack' in value
  return isDescription ? value : describeError(value)
}

/**
 * An error as the log may hold it: its kind, its code and where it happened. The message is left out: it
 * may hold row values, a customer's words or SQL (a unique violation of PostgreSQL names the values).
 */
export function describeError(error: unknown, depth = 0): ErrorDescription {
  if (!(error instanceof Error)) return { type: typeof error, stack: [] }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return {
    type: error.name,
    ...(code === undefined ? {} : { code }),
    stack: frames.slice(0, 12).map((line) => line.trim()),
    ...(error.cause === undefined || depth >= 3 ? {} : { cause: describeError(error.cause, depth + 1) }),
  }
}
