/** A send that reached the loopback Graph API, accepted or not. */
export interface GraphSend {
  /** Made for every attempt; only an accepted one was told it (or may have been, where the answer was lost). */
  readonly wamid: string
  readonly accepted: boolean
  readonly phoneNumberId: string
  readonly token: string
  readonly userAgent: string
  /** Digits of `to`, or `null` for a BSUID. */
  readonly phone: string | null
  readonly bsuid: string | null
  readonly type: string
  /** What the customer reads: the text, or the body of an interactive message; `null` for a template. */
  readonly text: string | null
  /** `biz_opaque_callback_data`. */
  readonly messageId: string | null
  readonly body: Readonly<Record<string, unknown>>
  readonly atMs: number
}

/** A call that marked a customer's message as read. */
export interface GraphRead {
  readonly phoneNumberId: string
  readonly wamid: string
  readonly typing: boolean
  readonly atMs: number
}

/**
 * Scripted misbehaviour of one request. `accept` says whether the message went out all the same: with it, a
 * lost answer is a message the customer has.
 */
export type GraphFault =
  | { readonly kind: 'error'; readonly code: number; readonly httpStatus?: number; readonly details?: string }
  /** An answer that is not Meta's, e.g. a gateway's 502 with HTML. */
  | { readonly kind: 'http'; readonly status: number; readonly body?: string; readonly accept?: boolean }
  /** Reads the body and never answers. */
  | { readonly kind: 'hang'; readonly accept?: boolean }
  /** Reads the body and resets the connection. */
  | { readonly kind: 'reset'; readonly accept?: boolean }
  /** Accepts and tells the listeners at once, but answers late: a status overtakes the answer. */
  | { readonly kind: 'slow'; readonly delayMs: number }

export interface FaultRule {
  /** How often, before the rule is spent. Default 1. */
  readonly times?: number
  readonly when?: (body: Readonly<Record<string, unknown>>) => boolean
}

export interface GraphMedia {
  readonly id: string
  readonly mimeType: string
  readonly bytes: Buffer
}

export interface LoopbackGraphApiOptions {
  /** Default 0: any free port. */
  readonly port?: number
  readonly now?: () => number
  /** Access tokens that count; any non-empty one when left out. */
  readonly tokens?: readonly string[]
  /** Numbers that exist; any when left out. */
  readonly phoneNumberIds?: readonly string[]
  /** Whether free-form text may be sent to this recipient now (131047 otherwise). Default: always. */
  readonly windowOpen?: (recipient: string) => boolean
}

/** Stops a subscription. */
export type Unsubscribe = () => void

export interface LoopbackGraphApi {
  /** For `WHATSAPP_GRAPH_URL`. */
  readonly url: string
  /** Everything that was tried, in order of arrival. */
  readonly attempts: readonly GraphSend[]
  /** What was accepted, in order. */
  readonly sends: readonly GraphSend[]
  readonly reads: readonly GraphRead[]
  /** Adds a rule; the first rule that matches a request decides. */
  script(fault: GraphFault, rule?: FaultRule): void
  clearScript(): void
  onAccepted(listener: (send: GraphSend) => void): Unsubscribe
  onRead(listener: (read: GraphRead) => void): Unsubscribe
  /** Resolves with the first accepted send (past ones count) that matches. @throws Error after the time-out */
  waitForSend(matches?: (send: GraphSend) => boolean, options?: { timeoutMs?: number }): Promise<GraphSend>
  waitForRead(matches?: (read: GraphRead) => boolean, options?: { timeoutMs?: number }): Promise<GraphRead>
  addMedia(media: GraphMedia): void
  /** Media URLs handed out so far answer 404, as after their five minutes. */
  expireMediaUrls(): void
  /** Stops listening, so that connecting is refused, until `resume`. */
  refuse(): Promise<void>
  resume(): Promise<void>
  close(): Promise<void>
}
