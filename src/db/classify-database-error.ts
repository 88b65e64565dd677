/** What went wrong in the database, in words that callers act on. */
type DatabaseErrorKind =
  | 'exclusion'
  | 'unique'
  | 'foreign_key'
  | 'check'
  | 'serialization'
  | 'deadlock'
  | 'connection'
  | 'timeout'
  | 'transaction_aborted'
  | 'other'

export interface DatabaseFailure {
  readonly kind: DatabaseErrorKind
  /** PostgreSQL's five characters, when the server said them. */
  readonly sqlState?: string
  /** Name of the violated constraint, when known. Never the `detail`: that holds row values. */
  readonly constraint?: string
}

const BY_SQL_STATE: Readonly<Record<string, DatabaseErrorKind>> = {
  '23P01': 'exclusion',
  '23505': 'unique',
  '23503': 'foreign_key',
  '23001': 'foreign_key',
  '23514': 'check',
  '40001': 'serialization',
  '40P01': 'deadlock',
  '25P02': 'transaction_aborted',
  // Ended by a limit: statement_timeout (also a cancel by hand), lock_timeout, idle and whole-transaction limits.
  '57014': 'timeout',
  '55P03': 'timeout',
  '25P03': 'timeout',
  '25P04': 'timeout',
  // The server is going away, not up yet, full, or unreachable: another try later may work.
  '57P01': 'connection',
  '57P02': 'connection',
  '57P03': 'connection',
  '57P05': 'connection',
  '53300': 'connection',
  // No such database, no such role, wrong password.
  '3D000': 'connection',
  '28000': 'connection',
  '28P01': 'connection',
}

/** https://www.prisma.io/docs/orm/reference/error-reference */
const BY_PRISMA_CODE: Readonly<Record<string, DatabaseErrorKind>> = {
  P1000: 'connection',
  P1001: 'connection',
  P1002: 'connection',
  P1003: 'connection',
  P1008: 'timeout',
  P1010: 'connection',
  P1011: 'connection',
  P1017: 'connection',
  P2002: 'unique',
  P2003: 'foreign_key',
  P2024: 'connection',
  P2028: 'timeout',
  P2034: 'serialization',
  P2037: 'connection',
}

/** `kind` of an adapter error that has no SQLSTATE of its own. */
const BY_ADAPTER_KIND: Readonly<Record<string, DatabaseErrorKind>> = {
  DatabaseNotReachable: 'connection',
  ConnectionClosed: 'connection',
  SocketTimeout: 'connection',
  TlsConnectionError: 'connection',
  TooManyConnections: 'connection',
  AuthenticationFailed: 'connection',
  DatabaseAccessDenied: 'connection',
  DatabaseDoesNotExist: 'connection',
  TransactionWriteConflict: 'serialization',
  TransactionAlreadyClosed: 'timeout',
  UniqueConstraintViolation: 'unique',
  ForeignKeyConstraintViolation: 'foreign_key',
  RestrictViolation: 'foreign_key',
}

/** node-postgres and its pool raise these without a code; Prisma may put lines of its own before them. */
const CONNECTION_MESSAGE =
  /^(?:timeout exceeded when trying to connect|timeout expired|Connection terminated|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|Query read timeout)/m

const SOCKET_CODE = /^(ECONN|EPIPE$|ETIMEDOUT$|ENOTFOUND$|EAI_AGAIN$|EHOSTUNREACH$|ENETUNREACH$)/

/**
 * Says what kind of failure `error` is, whatever road it took: from a model query (P2002, P2003, P2039 …),
 * a raw query (P2010), the COMMIT of an interactive transaction (a bare `DriverAdapterError`), Prisma's own
 * transaction limits (P2028), or node-postgres (socket errors). Anything else is `other`.
 */
export function classifyDatabaseError(error: unknown): DatabaseFailure {
  const cause = adapterCause(error)
  const code = text(error, 'code')
  const sqlState = text(cause, 'originalCode') ?? text(cause, 'code') ?? sqlStateOf(error, code)
  const kind =
    (sqlState === undefined ? undefined : kindOfSqlState(sqlState)) ??
    lookUp(BY_ADAPTER_KIND, text(cause, 'kind')) ??
    lookUp(BY_PRISMA_CODE, code) ??
    lookUp(BY_PRISMA_CODE, text(error, 'errorCode')) ??
    kindWithoutCode(error, code)
  const constraint = constraintOf(error, cause)
  return {
    kind,
    ...(sqlState === undefined ? {} : { sqlState }),
    ...(constraint === undefined ? {} : { constraint }),
  }
}

function kindOfSqlState(sqlState: string): DatabaseErrorKind | undefined {
  // Class 08 is "connection exception".
  return lookUp(BY_SQL_STATE, sqlState) ?? (sqlState.startsWith('08') ? 'connection' : undefined)
}

function kindWithoutCode(error: unknown, code: string | undefined): DatabaseErrorKind {
  // Not every socket error names the system call: an AggregateError (a host of several addresses) does not.
  if (code !== undefined && SOCKET_CODE.test(code)) return 'connection'
  // A socket's path that does not exist; Prisma keeps the code alone.
  if (
    code === 'ENOENT' &&
    (text(error, 'syscall') === 'connect' || text(error, 'clientVersion') !== undefined)
  ) {
    return 'connection'
  }
  return CONNECTION_MESSAGE.test(text(error, 'message') ?? '') ? 'connection' : 'other'
}

/** The adapter's own description: under `meta` in a known request error, else the cause of a bare one. */
function adapterCause(error: unknown): unknown {
  const inMeta = property(property(property(error, 'meta'), 'driverAdapterError'), 'cause')
  if (inMeta !== undefined) return inMeta
  return text(error, 'name') === 'DriverAdapterError' ? property(error, 'cause') : undefined
}

/** node-postgres errors carry the SQLSTATE as `code`, beside a `severity` that socket errors lack. */
function sqlStateOf(error: unknown, code: string | undefined): string | undefined {
  return text(error, 'severity') === undefined ? undefined : code
}

function constraintOf(error: unknown, cause: unknown): string | undefined {
  const named = text(error, 'constraint') ?? text(property(cause, 'constraint'), 'index')
  if (named !== undefined) return named
  // The adapter keeps no field for the name of an exclusion or check constraint, but PostgreSQL's primary
  // message does; it holds identifiers alone, unlike the detail.
  const message = text(cause, 'originalMessage') ?? text(cause, 'message') ?? ''
  return /constraint "([^"]+)"/.exec(message)?.[1]
}

function lookUp<T>(table: Readonly<Record<string, T>>, key: string | undefined): T | undefined {
  return key !== undefined && Object.hasOwn(table, key) ? table[key] : undefined
}

function text(value: unknown, key: string): string | undefined {
  const found = property(value, key)
  return typeof found === 'string' ? found : undefined
}

function property(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}
