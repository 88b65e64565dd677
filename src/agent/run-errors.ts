import { AppError } from '../shared/app-error.ts'

/** Thrown by a `RunStore` (or a tool) that finds the run overtaken: the run ends with status `superseded`. */
export class RunSupersededError extends AppError {
  constructor(message = 'the run was overtaken') {
    super('run_superseded', message)
  }
}

/** What `run` rejects with when its `signal` is aborted; nothing is lost, the run can be resumed. */
export class RunInterruptedError extends AppError {
  constructor(cause?: unknown) {
    super('run_interrupted', 'the run was interrupted by its caller', { cause })
  }
}

/** Carries a failure of the caller's own (`RunStore`, `shouldContinue`) out of the loop unchanged. */
export class HostFailure extends AppError {
  constructor(cause: unknown) {
    super('host_failure', 'the run store or a hook failed', { cause })
  }
}

/** Awaits something of the caller's; its failure leaves the loop, but for `RunSupersededError`. */
export async function fromHost<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof RunSupersededError) throw error
    throw new HostFailure(error)
  }
}
