/** Whose turn it is. Tools take their scope from here and never from the model's input. */
export interface ReceptionContext {
  readonly tenantId: string
  readonly customerId: string
  readonly conversationId: string
  /** ISO 4217. */
  readonly currency: string
}
