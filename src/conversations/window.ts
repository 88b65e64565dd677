export const WINDOW_MS = 24 * 60 * 60_000

/**
 * When the customer-service window closes (epoch ms): 24 hours after the customer's newest message; null when
 * they never wrote. https://developers.facebook.com/docs/whatsapp/cloud-api/guides/send-messages
 */
export function windowClosesAt(conversation: { readonly lastInboundAt: Date | null }): number | null {
  return conversation.lastInboundAt === null ? null : conversation.lastInboundAt.getTime() + WINDOW_MS
}

/** True while free-form messages may be sent. */
export function isWindowOpen(conversation: { readonly lastInboundAt: Date | null }, now: number): boolean {
  const closesAt = windowClosesAt(conversation)
  return closesAt !== null && now < closesAt
}
