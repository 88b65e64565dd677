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
