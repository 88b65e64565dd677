import { z } from 'zod'
import type { MediaModel, MessageModel } from '../db/index.ts'
import { cutText } from '../shared/cut-text.ts'

const contentSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('contacts'),
    contacts: z.array(z.object({ name: z.string().nullable(), phones: z.array(z.string()) })),
  }),
  z.object({
    type: z.literal('location'),
    latitude: z.number(),
    longitude: z.number(),
    name: z.string().nullable(),
    address: z.string().nullable(),
  }),
  z.object({ type: z.literal('order'), itemCount: z.number() }),
  z.object({
    type: z.literal('flow_reply'),
    name: z.string().nullable(),
    responseJson: z.string().nullable(),
  }),
  z.object({ type: z.enum(['unsupported', 'unknown']) }),
])
const payloadSchema = z.looseObject({ content: contentSchema })
const actionSchema = z.looseObject({
  action: z.object({ name: z.string(), code: z.string(), outcome: z.string(), title: z.string() }),
})

/** Of a form's answers, or of a list of contacts. */
const MAX_LENGTH = 1_500

/**
 * What a message holds besides words, as the model is told: one line between `<attachment>` marks, which the
 * customer's own text cannot forge from inside (`<` and `>` are taken out of it). null when words are all.
 * @param isShown the file itself stands beside it.
 */
export function describeMessage(
  message: MessageModel & { readonly media: MediaModel | null },
  isShown: boolean,
): string | null {
  const { media } = message
  const what = media === null ? describeContent(message.payload) : describeFile(media, isShown)
  return what === null ? null : `<attachment>${oneLine(what)}</attachment>`
}

/** What nobody here can read: neither words nor a known content. */
export function isUnreadableContent(payload: unknown): boolean {
  const parsed = payloadSchema.safeParse(payload)
  const type = parsed.success ? parsed.data.content.type : null
  return type === 'unsupported' || type === 'unknown'
}

function describeFile(media: MediaModel, isShown: boolean): string | null {
  const name = media.filename === null ? '' : ` "${media.filename}"`
  switch (media.kind) {
    case 'audio':
      return media.transcript === null
        ? 'voice message that could not be heard'
        : 'voice message, written down:'
    case 'image':
    case 'document':
      return isShown ? null : `${media.kind}${name} that cannot be shown to you; the team can open it`
    default:
      return `${media.kind}${name} that cannot be shown to you; the team can open it`
  }
}

function describeContent(payload: unknown): string | null {
  const tap = actionSchema.safeParse(payload)
  if (tap.success) return describeTap(tap.data.action)
  const parsed = payloadSchema.safeParse(payload)
  if (!parsed.success) return null
  const { content } = parsed.data
  switch (content.type) {
    case 'contacts':
      return `contacts: ${content.contacts.map(({ name, phones }) => [name ?? '', ...phones].join(' ').trim()).join(', ')}`
    case 'location':
      return `location: ${[content.name, content.address, `${content.latitude}, ${content.longitude}`].filter((part) => part !== null).join('; ')}`
    case 'order':
      return `order of ${content.itemCount} catalogue items; the team can see it`
    case 'flow_reply':
      return `form ${content.name ?? ''} answered: ${content.responseJson ?? ''}`
    case 'unsupported':
    case 'unknown':
      return 'message of a kind that cannot be read here'
  }
}

function describeTap(action: { name: string; code: string; outcome: string; title: string }): string {
  const button = `tapped "${action.title}" (${action.name} appointment ${action.code})`
  switch (action.outcome) {
    case 'done':
      return `${button}: done, and the customer was told so`
    case 'too_old':
      return `${button} more than a day before it arrived: nothing was done`
    default:
      return `${button}: refused, ${action.outcome}`
  }
}

function oneLine(text: string): string {
  const line = text.replace(/[\s\u2028\u2029]+/g, ' ').replace(/[<>]/g, '')
  return cutText(line.trim(), MAX_LENGTH)
}
