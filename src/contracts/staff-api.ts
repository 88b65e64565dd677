import { z } from 'zod'
import { HANDOFF_REASONS } from '../shared/handoff-reason.ts'

/** The bodies of the staff API. Instants are RFC 3339 with the tenant's offset at that instant. */

export const instantSchema = z.iso.datetime({ offset: true })
export const localDateSchema = z.iso.date()

export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.string(),
  detail: z.string(),
})
export type Problem = z.infer<typeof problemSchema>

export const namedSchema = z.object({ id: z.string(), name: z.string() })
const keyedSchema = z.object({ key: z.string(), name: z.string() })

export const staffDtoSchema = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  role: z.enum(['owner', 'attendant']),
})
export type StaffDto = z.infer<typeof staffDtoSchema>

export const CONVERSATION_STATUSES = ['bot', 'queued', 'assigned', 'closed'] as const
export const conversationStatusSchema = z.enum(CONVERSATION_STATUSES)
export type ConversationStatus = z.infer<typeof conversationStatusSchema>

export const handoffReasonSchema = z.enum(HANDOFF_REASONS)

export const customerDtoSchema = z.object({
  id: z.string(),
  name: z.string().nullable(),
  phone: z.string().nullable(),
})

export const messageAuthorSchema = z.enum(['customer', 'bot', 'staff', 'system'])

export const conversationDtoSchema = z.object({
  id: z.string(),
  status: conversationStatusSchema,
  customer: customerDtoSchema,
  assignee: namedSchema.nullable(),
  handoff: z
    .object({
      reason: handoffReasonSchema,
      summary: z.string(),
      requestedAt: instantSchema,
      firstReplyDueAt: instantSchema.nullable(),
      firstReplyAt: instantSchema.nullable().describe('When a person first wrote to the customer'),
    })
    .nullable(),
  unread: z.int(),
  lastMessageAt: instantSchema.nullable(),
  windowClosesAt: instantSchema.nullable(),
  lastMessage: z
    .object({
      direction: z.enum(['in', 'out']),
      author: messageAuthorSchema,
      type: z.string(),
      text: z.string().nullable().describe('At most 200 characters'),
    })
    .nullable()
    .describe('For the list; notes and what never left are not told'),
  viewers: z.array(namedSchema).describe('Who of the staff has it open now'),
})
export type ConversationDto = z.infer<typeof conversationDtoSchema>

export const messageStatusSchema = z.enum([
  'received',
  'pending',
  'sent',
  'delivered',
  'read',
  'failed',
  'unknown',
  'canceled',
])

export const messageDtoSchema = z.object({
  id: z.string(),
  direction: z.enum(['in', 'out', 'note']),
  author: messageAuthorSchema,
  type: z.string(),
  text: z.string().nullable(),
  status: messageStatusSchema,
  error: z.object({ code: z.int(), detail: z.string() }).nullable(),
  sentAt: instantSchema.nullable(),
  createdAt: instantSchema,
  deliveredAt: instantSchema.nullable(),
  readAt: instantSchema.nullable(),
  editedAt: instantSchema.nullable().describe('When its sender changed it'),
  revokedAt: instantSchema.nullable().describe('When its sender took it back; the text is gone then'),
  staff: namedSchema.nullable().describe('Who of the staff wrote it; null for the phone of the business'),
  runId: z.string().nullable().describe('The run of the assistant that wrote it'),
  choices: z.array(z.object({ id: z.string(), title: z.string() })).describe('What was offered to tap'),
  insteadOf: z
    .string()
    .nullish()
    .describe('What was written, where the template for closed windows left in its place'),
  quoted: z
    .object({ id: z.string(), author: messageAuthorSchema, type: z.string(), text: z.string().nullable() })
    .nullable()
    .describe('The message that it answers'),
  forwarded: z.boolean(),
  referral: z
    .object({ url: z.string().nullable(), headline: z.string().nullable(), body: z.string().nullable() })
    .nullable()
    .describe('The ad that the customer came from'),
  reactions: z.array(z.object({ author: z.enum(['customer', 'staff']), emoji: z.string() })),
  media: z
    .object({
      id: z.string().describe('For GET /v1/media/{id}'),
      kind: z.enum(['image', 'document', 'audio', 'video', 'sticker']),
      state: z.enum(['pending', 'stored', 'refused', 'failed', 'expired']),
      contentType: z.string().nullable().describe('Found in its bytes'),
      filename: z.string().nullable(),
      voice: z.boolean().describe('Recorded in the chat'),
      sizeBytes: z.int().nullable(),
      transcript: z.string().nullable(),
      failure: z.string().nullable(),
    })
    .nullable(),
  location: z
    .object({
      latitude: z.number(),
      longitude: z.number(),
      name: z.string().nullable(),
      address: z.string().nullable(),
    })
    .nullable(),
  contacts: z
    .array(z.object({ name: z.string().nullable(), phones: z.array(z.string()) }))
    .describe('Cards that were shared'),
  order: z.object({ itemCount: z.int() }).nullable().describe('What was put into the cart of the catalogue'),
})
export type MessageDto = z.infer<typeof messageDtoSchema>

export const channelDtoSchema = z.object({
  phoneNumberId: z.string(),
  displayPhoneNumber: z.string(),
  quality: z
    .object({ event: z.string().nullable(), limit: z.string().nullable(), at: instantSchema })
    .nullable(),
  templates: z.array(
    z.object({
      name: z.string(),
      language: z.string(),
      status: z.string(),
      reason: z.string().nullable(),
      at: instantSchema,
    }),
  ),
  alerts: z.array(
    z.object({
      field: z.string(),
      event: z.string().nullable(),
      detail: z.string().nullable(),
      at: instantSchema,
    }),
  ),
  deliveries: z.array(
    z.object({
      date: localDateSchema,
      category: z.string(),
      type: z.string(),
      billable: z.boolean(),
      count: z.int(),
    }),
  ),
})

export const runDtoSchema = z.object({
  id: z.string(),
  status: z.enum(['running', 'completed', 'stopped', 'superseded', 'failed']),
  stopReason: z.string().nullable(),
  steps: z.int(),
  usage: z.object({
    inputTokens: z.int(),
    cacheReadTokens: z.int(),
    cacheWriteTokens: z.int(),
    outputTokens: z.int(),
  }),
  costUsd: z.number(),
  startedAt: instantSchema,
  finishedAt: instantSchema.nullable(),
})
export type RunDto = z.infer<typeof runDtoSchema>

export const appointmentStatusSchema = z.enum(['booked', 'confirmed', 'completed', 'no_show', 'cancelled'])
export type AppointmentStatus = z.infer<typeof appointmentStatusSchema>

export const appointmentDtoSchema = z.object({
  code: z.string(),
  status: appointmentStatusSchema,
  service: keyedSchema,
  professional: keyedSchema,
  customer: customerDtoSchema.nullable(),
  forName: z.string().nullable(),
  startsAt: instantSchema,
  endsAt: instantSchema,
  priceCents: z.int().nullable(),
  source: z.enum(['customer', 'staff']),
  createdAt: instantSchema,
})
export type AppointmentDto = z.infer<typeof appointmentDtoSchema>

export const availabilityItemSchema = z.object({
  startsAt: instantSchema,
  endsAt: instantSchema,
  professional: keyedSchema,
})
export type AvailabilityItem = z.infer<typeof availabilityItemSchema>

/** `{ items, nextCursor }`: a cursor is opaque and null on the last page. */
export function pageSchema<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), nextCursor: z.string().nullable() })
}
