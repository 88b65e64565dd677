import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { appointmentDtoSchema, pageSchema } from '../contracts/staff-api.ts'
import { addDays } from '../scheduling/civil-date.ts'
import { localDate } from '../scheduling/time-zone.ts'
import { DEMO_LOGIN, demoTenant } from './demo-tenant.ts'
import type { ChatMessage } from './simulator/simulator-types.ts'
import type { Demo } from './start-demo.ts'

const MOST_TURNS = 12
const ANSWER_TIMEOUT_MS = 20_000
const FIRST_WORDS = 'Oi! Quero marcar um corte de cabelo com a Ana amanhã'

/**
 * Plays a new customer who books: writes once, then taps the first thing offered until an appointment stands.
 * Everything goes the real way: signed webhook, queue, agent loop, tools, outbox, Graph API.
 * @returns whether the appointment is stored, as `GET /v1/appointments` tells.
 */
export async function playOnce(demo: Demo, print: (line: string) => void): Promise<boolean> {
  const { simulator } = demo
  const phone = newPhone()
  const token = await logIn(demo)
  print(`${simulator.businessName} on WhatsApp, a customer with the number +${phone}\n`)
  tell(print, await simulator.sendText(phone, FIRST_WORDS, 'Marina Teste'))
  let seen = 0
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    const answer = await nextAnswer(demo, phone, seen)
    if (answer === null) {
      print('\nNo answer came in time.')
      return false
    }
    seen = answer.total
    tell(print, answer.message)
    const booked = (await appointments(demo, token)).find(({ customer }) => customer?.phone === phone)
    if (booked !== undefined) {
      print(`\nStored appointment (GET /v1/appointments):\n${JSON.stringify(booked, null, 2)}`)
      return true
    }
    const option = answer.message.choices?.options[0]
    if (option === undefined) break
    tell(print, await simulator.choose(phone, answer.message.id, option.id))
  }
  print('\nThe conversation ended without an appointment.')
  return false
}

/** The business's next message to the phone, and how many there are with it. */
async function nextAnswer(
  demo: Demo,
  phone: string,
  seen: number,
): Promise<{ message: ChatMessage; total: number } | null> {
  const until = demo.context.clock.now() + ANSWER_TIMEOUT_MS
  while (demo.context.clock.now() < until) {
    const theirs = demo.simulator.store.messages(phone).filter((message) => message.side === 'theirs')
    const message = theirs.at(-1)
    if (theirs.length > seen && message !== undefined) return { message, total: theirs.length }
    await delay(50)
  }
  return null
}

function tell(print: (line: string) => void, message: ChatMessage): void {
  const who = message.side === 'mine' ? 'Cliente ' : 'Studio  '
  print(`${who}│ ${message.text.replaceAll('\n', '\n        │ ')}`)
  for (const { title, description } of message.choices?.options ?? []) {
    print(`        │   ▸ ${title}${description === null ? '' : ` · ${description}`}`)
  }
}

/** A number nobody has used here: a customer without appointments, however often the demo is played. */
function newPhone(): string {
  return `55119${String(Math.floor(Math.random() * 100_000_000)).padStart(8, '0')}`
}

const loginSchema = z.object({ token: z.string() })
const appointmentsSchema = pageSchema(appointmentDtoSchema)

async function logIn(demo: Demo): Promise<string> {
  const response = await fetch(`${demo.address}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(DEMO_LOGIN),
  })
  return loginSchema.parse(await response.json()).token
}

async function appointments(demo: Demo, token: string): Promise<z.infer<typeof appointmentDtoSchema>[]> {
  const today = localDate(demoTenant.timeZone, demo.context.clock.now())
  const found: z.infer<typeof appointmentDtoSchema>[] = []
  let cursor: string | null = null
  do {
    const query = new URLSearchParams({ from: today, to: addDays(today, 70), limit: '100' })
    if (cursor !== null) query.set('cursor', cursor)
    const response = await fetch(`${demo.address}/v1/appointments?${query}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const page: z.infer<typeof appointmentsSchema> = appointmentsSchema.parse(await response.json())
    found.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== null)
  return found
}
