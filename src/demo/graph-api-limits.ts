import { z } from 'zod'

/**
 * What the Cloud API refuses in `POST /{phone_number_id}/messages`, stated here from Meta's reference and not
 * from the product's own limits, so that one checks the other.
 * Source: https://developers.facebook.com/docs/whatsapp/cloud-api/reference/messages
 */
export interface Violation {
  readonly code: number
  readonly details: string
}

/** `null` when Meta would accept the body. */
export function violationOf(body: Readonly<Record<string, unknown>>): Violation | null {
  if (body['messaging_product'] !== 'whatsapp') {
    return { code: 100, details: 'The parameter messaging_product is required.' }
  }
  return addresseeViolation(body) ?? opaqueDataViolation(body) ?? contentViolation(body)
}

function addresseeViolation(body: Readonly<Record<string, unknown>>): Violation | null {
  if (body['to'] === undefined && body['recipient'] === undefined) {
    return { code: 131008, details: 'One of the parameters to and recipient is required.' }
  }
  if (body['to'] !== undefined) {
    return PHONE.safeParse(body['to']).success ? null : invalid('to must be a phone number with country code')
  }
  return BSUID.safeParse(body['recipient']).success
    ? null
    : invalid('recipient must be a business-scoped user ID')
}

const PHONE = z.string().regex(/^\+?[1-9]\d{7,14}$/)
const BSUID = z.string().regex(/^[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{1,128}$/)

function opaqueDataViolation(body: Readonly<Record<string, unknown>>): Violation | null {
  const valid = z.string().max(512).optional().safeParse(body['biz_opaque_callback_data']).success
  return valid ? null : invalid('biz_opaque_callback_data must be at most 512 characters')
}

function contentViolation(body: Readonly<Record<string, unknown>>): Violation | null {
  const type = typeof body['type'] === 'string' ? body['type'] : 'text'
  const content = Object.hasOwn(CONTENTS, type) ? CONTENTS[type] : undefined
  if (content === undefined)
    return { code: 100, details: `Param type must be one of the known types, not ${type}` }
  if (body[type] === undefined)
    return { code: 131008, details: `Parameter ${type} is required for type ${type}` }
  const parsed = content.schema.safeParse(body[type])
  if (parsed.success) return null
  const issue = parsed.error.issues[0]
  const path = (issue?.path ?? []).map((key) => `['${String(key)}']`).join('')
  return { code: content.code, details: `${type}${path}: ${issue?.message ?? 'is invalid'}` }
}

function invalid(details: string): Violation {
  return { code: 131009, details }
}

const nonEmpty = (max: number): z.ZodString => z.string().min(1).max(max)
const distinct = (values: readonly string[]): boolean => new Set(values).size === values.length

const replyButton = z.object({
  type: z.literal('reply'),
  reply: z.object({ id: nonEmpty(256), title: nonEmpty(20) }),
})

const buttonMessage = z.object({
  type: z.literal('button'),
  header: z.object({ type: z.string(), text: nonEmpty(60).optional() }).optional(),
  body: z.object({ text: nonEmpty(1024) }),
  footer: z.object({ text: nonEmpty(60) }).optional(),
  action: z.object({
    buttons: z
      .array(replyButton)
      .min(1)
      .max(3)
      .refine((all) => distinct(all.map(({ reply }) => reply.title)), 'Duplicate button titles')
      .refine((all) => distinct(all.map(({ reply }) => reply.id)), 'Duplicated reply ids'),
  }),
})

const listRow = z.object({
  id: nonEmpty(200),
  title: nonEmpty(24),
  description: z.string().max(72).optional(),
})

const listMessage = z.object({
  type: z.literal('list'),
  header: z.object({ type: z.literal('text'), text: nonEmpty(60) }).optional(),
  body: z.object({ text: nonEmpty(4096) }),
  footer: z.object({ text: nonEmpty(60) }).optional(),
  action: z.object({
    button: nonEmpty(20),
    sections: z
      .array(z.object({ title: z.string().max(24).optional(), rows: z.array(listRow).min(1) }))
      .min(1)
      .max(10)
      .refine(
        (all) => all.flatMap(({ rows }) => rows).length <= 10,
        'Total row count exceed max allowed count: 10',
      )
      .refine((all) => distinct(all.flatMap(({ rows }) => rows.map(({ id }) => id))), 'Duplicated row ids')
      .refine((all) => all.length === 1 || all.every(({ title }) => title), 'Section title is required'),
  }),
})

const mediaMessage = z
  .object({ id: z.string().optional(), link: z.url().optional(), caption: z.string().max(1024).optional() })
  .refine(({ id, link }) => id !== undefined || link !== undefined, 'one of id and link is required')

const CONTENTS: Readonly<Record<string, { readonly code: number; readonly schema: z.ZodType }>> = {
  text: { code: 100, schema: z.object({ body: nonEmpty(4096), preview_url: z.boolean().optional() }) },
  interactive: { code: 131009, schema: z.discriminatedUnion('type', [buttonMessage, listMessage]) },
  template: {
    code: 100,
    schema: z.object({
      name: z.string().regex(/^[a-z0-9_]{1,512}$/, 'must be lower case letters, digits and underscores'),
      language: z.object({ code: z.string().min(2) }),
      components: z.array(z.looseObject({ type: z.string() })).optional(),
    }),
  },
  reaction: { code: 131009, schema: z.object({ message_id: z.string().min(1), emoji: z.string() }) },
  image: { code: 131009, schema: mediaMessage },
  document: { code: 131009, schema: mediaMessage },
  audio: { code: 131009, schema: mediaMessage },
  video: { code: 131009, schema: mediaMessage },
}
