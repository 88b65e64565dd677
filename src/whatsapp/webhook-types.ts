/**
 * What a webhook body becomes: a flat list of updates, each on its own feet. Absent is `null` throughout
 * (Meta leaves fields out, sends them empty, or sends `null`: all three are `null` here), and `raw` keeps the
 * item exactly as it came, so that nothing unknown is ever lost.
 */
export type WebhookUpdate =
  | MessageUpdate
  | StatusUpdate
  | HistoryUpdate
  | PreferenceUpdate
  | IdentityUpdate
  | AccountUpdate
  | ErrorUpdate
  | UnknownUpdate
  | MalformedUpdate

export type RawObject = Readonly<Record<string, unknown>>

/** Where an update belongs: by number where the body names one, otherwise by account (`entry[].id`). */
export interface WebhookRoute {
  /** Place in the body, e.g. `entry[0].changes[1].value.messages[3]`. */
  readonly path: string
  readonly field: string | null
  readonly phoneNumberId: string | null
  readonly wabaId: string | null
}

/** A person as Meta names them. Phone digits as given (never rewritten: answers go to this form). */
export interface WebhookContact {
  readonly name: string | null
  readonly username: string | null
  readonly waId: string | null
  readonly bsuid: string | null
  readonly parentBsuid: string | null
}

/**
 * `message`: from a customer to the business. `echo`: typed by a person on the business's own phone; `contact`
 * is then the customer it went to. `standby`: another app has the conversation; observe only.
 */
export interface MessageUpdate extends WebhookRoute {
  readonly kind: 'message' | 'echo' | 'standby'
  readonly contact: WebhookContact
  readonly message: InboundMessage
}

/** One message of the chat history that a business shared; imported quietly. */
export interface HistoryUpdate extends WebhookRoute {
  readonly kind: 'history'
  /** `in`: written by the customer; `out`: by the business. */
  readonly direction: 'in' | 'out'
  readonly contact: WebhookContact
  readonly message: InboundMessage
  /** `history_context.status`, lower case (`read`, `delivered`, `error`, …). */
  readonly deliveryStatus: string | null
}

export interface StatusUpdate extends WebhookRoute {
  readonly kind: 'status'
  readonly contact: WebhookContact
  readonly status: DeliveryStatus
}

export interface PreferenceUpdate extends WebhookRoute {
  readonly kind: 'preference'
  readonly contact: WebhookContact
  readonly category: string | null
  /** `stop` or `resume`; any other word is kept as it came. */
  readonly value: string
  readonly atMs: number | null
  readonly raw: RawObject
}

/** A customer's business-scoped ids changed (`user_id_update`): the internal customer stays, the key moves. */
export interface IdentityUpdate extends WebhookRoute {
  readonly kind: 'identity'
  readonly contact: WebhookContact
  readonly previousBsuid: string | null
  readonly currentBsuid: string | null
  readonly previousParentBsuid: string | null
  readonly currentParentBsuid: string | null
  readonly atMs: number | null
  readonly raw: RawObject
}

/** Something about the account, the number or a template; stored and shown to the owner. */
export interface AccountUpdate extends WebhookRoute {
  readonly kind: 'account'
  readonly event: string | null
  readonly raw: RawObject
}

/** `value.errors[]`: Meta could not deliver something and says so outside of any message. */
export interface ErrorUpdate extends WebhookRoute {
  readonly kind: 'error'
  readonly error: WebhookError
}

/** A field, or a value, that this version does not know. */
export interface UnknownUpdate extends WebhookRoute {
  readonly kind: 'unknown'
  readonly raw: unknown
}

/** An item without the least that makes it usable (an object with an id). */
export interface MalformedUpdate extends WebhookRoute {
  readonly kind: 'malformed'
  readonly raw: unknown
}

export interface InboundMessage {
  readonly wamid: string
  /** Meta's type word as it came (`interactive`, `text`, …); `content.type` is the product's reading of it. */
  readonly type: string
  /** Meta's time, one-second resolution. */
  readonly sentAtMs: number | null
  readonly from: string | null
  readonly fromBsuid: string | null
  readonly fromParentBsuid: string | null
  /** Only in echoes and history: the customer the business wrote to. */
  readonly to: string | null
  readonly toBsuid: string | null
  readonly toParentBsuid: string | null
  readonly groupId: string | null
  readonly context: MessageContext | null
  readonly referral: RawObject | null
  readonly content: InboundContent
  readonly raw: RawObject
}

export interface MessageContext {
  /** The message this one answers or reacts to. */
  readonly wamid: string | null
  readonly from: string | null
  readonly forwarded: boolean
  readonly frequentlyForwarded: boolean
  readonly raw: RawObject
}

export type MediaKind = 'image' | 'document' | 'audio' | 'video' | 'sticker'

export type InboundContent =
  | { readonly type: 'text'; readonly body: string }
  | {
      readonly type: 'button_reply' | 'list_reply'
      readonly id: string
      readonly title: string
      readonly description: string | null
    }
  | {
      readonly type: 'flow_reply'
      readonly name: string | null
      readonly body: string | null
      /** As sent: a string that should hold JSON. */
      readonly responseJson: string | null
      /** Parsed, whatever it holds; `null` when it is not JSON. */
      readonly response: unknown
    }
  | { readonly type: 'template_button'; readonly payload: string | null; readonly text: string }
  | {
      readonly type: MediaKind
      readonly mediaId: string
      readonly mimeType: string | null
      readonly sha256: string | null
      readonly caption: string | null
      readonly filename: string | null
      /** A voice note recorded in the chat, not an audio file. */
      readonly voice: boolean
    }
  | {
      readonly type: 'contacts'
      readonly contacts: readonly { readonly name: string | null; readonly phones: readonly string[] }[]
    }
  | {
      readonly type: 'location'
      readonly latitude: number
      readonly longitude: number
      readonly name: string | null
      readonly address: string | null
    }
  | { readonly type: 'order'; readonly itemCount: number; readonly text: string | null }
  /** `emoji: null` takes the reaction back. */
  | { readonly type: 'reaction'; readonly wamid: string; readonly emoji: string | null }
  /** `text: null`: the new content is not text or caption. */
  | { readonly type: 'edit'; readonly wamid: string; readonly text: string | null }
  | { readonly type: 'revoke'; readonly wamid: string }
  | {
      readonly type: 'system'
      /** `user_changed_number`, `user_changed_user_id`, or another word as it came. */
      readonly event: string | null
      readonly body: string | null
      readonly newPhone: string | null
      readonly newBsuid: string | null
      readonly newParentBsuid: string | null
    }
  | { readonly type: 'unsupported'; readonly errors: readonly WebhookError[] }
  /** A type this version does not know, or a known one whose payload is not what it should be. */
  | { readonly type: 'unknown' }

export interface DeliveryStatus {
  readonly wamid: string
  /** `sent`, `delivered`, `read`, `played`, `failed`; any other word is kept as it came. */
  readonly status: string
  readonly atMs: number | null
  readonly groupId: string | null
  /** `biz_opaque_callback_data`: our message id, when the send carried it. */
  readonly messageId: string | null
  readonly errors: readonly WebhookError[]
  readonly pricing: RawObject | null
  readonly raw: RawObject
}

export interface WebhookError {
  readonly code: number
  /** `error_data.details`, else `message`, else `title`. */
  readonly detail: string
  readonly raw: RawObject
}
