/** A job that used up its attempts. It stays in graphile-worker's table until an operator decides. */
export interface DeadLetter {
  readonly jobId: string
  readonly task: string
  readonly attempts: number
  /** What the last attempt threw; absent when the process died in it. */
  readonly error?: Error
}
