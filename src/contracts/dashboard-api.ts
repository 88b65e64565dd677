import { z } from 'zod'
import {
  appointmentDtoSchema,
  conversationDtoSchema,
  conversationStatusSchema,
  handoffReasonSchema,
  instantSchema,
  localDateSchema,
  messageDtoSchema,
  namedSchema,
  runDtoSchema,
  staffDtoSchema,
} from './staff-api.ts'
import { tenantDocumentSchema } from './tenant-document.ts'

/** The bodies of the staff API that the dashboard is built on, beside those of `staff-api.ts`. */

/** What `GET /v1/events` says, by the event's name. */
export const liveEventDataSchemas = {
  'conversation.updated': z.object({ conversationId: z.string(), conversation: conversationDtoSchema }),
  'message.created': z.object({ conversationId: z.string(), message: messageDtoSchema }),
  'message.updated': z.object({ conversationId: z.string(), message: messageDtoSchema }),
  'appointment.updated': z.object({ appointment: appointmentDtoSchema }),
  /** What was missed is not kept any more: read everything anew. */
  reload: z.object({}),
} as const
export type LiveEventName = keyof typeof liveEventDataSchemas
export type LiveEventData<Name extends LiveEventName> = z.infer<(typeof liveEventDataSchemas)[Name]>

/** Words between `{{` and `}}` that a canned reply may hold. */
export const CANNED_PLACEHOLDERS = [
  'customer_name',
  'customer_first_name',
  'business_name',
  'staff_name',
  'next_appointment',
  'next_appointment_service',
  'next_appointment_professional',
  'next_appointment_code',
] as const
export type CannedPlaceholder = (typeof CANNED_PLACEHOLDERS)[number]

export const cannedReplyDtoSchema = z.object({ id: z.string(), shortcut: z.string(), text: z.string() })
export type CannedReplyDto = z.infer<typeof cannedReplyDtoSchema>

/** A canned reply filled in for one conversation. */
export const filledReplyDtoSchema = z.object({
  ...cannedReplyDtoSchema.shape,
  filled: z.string().describe('The text with every known placeholder filled in'),
  missing: z.array(z.string()).describe('Placeholders that have no value here, and stay as they are'),
})
export type FilledReplyDto = z.infer<typeof filledReplyDtoSchema>

/** The tenant document without channel and staff. */
export const settingsDocumentSchema = z.object(
  (({ channel: _channel, staff: _staff, ...shape }) => shape)(tenantDocumentSchema.shape),
)
export type SettingsDocument = z.output<typeof settingsDocumentSchema>

export const staffMemberDtoSchema = z.object({
  ...staffDtoSchema.shape,
  active: z.boolean().describe('Who is not active cannot log in'),
  sessions: z.int().describe('Sessions that are open now'),
  createdAt: instantSchema,
})
export type StaffMemberDto = z.infer<typeof staffMemberDtoSchema>

const tallySchema = z.object({
  conversations: z.int(),
  unread: z.int().describe('Messages, over all of these conversations'),
})
/** What the badges show: all there are, however many a list has loaded. */
export const conversationCountsSchema = z.object({
  queued: tallySchema,
  mine: tallySchema.describe('Assigned to who asks'),
  assigned: tallySchema.describe('Assigned to anybody, the phone too'),
  bot: tallySchema,
})
export type ConversationCounts = z.infer<typeof conversationCountsSchema>

export const presenceDtoSchema = z.object({ viewers: z.array(namedSchema) })

export const customerProfileDtoSchema = z.object({
  id: z.string(),
  name: z.string().nullable(),
  phone: z.string().nullable(),
  createdAt: instantSchema,
  conversations: z.array(z.object({ id: z.string(), status: conversationStatusSchema })),
  upcoming: z.array(appointmentDtoSchema).describe('Soonest first, at most 50'),
  past: z.array(appointmentDtoSchema).describe('Newest first, cancelled ones too, at most 50'),
})
export type CustomerProfileDto = z.infer<typeof customerProfileDtoSchema>

export const toolCallDtoSchema = z.object({
  id: z.string(),
  step: z.int().describe('The model turn that called it, from 0'),
  name: z.string(),
  input: z.json(),
  effect: z.string().nullable().describe('`read`, `write` or `end_turn`; null: no such tool'),
  outcome: z.string().nullable(),
  result: z.json().describe('What the model was told; null while it runs'),
  startedAt: instantSchema,
  finishedAt: instantSchema.nullable(),
})
export const runDetailDtoSchema = z.object({
  ...runDtoSchema.shape,
  model: z.string(),
  toolCalls: z.array(toolCallDtoSchema),
  handoff: z.object({ reason: handoffReasonSchema, summary: z.string() }).nullable(),
})
export type RunDetailDto = z.infer<typeof runDetailDtoSchema>

/** What the agenda shows its columns and choices from; for attendants too. */
export const catalogDtoSchema = z.object({
  services: z.array(
    z.object({
      key: z.string(),
      name: z.string(),
      durationMinutes: z.int(),
      priceCents: z.int().nullable(),
    }),
  ),
  professionals: z.array(
    z.object({
      key: z.string(),
      name: z.string(),
      services: z.array(z.string()),
      hours: tenantDocumentSchema.shape.professionals.element.shape.hours,
    }),
  ),
  exceptions: z.array(
    z.object({
      professional: z.string().nullable(),
      from: localDateSchema,
      to: localDateSchema,
      hours: z.array(z.object({ from: z.string(), to: z.string() })),
    }),
  ),
})
export type CatalogDto = z.infer<typeof catalogDtoSchema>

export const percentilesSchema = z.object({ p50: z.int().nullable(), p90: z.int().nullable() })

const figuresShape = {
  conversations: z.int().describe('In which the assistant ran or a handoff was requested'),
  solvedByBot: z.int().describe('Of these, those without a handoff'),
  botOnlyShare: z.number().nullable().describe('0 to 1; null without any'),
  handoffs: z.int(),
  rehandoffs: z
    .int()
    .describe('Handoffs of a conversation that came back from people less than a day before'),
  firstReplySeconds: percentilesSchema.describe('Working time from the request to the first reply'),
  resolutionSeconds: percentilesSchema.describe('From the request to the end'),
  runs: z.int(),
  costUsd: z.number(),
  messagesIn: z.int(),
  messagesOut: z.int(),
  appointmentsBooked: z.int(),
} as const
export const metricsOverviewSchema = z.object({
  days: z.array(z.object({ date: localDateSchema, ...figuresShape })).describe('Every day of the span'),
  totals: z.object(figuresShape),
  queue: z.object({
    depth: z.int().describe('Conversations that wait for a person now'),
    oldestWaitSeconds: z.int().nullable().describe('By the clock on the wall'),
    overdue: z.int().describe('Past their first-reply time'),
    assigned: z.int(),
    unread: z.int(),
  }),
})
export type MetricsOverview = z.infer<typeof metricsOverviewSchema>

/** Whether the number's messages leave. */
export const channelSendsDtoSchema = z.object({
  paused: z
    .object({ since: instantSchema, code: z.int(), detail: z.string() })
    .nullable()
    .describe('Nothing leaves since then: the token or the account has to be mended'),
  proactiveStoppedSince: instantSchema.nullable(),
  disabledTemplates: z.array(z.object({ name: z.string(), language: z.string(), code: z.int() })),
  waiting: z.int().describe('Messages in the queue'),
})
export type ChannelSendsDto = z.infer<typeof channelSendsDtoSchema>
