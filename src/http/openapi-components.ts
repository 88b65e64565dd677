import { z } from 'zod'
import {
  type AppointmentDto,
  type AvailabilityItem,
  appointmentDtoSchema,
  availabilityItemSchema,
  type ConversationDto,
  conversationDtoSchema,
  type MessageDto,
  messageDtoSchema,
  type Problem,
  problemSchema,
  type RunDto,
  runDtoSchema,
  type StaffDto,
  staffDtoSchema,
} from '../contracts/staff-api.ts'
import { storedTenantDocumentSchema, tenantDocumentSchema } from '../contracts/tenant-document.ts'
import { dashboardComponents } from './openapi-dashboard-components.ts'

const customer = { id: '0198c1f0-6f5e-7c3a-9a52-6f1f0f6b2c11', name: 'Carla', phone: '5511988887777' }

const problem: Problem = {
  type: 'about:blank',
  title: 'Not Found',
  status: 404,
  code: 'not_found',
  detail: 'there is no such conversation',
}

const staff: StaffDto = {
  id: '0198c1f0-6f5e-7c3a-9a52-6f1f0f6b2c22',
  email: 'dona@example.com',
  name: 'Paula',
  role: 'owner',
}

const conversation: ConversationDto = {
  id: '0198c1f0-6f5e-7c3a-9a52-6f1f0f6b2c33',
  status: 'queued',
  customer,
  assignee: null,
  handoff: {
    reason: 'customer_request',
    summary: 'Quer remarcar o corte de sexta para a semana seguinte.',
    requestedAt: '2026-12-07T10:15:00-03:00',
    firstReplyDueAt: '2026-12-07T10:25:00-03:00',
    firstReplyAt: null,
  },
  unread: 2,
  lastMessageAt: '2026-12-07T10:15:00-03:00',
  windowClosesAt: '2026-12-08T10:15:00-03:00',
  lastMessage: { direction: 'in', author: 'customer', type: 'text', text: 'Posso falar com alguém?' },
  viewers: [{ id: staff.id, name: staff.name }],
}

const message: MessageDto = {
  id: '0198c1f0-6f5e-7c3a-9a52-6f1f0f6b2c44',
  direction: 'out',
  author: 'staff',
  type: 'text',
  text: 'Bom dia! Posso ajudar?',
  status: 'delivered',
  error: null,
  sentAt: '2026-12-07T10:16:02-03:00',
  createdAt: '2026-12-07T10:16:00-03:00',
  deliveredAt: '2026-12-07T10:16:03-03:00',
  readAt: null,
  editedAt: null,
  revokedAt: null,
  staff: { id: staff.id, name: staff.name },
  runId: null,
  choices: [],
  quoted: null,
  forwarded: false,
  referral: null,
  reactions: [],
  media: null,
  location: null,
  contacts: [],
  order: null,
}

const run: RunDto = {
  id: '0198c1f0-6f5e-7c3a-9a52-6f1f0f6b2c55',
  status: 'stopped',
  stopReason: 'tool_call:transfer_to_human',
  steps: 2,
  usage: { inputTokens: 1_840, cacheReadTokens: 1_200, cacheWriteTokens: 0, outputTokens: 96 },
  costUsd: 0.0024,
  startedAt: '2026-12-07T10:15:02-03:00',
  finishedAt: '2026-12-07T10:15:05-03:00',
}

const appointment: AppointmentDto = {
  code: 'K7M2QP',
  status: 'booked',
  service: { key: 'corte', name: 'Corte de cabelo' },
  professional: { key: 'ana', name: 'Ana' },
  customer,
  forName: null,
  startsAt: '2026-12-07T09:00:00-03:00',
  endsAt: '2026-12-07T09:45:00-03:00',
  priceCents: 8_000,
  source: 'customer',
  createdAt: '2026-12-04T16:20:00-03:00',
}

const availability: AvailabilityItem = {
  startsAt: '2026-12-07T09:00:00-03:00',
  endsAt: '2026-12-07T09:45:00-03:00',
  professional: { key: 'ana', name: 'Ana' },
}

const tenantDocument = {
  slug: 'studio-aurora',
  name: 'Studio Aurora',
  timeZone: 'America/Sao_Paulo',
  locale: 'pt-BR',
  currency: 'BRL',
  channel: {
    phoneNumberId: '106540352242922',
    wabaId: '102290129340398',
    displayPhoneNumber: '+551130000000',
    accessToken: 'token',
  },
  services: [
    { key: 'corte', name: 'Corte de cabelo', durationMinutes: 45, bufferAfterMinutes: 15, priceCents: 8_000 },
  ],
  professionals: [
    {
      key: 'ana',
      name: 'Ana',
      services: ['corte'],
      hours: [{ weekdays: [1, 2, 3, 4, 5], from: '09:00', to: '18:00' }],
    },
  ],
  exceptions: [{ professional: 'ana', from: '2026-12-24', to: '2026-12-26', hours: [] }],
  staff: [{ email: 'dona@example.com', name: 'Paula', role: 'owner', password: 'at least 10 characters' }],
}

/** Gives the bodies that many routes share their name and an example in the OpenAPI document. */
export function nameComponents(): void {
  name('Problem', problemSchema, problem)
  name('Staff', staffDtoSchema, staff)
  name('Conversation', conversationDtoSchema, conversation)
  name('Message', messageDtoSchema, message)
  name('Run', runDtoSchema, run)
  name('Appointment', appointmentDtoSchema, appointment)
  name('AvailabilityItem', availabilityItemSchema, availability)
  for (const [id, schema, example] of dashboardComponents({ staff, run, appointment })) {
    name(id, schema, example)
  }
  name('TenantDocument', tenantDocumentSchema, tenantDocument)
  name('StoredTenantDocument', storedTenantDocumentSchema, undefined)
}

function name(id: string, schema: z.ZodType, example: unknown): void {
  // Two apps in one process describe the same schemas.
  if (z.globalRegistry.get(schema)?.id === id) return
  z.globalRegistry.add(schema, { id, ...(example === undefined ? {} : { examples: [example] }) })
}
