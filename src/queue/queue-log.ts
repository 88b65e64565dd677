import { Logger } from 'graphile-worker'

/** What the queue needs of a logger; pino's fits. Fields carry ids, never payloads or texts of people. */
export interface QueueLog {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/**
 * graphile-worker's logger on top of ours. Its lines on single jobs are left out: they repeat the error's
 * text and stack in the message, where no redaction reaches; the worker pool logs these events itself.
 */
export function graphileLogger(log: QueueLog): Logger {
  return new Logger((scope) => (level, message, meta) => {
    if (meta !== undefined && ('failure' in meta || 'success' in meta)) return
    const err: unknown = meta?.['error']
    const fields = { ...scope, ...(err === undefined ? {} : { err }) }
    if (level === 'error') log.error(fields, message)
    else if (level === 'warning') log.warn(fields, message)
    else if (level === 'info') log.info(fields, message)
    else log.debug(fields, message)
  })
}
