/**
 * What leaves for a customer, in the product's words; the channel (src/whatsapp) turns it into its own
 * wire format and enforces its own limits.
 */
export type OutboundContent =
  | {
      readonly kind: 'text'
      readonly text: string
      /** Written by a person, or formatted already: goes out letter for letter. Otherwise the text is markdown. */
      readonly verbatim?: boolean
    }
  | {
      readonly kind: 'choices'
      readonly text: string
      readonly choices: readonly OutboundChoice[]
    }
  | TemplateContent

/** An approved template: the only content that may leave while the 24-hour window is closed. */
export interface TemplateContent {
  readonly kind: 'template'
  readonly name: string
  readonly language: string
  readonly components: readonly unknown[]
}

export interface OutboundChoice {
  /** Chosen by the model or by us; on the wire `c:` marks the model's, `a:` ours. */
  readonly id: string
  /** `product`: `id` is a signed action id of ours and travels as it is. Default `model`. */
  readonly origin?: 'model' | 'product'
  readonly title: string
  readonly description?: string
}

/** The tenant's number: everything the channel needs to act for it. */
export interface ChannelAccount {
  readonly tenantId: string
  readonly channelId: string
  readonly phoneNumberId: string
  readonly wabaId: string
  /** Decrypted access token; never logged. */
  readonly accessToken: string
}

/** Where a customer is reached: the form they wrote from, phone digits (no plus) or a BSUID. */
export type Recipient =
  | { readonly kind: 'phone'; readonly phone: string }
  | { readonly kind: 'bsuid'; readonly bsuid: string }

export interface OutboundRequest {
  readonly account: ChannelAccount
  readonly to: Recipient
  readonly content: OutboundContent
  /** Our message id; travels as `biz_opaque_callback_data`, so that statuses find their row. */
  readonly messageId: string
  readonly locale: string
}

export interface ChannelError {
  /** The channel's own code (Meta's `error.code`), or 0 where there was none. */
  readonly code: number
  readonly detail: string
}

/**
 * What became of one attempt to send. The caller (the drain job) acts on `kind` alone:
 * accepted: has the channel's id · retry: certainly not sent, try again, at most `maxAttempts` ·
 * backoff: refused for rate at `scope` · unknown: may have been sent, wait for a status ·
 * rejected: never retry, show it to the staff · window_closed · pause_channel: nothing on this channel can be
 * sent until its token or account is mended · account_unusable: this process has no token for it.
 */
export type SendOutcome =
  | { readonly kind: 'accepted'; readonly wamid: string }
  | { readonly kind: 'retry'; readonly error: ChannelError; readonly maxAttempts: number }
  | {
      readonly kind: 'backoff'
      readonly scope: 'app' | 'waba' | 'number' | 'recipient'
      readonly error: ChannelError
    }
  | { readonly kind: 'unknown'; readonly error: ChannelError }
  | {
      readonly kind: 'rejected'
      readonly error: ChannelError
      readonly alert: boolean
      readonly optOut: boolean
      readonly disableTemplate: boolean
    }
  | { readonly kind: 'window_closed'; readonly error: ChannelError }
  | { readonly kind: 'stop_proactive'; readonly error: ChannelError }
  | { readonly kind: 'pause_channel'; readonly error: ChannelError }
  | { readonly kind: 'account_unusable'; readonly error: ChannelError }

/** The port that src/whatsapp implements and the drain job uses. */
export interface OutboundChannel {
  /** Never throws for what the channel or the network did: that is an outcome. */
  send(request: OutboundRequest): Promise<SendOutcome>
  /** Marks the customer's message as read and shows "typing…"; best effort, a failure is `false`. */
  markRead(account: ChannelAccount, wamid: string, options: { typing: boolean }): Promise<boolean>
  /** What a refusal means that came afterwards, in a status: the same as in the answer to a send. */
  outcomeOf(refusal: ChannelError): SendOutcome
}
