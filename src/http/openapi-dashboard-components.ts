import type { z } from 'zod'
import {
  cannedReplyDtoSchema,
  catalogDtoSchema,
  conversationCountsSchema,
  customerProfileDtoSchema,
  filledReplyDtoSchema,
  metricsOverviewSchema,
  presenceDtoSchema,
  runDetailDtoSchema,
  settingsDocumentSchema,
  staffMemberDtoSchema,
} from '../contracts/dashboard-api.ts'
import type { AppointmentDto, RunDto, StaffDto } from '../contracts/staff-api.ts'

const hours = [{ weekdays: [1, 2, 3, 4, 5], from: '09:00', to: '18:00' }]
const cannedReply = {
  id: '0198c1f0-6f5e-7c3a-9a52-6f1f0f6b2c66',
  shortcut: 'oi',
  text: 'Olá, {{customer_first_name}}! Aqui é {{staff_name}}.',
}
const service = { key: 'corte', name: 'Corte de cabelo', durationMinutes: 45, priceCents: 8_000 }
const professional = { key: 'ana', name: 'Ana', services: ['corte'], hours }
const exception = { professional: 'ana', from: '2026-12-24', to: '2026-12-26', hours: [] }

const figures = {
  conversations: 20,
  solvedByBot: 16,
  botOnlyShare: 0.8,
  handoffs: 5,
  rehandoffs: 1,
  firstReplySeconds: { p50: 140, p90: 480 },
  resolutionSeconds: { p50: 900, p90: 3_600 },
  runs: 64,
  costUsd: 0.31,
  messagesIn: 92,
  messagesOut: 101,
  appointmentsBooked: 11,
}

const settings = {
  slug: 'studio-aurora',
  name: 'Studio Aurora',
  timeZone: 'America/Sao_Paulo',
  locale: 'pt-BR',
  currency: 'BRL',
  services: [service],
  professionals: [professional],
  exceptions: [exception],
  instructions: 'Fale de forma calorosa e breve.',
}

/** Name, schema and example of what the dashboard's own routes answer with. */
export function dashboardComponents(examples: {
  readonly staff: StaffDto
  readonly run: RunDto
  readonly appointment: AppointmentDto
}): readonly (readonly [name: string, schema: z.ZodType, example: unknown])[] {
  const { staff, run, appointment } = examples
  const viewer = { id: staff.id, name: staff.name }
  return [
    ['CannedReply', cannedReplyDtoSchema, cannedReply],
    [
      'FilledReply',
      filledReplyDtoSchema,
      { ...cannedReply, filled: 'Olá, Carla! Aqui é Paula.', missing: [] },
    ],
    ['Settings', settingsDocumentSchema, settings],
    [
      'StaffMember',
      staffMemberDtoSchema,
      { ...staff, active: true, sessions: 1, createdAt: '2026-11-30T09:00:00-03:00' },
    ],
    ['Presence', presenceDtoSchema, { viewers: [viewer] }],
    [
      'CustomerProfile',
      customerProfileDtoSchema,
      {
        ...appointment.customer,
        createdAt: '2026-10-02T11:20:00-03:00',
        conversations: [{ id: '0198c1f0-6f5e-7c3a-9a52-6f1f0f6b2c33', status: 'queued' }],
        upcoming: [appointment],
        past: [],
      },
    ],
    [
      'ConversationCounts',
      conversationCountsSchema,
      {
        queued: { conversations: 2, unread: 3 },
        mine: { conversations: 1, unread: 0 },
        assigned: { conversations: 3, unread: 1 },
        bot: { conversations: 14, unread: 0 },
      },
    ],
    ['RunDetail', runDetailDtoSchema, runDetail(run)],
    [
      'Catalog',
      catalogDtoSchema,
      { services: [service], professionals: [professional], exceptions: [exception] },
    ],
    [
      'MetricsOverview',
      metricsOverviewSchema,
      {
        days: [{ date: '2026-12-07', ...figures }],
        totals: figures,
        queue: { depth: 2, oldestWaitSeconds: 340, overdue: 0, assigned: 3, unread: 4 },
      },
    ],
  ]
}

function runDetail(run: RunDto) {
  return {
    ...run,
    model: 'claude-haiku-5-5',
    toolCalls: [
      {
        id: 'toolu_01',
        step: 1,
        name: 'transfer_to_human',
        input: { reason: 'customer_request', summary: 'Quer remarcar o corte de sexta.' },
        effect: 'end_turn',
        outcome: 'ok',
        result: null,
        startedAt: run.startedAt,
        finishedAt: run.finishedAt,
      },
    ],
    handoff: { reason: 'customer_request', summary: 'Quer remarcar o corte de sexta.' },
  }
}
