import { AppError } from '../shared/app-error.ts'

/** There is no such conversation for this tenant. */
export function conversationNotFound(): AppError {
  return new AppError('not_found', 'there is no such conversation')
}

/** The conversation's status does not allow the step, or not for this person. */
export function wrongState(): AppError {
  return new AppError('wrong_state', 'the conversation is not in a state that allows this')
}

/** The customer wrote something that whoever takes the step has not seen. */
export function newMessage(): AppError {
  return new AppError('new_message', 'the customer has written since; read it first')
}

/** What the bot wants to write belongs to an owner that is no longer: its run was overtaken. */
export function ownerChanged(): AppError {
  return new AppError('owner_changed', 'the conversation changed hands in between')
}

/** A channel named nobody. */
export function identityMissing(): AppError {
  return new AppError('identity_missing', 'a customer has at least one identity')
}
