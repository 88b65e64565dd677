import { createHash } from 'node:crypto'
import { canonicalPhone } from '../../whatsapp/phone.ts'
import type { ChatCustomer, ChatMessage, SimulatorEvent } from './simulator-types.ts'

/** The phones of the simulated customers: who they are and what is on their screens. In memory only. */
export interface ChatStore {
  customers(): readonly ChatCustomer[]
  customer(phone: string): ChatCustomer | null
  customerByBsuid(bsuid: string): ChatCustomer | null
  /** The customer of this number, made when new. */
  ensureCustomer(phone: string, name: string): ChatCustomer
  messages(phone: string): readonly ChatMessage[]
  /** Who a message belongs to; `null` for an id that is on no phone. */
  ownerOf(messageId: string): ChatCustomer | null
  /** Adds the message, or replaces the one with its id, and tells the listeners. */
  put(phone: string, message: ChatMessage): void
  update(phone: string, messageId: string, change: Partial<ChatMessage>): ChatMessage | null
  setTyping(phone: string, typing: boolean): void
  listen(listener: (event: SimulatorEvent) => void): () => void
}

interface Phone {
  customer: ChatCustomer
  readonly messages: Map<string, ChatMessage>
}

export function createChatStore(): ChatStore {
  const phones = new Map<string, Phone>()
  const { emit, listen } = createListeners()

  function find(phone: string): Phone | null {
    return phones.get(canonicalPhone(phone)) ?? null
  }

  function change(phone: string, fields: Partial<ChatCustomer>): void {
    const found = find(phone)
    if (found === null) return
    found.customer = { ...found.customer, ...fields }
    emit({ type: 'customer', customer: found.customer })
  }

  function put(phone: string, message: ChatMessage): void {
    const found = find(phone)
    if (found === null) return
    found.messages.set(message.id, message)
    emit({ type: 'message', phone: found.customer.phone, message })
    const unread = [...found.messages.values()].filter(isUnread).length
    if (unread !== found.customer.unread) change(phone, { unread })
  }

  return {
    put,
    customers: () => [...phones.values()].map(({ customer }) => customer),
    customer: (phone) => find(phone)?.customer ?? null,
    customerByBsuid: (bsuid) =>
      [...phones.values()].find(({ customer }) => customer.bsuid === bsuid)?.customer ?? null,
    ensureCustomer(phone, name) {
      const known = find(phone)
      if (known !== null) return known.customer
      const customer: ChatCustomer = { phone, bsuid: bsuidOf(phone), name, typing: false, unread: 0 }
      phones.set(canonicalPhone(phone), { customer, messages: new Map() })
      emit({ type: 'customer', customer })
      return customer
    },
    messages: (phone) => [...(find(phone)?.messages.values() ?? [])],
    ownerOf: (messageId) =>
      [...phones.values()].find(({ messages }) => messages.has(messageId))?.customer ?? null,
    update(phone, messageId, fields) {
      const message = find(phone)?.messages.get(messageId)
      if (message === undefined) return null
      const updated = { ...message, ...fields }
      put(phone, updated)
      return updated
    },
    setTyping(phone, typing) {
      if (find(phone)?.customer.typing !== typing) change(phone, { typing })
    },
    listen,
  }
}

function createListeners(): Pick<ChatStore, 'listen'> & { emit(event: SimulatorEvent): void } {
  const listeners = new Set<(event: SimulatorEvent) => void>()
  return {
    emit(event) {
      for (const listener of [...listeners]) listener(event)
    },
    listen(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}

function isUnread(message: ChatMessage): boolean {
  return message.side === 'theirs' && message.status !== 'read'
}

/** The same person has the same business-scoped id after a restart of the demo. */
function bsuidOf(phone: string): string {
  const digest = createHash('sha256')
    .update(`simulated person ${canonicalPhone(phone)}`)
    .digest('hex')
  return `BR.${BigInt(`0x${digest.slice(0, 16)}`)}`
}
