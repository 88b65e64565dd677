import { z } from 'zod'
import { joinMessages } from '../../src/agent/history.ts'
import type { HistoryMessage, Model, ToolSchema } from '../../src/agent/types.ts'
import { formatChoiceReply, formatContextBlock } from '../../src/assistant/message-format.ts'
import type { Locale } from '../../src/shared/locale.ts'

/**
 * A salon in memory with the contract's tools, and the smallest loop that plays a dialogue against it. Every
 * tool input is parsed by the contract's schema: a wrong one fails the test.
 */
const key = z.string().regex(/^[a-z0-9-]{1,40}$/)
const date = z.iso.date()
const start = z.string().regex(/^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d$/)
const code = z.string().regex(/^[A-Za-z0-9-]{1,20}$/)
const choices = z
  .array(
    z.strictObject({
      id: z.string().min(1).max(198),
      title: z.string().min(1).max(24),
      description: z.string().max(72).optional(),
    }),
  )
  .min(1)
  .max(10)

const INPUTS = {
  list_services: z.strictObject({}),
  list_available_times: z.strictObject({
    service: key,
    date,
    professional: key.optional(),
    period: z.enum(['morning', 'afternoon', 'evening']).optional(),
  }),
  book_appointment: z.strictObject({
    service: key,
    professional: key.optional(),
    starts_at: start,
    for_name: z.string().min(1).optional(),
  }),
  list_my_appointments: z.strictObject({}),
  reschedule_appointment: z.strictObject({ code, starts_at: start, professional: key.optional() }),
  cancel_appointment: z.strictObject({ code, reason: z.string().optional() }),
  offer_choices: z.strictObject({ text: z.string().min(1).max(1024), choices }),
  transfer_to_human: z.strictObject({ reason: z.string().min(1), summary: z.string().min(1) }),
}
type ToolName = keyof typeof INPUTS

export interface Salon {
  services: {
    key: string
    name: string
    minutes: number
    price: string | null
    professionals: { key: string; name: string }[]
  }[]
  /** `HH:MM` of every day but the closed ones. */
  times: string[]
  closed: Set<string>
  /** `YYYY-MM-DDTHH:MM|professional` */
  taken: Set<string>
  appointments: { code: string; service: string; professional: string; starts_at: string; status: string }[]
  /** Makes the next call of a tool fail with this text. */
  failNext: Map<string, string>
}

const ANA = { key: 'ana', name: 'Ana' }
const BIA = { key: 'bia', name: 'Bianca' }

export function aSalon(changes: Partial<Salon> = {}): Salon {
  return {
    services: [
      { key: 'corte', name: 'Corte de cabelo', minutes: 45, price: 'R$ 80,00', professionals: [ANA, BIA] },
      { key: 'barba', name: 'Barba', minutes: 30, price: null, professionals: [BIA] },
    ],
    times: ['09:00', '10:00', '11:00', '14:00', '15:00', '16:30'],
    closed: new Set(['2026-12-13']),
    taken: new Set(),
    appointments: [],
    failNext: new Map(),
    ...changes,
  }
}

export interface Reply {
  text: string
  choices: { id: string; title: string }[]
  transferred: boolean
  calls: { name: string; input: unknown; isError: boolean }[]
}

export interface DialogueOptions {
  locale?: Locale
  now?: string
  customerName?: string | null
  /** What a turn may call before the driver says that it loops. */
  maxSteps?: number
}

export class Dialogue {
  messages: HistoryMessage[] = []
  last: Reply = { text: '', choices: [], transferred: false, calls: [] }
  toolUseIds: string[] = []
  private runs = 0
  private pending: HistoryMessage = { role: 'user', content: [] }
  private readonly model: Model
  readonly salon: Salon
  private readonly options: DialogueOptions

  constructor(model: Model, salon: Salon, options: DialogueOptions = {}) {
    this.model = model
    this.salon = salon
    this.options = options
  }

  async say(text: string): Promise<Reply> {
    return this.turn(text)
  }

  /** Taps the choice with this title, or this place (from 0). */
  async tap(which: string | number): Promise<Reply> {
    const choice = this.last.choices.find(({ title }, index) => title === which || index === which)
    if (choice === undefined) throw new Error(`no choice ${which} in ${JSON.stringify(this.last)}`)
    return this.turn(formatChoiceReply(choice))
  }

  private async turn(text: string): Promise<Reply> {
    const { locale = 'pt-BR', now = '2026-12-07T08:05', customerName = 'Maria', maxSteps = 8 } = this.options
    const facts = { now, locale, timeZone: 'America/Sao_Paulo', customerName, openAppointments: [] }
    const content = [formatContextBlock(facts), text].map((part) => ({ type: 'text' as const, text: part }))
    this.messages = joinMessages(this.messages, [this.pending, { role: 'user', content }])
    this.pending = { role: 'user', content: [] }
    this.runs += 1
    const reply: Reply = { text: '', choices: [], transferred: false, calls: [] }
    for (let step = 0; step < maxSteps; step += 1) {
      if (await this.step(step, reply)) {
        this.last = reply
        return reply
      }
    }
    throw new Error(`no end in ${maxSteps} steps: ${JSON.stringify(reply.calls)}`)
  }

  /** True when the turn is over. */
  private async step(attemptIndex: number, reply: Reply): Promise<boolean> {
    const request = {
      model: 'guided',
      max_tokens: 1024,
      system: [],
      messages: this.messages,
      tools: TOOLS,
      tool_choice: { type: 'auto' as const },
    }
    const options = { signal: AbortSignal.timeout(5_000), runId: `run-${this.runs}`, attemptIndex }
    const response = await this.model.complete(request, options)
    this.messages = joinMessages(this.messages, [{ role: 'assistant', content: response.content }])
    const [block] = response.content
    if (block?.type === 'text') {
      if (response.stop_reason !== 'end_turn' || block.text.trim() === '') throw new Error('an empty answer')
      reply.text = block.text
      return true
    }
    if (block?.type !== 'tool_use' || response.stop_reason !== 'tool_use')
      throw new Error('no answer and no call')
    this.toolUseIds.push(block.id)
    const { content, isError } = callTool(this.salon, block.name, block.input)
    const result = { type: 'tool_result' as const, tool_use_id: block.id, content, is_error: isError }
    reply.calls.push({ name: block.name, input: block.input, isError })
    const isEnd = !isError && ['offer_choices', 'transfer_to_human'].includes(block.name)
    if (!isEnd) {
      this.messages = joinMessages(this.messages, [{ role: 'user', content: [result] }])
      return false
    }
    // As the application does it: the result stands first in the customer's next message.
    this.pending = { role: 'user', content: [result] }
    if (block.name === 'offer_choices') Object.assign(reply, INPUTS.offer_choices.parse(block.input))
    else reply.transferred = true
    return true
  }
}

const TOOLS: ToolSchema[] = Object.keys(INPUTS).map((name) => ({ name, input_schema: { type: 'object' } }))

function callTool(salon: Salon, name: string, input: unknown): { content: string; isError: boolean } {
  if (!isToolName(name)) throw new Error(`unknown tool ${name}`)
  const parsed = INPUTS[name].parse(input)
  const failure = salon.failNext.get(name)
  salon.failNext.delete(name)
  if (failure !== undefined) return { content: failure, isError: true }
  const result = run(salon, name, parsed)
  const isError = typeof result === 'object' && result !== null && 'error' in result
  return { content: JSON.stringify(result), isError }
}

function isToolName(name: string): name is ToolName {
  return Object.hasOwn(INPUTS, name)
}

function run(salon: Salon, name: ToolName, input: unknown): unknown {
  switch (name) {
    case 'list_services':
      return { services: salon.services }
    case 'list_available_times':
      return listTimes(salon, INPUTS.list_available_times.parse(input))
    case 'book_appointment':
      return book(salon, INPUTS.book_appointment.parse(input))
    case 'list_my_appointments':
      return { appointments: salon.appointments }
    case 'reschedule_appointment': {
      const { code: wanted, starts_at } = INPUTS.reschedule_appointment.parse(input)
      const found = salon.appointments.find((appointment) => appointment.code === wanted)
      if (found === undefined) return refusal('not_found')
      found.starts_at = starts_at
      return named(salon, found)
    }
    case 'cancel_appointment': {
      const { code: wanted } = INPUTS.cancel_appointment.parse(input)
      const found = salon.appointments.find((appointment) => appointment.code === wanted)
      if (found === undefined) return refusal('not_found')
      salon.appointments = salon.appointments.filter((appointment) => appointment !== found)
      return { ...named(salon, found), status: 'cancelled' }
    }
    default:
      return { ok: true }
  }
}

function listTimes(salon: Salon, input: z.infer<typeof INPUTS.list_available_times>): unknown {
  const service = salon.services.find((one) => one.key === input.service)
  if (service === undefined) return refusal('unknown_service')
  const inPeriod = (time: string) =>
    ({ morning: time < '12:00', afternoon: time >= '12:00' && time < '18:00', evening: time >= '18:00' })[
      input.period ?? 'morning'
    ] || input.period === undefined
  const people = service.professionals.filter(
    ({ key: one }) => input.professional === undefined || one === input.professional,
  )
  const times = salon.times.filter(inPeriod).flatMap((time) => {
    const startsAt = `${input.date}T${time}`
    const free = people.find((one) => !salon.taken.has(`${startsAt}|${one.key}`))
    return free === undefined ? [] : [{ starts_at: startsAt, professional: free.key }]
  })
  if (times.length > 0 && !salon.closed.has(input.date)) return { times: times.slice(0, 24) }
  const next = new Date(`${input.date}T00:00Z`)
  next.setUTCDate(next.getUTCDate() + 1)
  return {
    error: 'closed_that_day',
    message: 'Fechado.',
    suggestion: `Próxima data: ${next.toISOString().slice(0, 10)}`,
  }
}

function book(salon: Salon, input: z.infer<typeof INPUTS.book_appointment>): unknown {
  const service = salon.services.find((one) => one.key === input.service)
  const professional = input.professional ?? service?.professionals[0]?.key ?? ''
  const taken = `${input.starts_at}|${professional}`
  if (salon.taken.has(taken)) return refusal('time_taken')
  salon.taken.add(taken)
  const appointment = {
    code: `K${salon.appointments.length + 2}M2QP`,
    service: input.service,
    professional,
    starts_at: input.starts_at,
    status: 'booked',
  }
  salon.appointments.push(appointment)
  return named(salon, appointment)
}

function named(salon: Salon, appointment: Salon['appointments'][number]): Record<string, unknown> {
  const service = salon.services.find((one) => one.key === appointment.service)
  return {
    ...appointment,
    ends_at: appointment.starts_at,
    service: service?.name,
    professional: service?.professionals.find((one) => one.key === appointment.professional)?.name,
    price: service?.price ?? null,
  }
}

function refusal(error: string): unknown {
  return { error, message: 'Não foi possível.', suggestion: '' }
}
