import { asRecord, looseList, looseText } from './loose.ts'
import { contactOf } from './webhook-contact.ts'
import { parseErrors } from './webhook-error.ts'
import { parseMessage } from './webhook-message.ts'
import type { HistoryUpdate, WebhookContact, WebhookRoute, WebhookUpdate } from './webhook-types.ts'

/**
 * One item of `value.history[]`: threads, each with a customer's number as its id, or errors (the owner declined
 * to share: code 2593109). A chunk may hold neither and only tell the progress; it is kept as `unknown`.
 */
export function parseHistoryChunk(
  item: unknown,
  route: WebhookRoute,
  contacts: readonly WebhookContact[],
): WebhookUpdate[] {
  const chunk = asRecord(item)
  if (chunk === null) return [{ ...route, kind: 'malformed', raw: item }]
  const errors = parseErrors(looseList.parse(chunk['errors']))
  const threads = looseList.parse(chunk['threads'])
  if (errors.length === 0 && threads.length === 0) return [{ ...route, kind: 'unknown', raw: item }]
  return [
    ...errors.map((error) => ({ ...route, kind: 'error' as const, error })),
    ...threads.flatMap((thread, index) =>
      parseThread(thread, { ...route, path: `${route.path}.threads[${index}]` }, contacts),
    ),
  ]
}

function parseThread(
  item: unknown,
  route: WebhookRoute,
  contacts: readonly WebhookContact[],
): WebhookUpdate[] {
  const thread = asRecord(item)
  if (thread === null) return [{ ...route, kind: 'malformed', raw: item }]
  const context = asRecord(thread['context'])
  const customer = {
    waId: looseText.parse(context?.['wa_id']) ?? looseText.parse(thread['id']),
    bsuid: looseText.parse(context?.['user_id']),
    parentBsuid: looseText.parse(context?.['parent_user_id']),
  }
  const named = contactOf(customer, contacts)
  const username = named.username ?? looseText.parse(context?.['username'])
  return looseList.parse(thread['messages']).map((message, index) => {
    const place = { ...route, path: `${route.path}.messages[${index}]` }
    return parseHistoryMessage(message, place, { ...named, username })
  })
}

/** The business's own messages carry `to`, or come from somebody who is not the thread's customer. */
function parseHistoryMessage(
  item: unknown,
  route: WebhookRoute,
  contact: WebhookContact,
): HistoryUpdate | WebhookUpdate {
  const message = parseMessage(item)
  if (message === null) return { ...route, kind: 'malformed', raw: item }
  const outbound =
    message.to !== null ||
    message.toBsuid !== null ||
    (message.from !== null && message.from !== contact.waId)
  const status = looseText.parse(asRecord(message.raw['history_context'])?.['status'])
  return {
    ...route,
    kind: 'history',
    direction: outbound && message.fromBsuid === null ? 'out' : 'in',
    contact,
    message,
    deliveryStatus: status?.toLowerCase() ?? null,
  }
}
