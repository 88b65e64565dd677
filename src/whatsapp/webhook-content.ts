import { z } from 'zod'
import { asRecord, looseFlag, looseList, looseText } from './loose.ts'
import { parseErrors } from './webhook-error.ts'
import type { InboundContent, MediaKind, RawObject } from './webhook-types.ts'

const UNKNOWN: InboundContent = { type: 'unknown' }

/**
 * The content of a message by its type word. A known type whose payload lacks what makes it usable (a text
 * without body, a reply without id) is `unknown`, like a type that this version has never heard of.
 */
export function parseContent(type: string, message: RawObject): InboundContent {
  const reader = Object.hasOwn(READERS, type) ? READERS[type] : undefined
  return reader?.(message[type], message) ?? UNKNOWN
}

type ContentReader = (payload: unknown, message: RawObject) => InboundContent | null

/** A reader that parses the payload and is `null` where the schema refuses it. */
function reader<T>(schema: z.ZodType<T>, read: (payload: T) => InboundContent): ContentReader {
  return (payload) => {
    const parsed = schema.safeParse(payload)
    return parsed.success ? read(parsed.data) : null
  }
}

const READERS: Readonly<Record<string, ContentReader>> = {
  text: reader(z.object({ body: z.string() }), ({ body }) => ({ type: 'text', body })),
  interactive: readInteractive,
  button: reader(z.object({ payload: looseText, text: looseText }), ({ payload, text }) =>
    payload === null && text === null
      ? UNKNOWN
      : { type: 'template_button', payload, text: text ?? payload ?? '' },
  ),
  image: media('image'),
  document: media('document'),
  audio: media('audio'),
  voice: media('audio'),
  video: media('video'),
  sticker: media('sticker'),
  contacts: readContacts,
  location: reader(
    z.object({
      latitude: z.coerce.number(),
      longitude: z.coerce.number(),
      name: looseText,
      address: looseText,
    }),
    (location) => ({ type: 'location', ...location }),
  ),
  order: reader(z.object({ product_items: looseList, text: looseText }), (order) => ({
    type: 'order',
    itemCount: order.product_items.length,
    text: order.text,
  })),
  reaction: reader(z.object({ message_id: z.string().min(1), emoji: looseText }), (reaction) => ({
    type: 'reaction',
    wamid: reaction.message_id,
    emoji: reaction.emoji,
  })),
  edit: reader(z.object({ original_message_id: z.string().min(1), message: z.unknown() }), (edit) => ({
    type: 'edit',
    wamid: edit.original_message_id,
    text: editedText(edit.message),
  })),
  revoke: reader(z.object({ original_message_id: z.string().min(1) }), (revoke) => ({
    type: 'revoke',
    wamid: revoke.original_message_id,
  })),
  system: readSystem,
  unsupported: (_payload, message) => ({
    type: 'unsupported',
    errors: parseErrors(looseList.parse(message['errors'])),
  }),
}

const replySchema = z.object({ id: z.string().min(1), title: looseText, description: looseText })
const flowSchema = z.object({ name: looseText, body: looseText, response_json: z.unknown() })

function readInteractive(payload: unknown): InboundContent | null {
  const interactive = asRecord(payload)
  for (const type of ['button_reply', 'list_reply'] as const) {
    const reply = replySchema.safeParse(interactive?.[type])
    if (reply.success) {
      const { id, title, description } = reply.data
      return { type, id, title: title ?? id, description }
    }
  }
  const flow = flowSchema.safeParse(interactive?.['nfm_reply'])
  if (!flow.success) return null
  return {
    type: 'flow_reply',
    name: flow.data.name,
    body: flow.data.body,
    ...flowResponse(flow.data.response_json),
  }
}

/** `response_json` is documented as a string of JSON; it has been seen as an object, and may hold anything. */
function flowResponse(value: unknown): { responseJson: string | null; response: unknown } {
  if (value === undefined || value === null) return { responseJson: null, response: null }
  if (typeof value !== 'string') return { responseJson: JSON.stringify(value), response: value }
  try {
    return { responseJson: value, response: JSON.parse(value) }
  } catch {
    return { responseJson: value, response: null }
  }
}

function media(type: MediaKind): ContentReader {
  const schema = z.object({
    id: z.union([z.string().min(1), z.number().transform(String)]),
    mime_type: looseText,
    sha256: looseText,
    caption: looseText,
    filename: looseText,
    voice: looseFlag,
  })
  return reader(schema, ({ id, mime_type, ...rest }) => ({ type, mediaId: id, mimeType: mime_type, ...rest }))
}

const cardSchema = z.object({
  name: z
    .object({ formatted_name: looseText, first_name: looseText })
    .catch({ formatted_name: null, first_name: null }),
  phones: looseList,
})

/** Shared contact cards; with a username the card may carry a `vcard` and a bare phone, without a name. */
function readContacts(payload: unknown): InboundContent | null {
  if (!Array.isArray(payload)) return null
  const contacts = payload.flatMap((item) => {
    const card = cardSchema.safeParse(item)
    if (!card.success) return []
    const phones = card.data.phones.flatMap((phone) => {
      const number =
        looseText.parse(asRecord(phone)?.['phone']) ?? looseText.parse(asRecord(phone)?.['wa_id'])
      return number === null ? [] : [number]
    })
    return [{ name: card.data.name.formatted_name ?? card.data.name.first_name, phones }]
  })
  return { type: 'contacts', contacts }
}

/** The new text of an edited message, or its new caption. */
function editedText(message: unknown): string | null {
  const edited = asRecord(message)
  const type = looseText.parse(edited?.['type'])
  const payload = type === null ? null : asRecord(edited?.[type])
  return looseText.parse(payload?.['body']) ?? looseText.parse(payload?.['caption'])
}

const systemSchema = z.object({
  type: looseText,
  body: looseText,
  wa_id: looseText,
  new_wa_id: looseText,
  user_id: idOrChange(),
  parent_user_id: idOrChange(),
})

/** `user_id` of a system message: the new id, plain or as `{ previous, current }`. */
function idOrChange() {
  return z.union([z.object({ current: z.string().min(1) }).transform((change) => change.current), looseText])
}

/** Old payloads name the new number `new_wa_id` and a type of `customer_changed_number`. */
function readSystem(payload: unknown): InboundContent | null {
  const system = systemSchema.safeParse(payload)
  if (!system.success) return null
  const { type, body, wa_id, new_wa_id, user_id, parent_user_id } = system.data
  return {
    type: 'system',
    event: type === 'customer_changed_number' ? 'user_changed_number' : type,
    body,
    newPhone: wa_id ?? new_wa_id,
    newBsuid: user_id,
    newParentBsuid: parent_user_id,
  }
}
