import { asRecord, looseList, looseText } from './loose.ts'
import { contactOf, type PersonIds, parseContacts } from './webhook-contact.ts'
import { parseErrors } from './webhook-error.ts'
import { parseHistoryChunk } from './webhook-history.ts'
import { parseMessage } from './webhook-message.ts'
import { parseIdentityChange, parsePreference } from './webhook-people.ts'
import { parseStatus } from './webhook-status.ts'
import type {
  InboundMessage,
  MessageUpdate,
  RawObject,
  WebhookContact,
  WebhookRoute,
  WebhookUpdate,
} from './webhook-types.ts'

/**
 * A webhook body as a flat list of updates, in the order of the body. Never throws and never drops anything:
 * every item is read alone, what is not known becomes `unknown`, what cannot be used `malformed`, each with its
 * raw value and its path. A body holds up to 1,000 updates (Meta), of several tenants and several fields.
 *
 * Which list an item sits in decides what it is, except under two fields: `standby` (another app has the
 * conversation) and `history` (old media sent later), whose `messages[]` must not read as new ones.
 */
export function parseWebhook(body: unknown): WebhookUpdate[] {
  const entries = asRecord(body)?.['entry']
  if (!Array.isArray(entries)) return [{ ...NOWHERE, kind: 'unknown', raw: body }]
  return entries.flatMap((entry: unknown, index) => parseEntry(entry, `entry[${index}]`))
}

const NOWHERE: WebhookRoute = { path: '', field: null, phoneNumberId: null, wabaId: null }

function parseEntry(item: unknown, path: string): WebhookUpdate[] {
  const entry = asRecord(item)
  if (entry === null) return [{ ...NOWHERE, path, kind: 'malformed', raw: item }]
  const wabaId = looseText.parse(entry['id'])
  const changes = entry['changes']
  if (!Array.isArray(changes)) return [{ ...NOWHERE, path, wabaId, kind: 'unknown', raw: item }]
  return changes.flatMap((change: unknown, index) =>
    parseChange(change, { ...NOWHERE, path: `${path}.changes[${index}]`, wabaId }),
  )
}

function parseChange(item: unknown, entryRoute: WebhookRoute): WebhookUpdate[] {
  const change = asRecord(item)
  const value = asRecord(change?.['value'])
  if (change === null || value === null) return [{ ...entryRoute, kind: 'malformed', raw: item }]
  const route: WebhookRoute = {
    path: `${entryRoute.path}.value`,
    field: looseText.parse(change['field']),
    phoneNumberId: looseText.parse(asRecord(value['metadata'])?.['phone_number_id']),
    wabaId: entryRoute.wabaId,
  }
  const updates = parseValue(value, route)
  if (updates.length > 0) return updates
  if (route.field !== null && ACCOUNT_FIELDS.has(route.field)) {
    return [{ ...route, kind: 'account', event: looseText.parse(value['event']), raw: value }]
  }
  return [{ ...route, kind: 'unknown', raw: item }]
}

/** Fields about the account, its numbers and its templates: shown to the owner, no customer in them. */
const ACCOUNT_FIELDS: ReadonlySet<string> = new Set([
  'account_alerts',
  'account_review_update',
  'account_settings_update',
  'account_update',
  'business_capability_update',
  'message_template_components_update',
  'message_template_quality_update',
  'message_template_status_update',
  'phone_number_name_update',
  'phone_number_quality_update',
  'security',
  'template_category_update',
])

type ItemReader = (
  item: unknown,
  route: WebhookRoute,
  contacts: readonly WebhookContact[],
  /** The item is the only one of its list. */
  alone: boolean,
) => WebhookUpdate | WebhookUpdate[] | null

/** The lists a value may hold, each with the reader of one item. */
const LISTS: readonly (readonly [list: string, read: ItemReader])[] = [
  ['messages', (item, route, contacts, alone) => readMessage(item, route, nameless(contacts, alone))],
  ['message_echoes', (item, route, contacts) => readMessage(item, route, { contacts, sole: null }, 'echo')],
  ['statuses', readStatus],
  ['history', parseHistoryChunk],
  ['user_preferences', parsePreference],
  ['user_id_update', parseIdentityChange],
  ['errors', (item, route) => parseErrors([item]).map((error) => ({ ...route, kind: 'error', error }))],
]

function parseValue(value: RawObject, route: WebhookRoute): WebhookUpdate[] {
  const contacts = parseContacts(looseList.parse(value['contacts']))
  return LISTS.flatMap(([list, read]) => {
    const items = looseList.parse(value[list])
    return items.flatMap((item, index): WebhookUpdate | WebhookUpdate[] => {
      const place = { ...route, path: `${route.path}.${list}[${index}]` }
      const update = read(item, place, contacts, items.length === 1)
      const nothing = update === null || (Array.isArray(update) && update.length === 0)
      return nothing ? { ...place, kind: 'malformed', raw: item } : update
    })
  })
}

function messageKind(field: string | null): MessageUpdate['kind'] | 'history' {
  switch (field) {
    case 'standby':
      return 'standby'
    case 'history':
      return 'history'
    case 'smb_message_echoes':
      return 'echo'
    default:
      return 'message'
  }
}

interface People {
  readonly contacts: readonly WebhookContact[]
  /** Who sent a message that names nobody: known only when one message and one contact came together. */
  readonly sole: WebhookContact | null
}

function nameless(contacts: readonly WebhookContact[], alone: boolean): People {
  return { contacts, sole: alone && contacts.length === 1 ? (contacts[0] ?? null) : null }
}

function readMessage(
  item: unknown,
  route: WebhookRoute,
  people: People,
  kind = messageKind(route.field),
): WebhookUpdate | null {
  const message = parseMessage(item)
  if (message === null) return null
  const outbound = kind === 'echo' || (kind === 'history' && message.to !== null)
  const ids = outbound ? recipientIds(message) : senderIds(message)
  const named = ids.waId !== null || ids.bsuid !== null || ids.parentBsuid !== null
  const contact = (named ? null : people.sole) ?? contactOf(ids, people.contacts)
  if (kind === 'history') {
    const direction = outbound ? 'out' : 'in'
    return { ...route, kind, direction, contact, message, deliveryStatus: null }
  }
  return { ...route, kind, contact, message }
}

function senderIds(message: InboundMessage): PersonIds {
  return { waId: message.from, bsuid: message.fromBsuid, parentBsuid: message.fromParentBsuid }
}

function recipientIds(message: InboundMessage): PersonIds {
  return { waId: message.to, bsuid: message.toBsuid, parentBsuid: message.toParentBsuid }
}

function readStatus(item: unknown, route: WebhookRoute, contacts: readonly WebhookContact[]) {
  const parsed = parseStatus(item)
  if (parsed === null) return null
  return {
    ...route,
    kind: 'status' as const,
    contact: contactOf(parsed.recipient, contacts),
    status: parsed.status,
  }
}
