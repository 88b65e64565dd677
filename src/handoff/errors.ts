import { AppError } from '../shared/app-error.ts'

/** Somebody has the conversation already; it may be the one who asks. */
export class AlreadyClaimedError extends AppError {
  /** What the answer shows beside the code. */
  readonly facts: { readonly assignee: { readonly id: string; readonly name: string } }

  constructor(assignee: { readonly id: string; readonly name: string }) {
    super('already_claimed', 'somebody has this conversation already')
    this.facts = { assignee: { id: assignee.id, name: assignee.name } }
  }
}

/** Only the person a conversation is assigned to writes in it. */
export function notAssigned(): AppError {
  return new AppError('not_assigned', 'the conversation is not assigned to you')
}

/** The customer's 24 hours are over: free text would be refused by the channel. */
export function windowClosed(): AppError {
  return new AppError(
    'window_closed',
    'the customer wrote more than 24 hours ago: only an approved template can be sent',
  )
}

/** The customer wants nothing that they did not ask for, and a template outside the window would be that. */
export function customerOptedOut(): AppError {
  return new AppError(
    'customer_opted_out',
    'the customer asked for no messages of this kind: they can be answered within 24 hours of their own message',
  )
}

/** The channel reported the number as spam: templates outside the window stay until the owner resumes them. */
export function proactiveStopped(): AppError {
  return new AppError(
    'proactive_stopped',
    'WhatsApp stopped templates of this number outside the 24-hour window: the owner can resume them',
  )
}
