import { z } from 'zod'
import { canonicalJson } from '../../agent/canonical-json.ts'
import { LOOP_TEXTS } from '../../agent/texts.ts'
import type { ToolExchange, Turn } from './read-turns.ts'
import { refusalCode } from './refusal-code.ts'

const named = z.object({ key: z.string(), name: z.string() })
/** Results name things by key, by name, or by both. */
const reference = z.union([z.string(), z.object({ key: z.string().optional(), name: z.string() })])
const service = named.extend({
  minutes: z.number().nullish(),
  price: z.string().nullish(),
  professionals: z.array(named).default([]),
})
const time = z.object({ starts_at: z.string(), professional: reference.nullish() })
const appointment = z.object({
  code: z.string(),
  starts_at: z.string(),
  service: reference.nullish(),
  professional: reference.nullish(),
  price: z.string().nullish(),
  status: z.string().nullish(),
})

export type Service = z.infer<typeof service>
export type Appointment = z.infer<typeof appointment>
export type Reference = z.infer<typeof reference>
export interface FreeTime {
  /** `YYYY-MM-DDTHH:MM`. */
  startsAt: string
  /** A professional's key. */
  professional: string | null
}

export function readServices(exchange: ToolExchange): Service[] | null {
  return read(exchange, z.object({ services: z.array(service) }))?.services ?? null
}

export function readTimes(exchange: ToolExchange): FreeTime[] | null {
  const times = read(exchange, z.object({ times: z.array(time) }))?.times
  return (
    times?.map(({ starts_at, professional }) => ({
      startsAt: starts_at.slice(0, 16),
      professional: typeof professional === 'object' ? (professional?.key ?? null) : (professional ?? null),
    })) ?? null
  )
}

export function readAppointment(exchange: ToolExchange): Appointment | null {
  return read(exchange, appointment)
}

export function readAppointments(exchange: ToolExchange): Appointment[] | null {
  return read(exchange, z.object({ appointments: z.array(appointment) }))?.appointments ?? null
}

/** The last call of this turn, with this very input when one is given. */
export function findCall(turn: Turn, name: string, input?: unknown): ToolExchange | null {
  const wanted = input === undefined ? null : canonicalJson(input)
  const found = turn.calls.findLast(
    (call) =>
      call.name === name && call.result !== null && (wanted === null || canonicalJson(call.input) === wanted),
  )
  return found ?? null
}

export interface ToolRefusal {
  /** The domain error's word; `failure` when the tool did not work at all; `unknown` when nothing says. */
  code: string
  /** The whole result, for the dates it names. */
  text: string
}

const FAILURES = new Set(
  Object.values(LOOP_TEXTS).flatMap((texts) => [
    texts.infrastructure,
    texts.bug,
    texts.repeated,
    texts.limit,
  ]),
)
/** Why a call was refused: from JSON `{ error, message, suggestion }` or from text; null when it was not. */
export function readRefusal(exchange: ToolExchange): ToolRefusal | null {
  if (!exchange.isError) return null
  const text = exchange.result ?? ''
  if (FAILURES.has(text)) return { code: 'failure', text }
  return { code: refusalCode(text) ?? 'unknown', text }
}

function read<T>(exchange: ToolExchange, schema: z.ZodType<T>): T | null {
  if (exchange.isError || exchange.result === null) return null
  try {
    const parsed = schema.safeParse(JSON.parse(exchange.result))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}
