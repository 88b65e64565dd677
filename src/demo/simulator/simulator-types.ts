/** Sides of a chat as the customer's phone shows it. */
export type ChatSide = 'mine' | 'theirs'

export interface ChatOption {
  /** The id on the wire, as the product sent it. */
  readonly id: string
  readonly title: string
  readonly description: string | null
}

export interface ChatChoices {
  /** How they are shown: under the bubble, or behind a label that opens a sheet. */
  readonly kind: 'buttons' | 'list' | 'template_buttons'
  readonly label: string | null
  readonly options: readonly ChatOption[]
}

export interface ChatMessage {
  /** The wamid. */
  readonly id: string
  readonly side: ChatSide
  readonly text: string
  readonly atMs: number
  /**
   * Mine: `sending`, `delivered` once the product's webhook took it (`failed` when it did not), `read` once the
   * product said so. Theirs: `delivered`, then `read` when the chat was looked at.
   */
  readonly status: 'sending' | 'delivered' | 'read' | 'failed'
  readonly choices: ChatChoices | null
  /** The option that was tapped, of a message with choices. */
  readonly chosenId: string | null
  /** The message this one answers. */
  readonly quotedId: string | null
}

export interface ChatCustomer {
  /** Digits with country code. */
  readonly phone: string
  readonly bsuid: string
  readonly name: string
  /** The business is shown as typing. */
  readonly typing: boolean
  readonly unread: number
}

/** What the page is told, live. `state` comes first on every connection and holds everything. */
export type SimulatorEvent =
  | { readonly type: 'customer'; readonly customer: ChatCustomer }
  | { readonly type: 'message'; readonly phone: string; readonly message: ChatMessage }
