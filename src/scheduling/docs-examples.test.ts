import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { checkStart } from './check-start.ts'
import { chooseProfessional } from './choose-professional.ts'
import { addDays } from './civil-date.ts'
import { expandShifts } from './expand-shifts.ts'
import { findSlots } from './find-slots.ts'
import { blockedInterval, overlaps } from './intervals.ts'
import { instantToWall, startOfDay, wallToInstant } from './time-zone.ts'
import type { ProfessionalSchedule, SlotQuestion } from './types.ts'

/** Runs every example of docs/scheduling.md: the page and the engine cannot drift apart. */

const minutes = z
  .string()
  .regex(/^\d\d:\d\d$/)
  .transform((time) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3)))
const range = z.strictObject({ from: minutes, to: minutes })
const limits = z.enum(['customer', 'staff', 'staff_force']).default('customer')
const buffers = { bufferBeforeMinutes: z.number().default(0), bufferAfterMinutes: z.number().default(0) }
const span = z.tuple([z.string(), z.string()])
const title = { rule: z.number().int().min(1).max(9), name: z.string() }

const slotExample = z.strictObject({
  ...title,
  timeZone: z.string().default('UTC'),
  from: z.string(),
  to: z.string(),
  now: z.string().optional(),
  hours: z.array(range.extend({ weekdays: z.array(z.number()) })),
  exceptions: z
    .array(
      z.strictObject({
        own: z.boolean().default(false),
        from: z.string(),
        to: z.string(),
        hours: z.array(range),
      }),
    )
    .default([]),
  service: z.strictObject({ durationMinutes: z.number().default(60), ...buffers }).prefault({}),
  policy: z
    .strictObject({
      slotStepMinutes: z.number().default(30),
      slotAlignment: z.enum(['shift', 'gap']).default('shift'),
      minNoticeMinutes: z.number().default(0),
      maxAdvanceDays: z.number().default(60),
    })
    .prefault({}),
  booked: z
    .array(
      z.strictObject({
        start: z.string(),
        durationMinutes: z.number(),
        ...buffers,
        moving: z.boolean().default(false),
        status: z.enum(['booked', 'confirmed', 'completed', 'no_show', 'cancelled']).default('booked'),
      }),
    )
    .default([]),
  expect: z.strictObject({
    shifts: z.array(span).optional(),
    all: z.array(z.string()).optional(),
    offered: z.array(z.string()).default([]),
    notOffered: z.array(z.string()).default([]),
    checks: z.array(z.strictObject({ start: z.string(), limits, result: z.string() })).default([]),
  }),
})
const choiceExample = z.strictObject({
  ...title,
  candidates: z.array(z.strictObject({ key: z.string(), appointmentsThatDay: z.number() })),
  expect: z.strictObject({ chosen: z.array(z.string()) }),
})
const overlapExample = z.strictObject({
  ...title,
  appointments: z.array(span),
  expect: z.strictObject({ overlapping: z.array(z.tuple([z.number(), z.number()])) }),
})
const anyExample = z.union([slotExample, choiceExample, overlapExample])

const page = readFileSync(new URL('../../docs/scheduling.md', import.meta.url), 'utf8')
const examples = [...page.matchAll(/^```json\n(.*?)^```$/gms)].map(([, text]) => {
  return anyExample.parse(JSON.parse(text ?? ''))
})

function instant(timeZone: string, text: string): number {
  return text.endsWith('Z') ? Date.parse(text) : (wallToInstant(timeZone, text)?.instant ?? Number.NaN)
}

function questionOf(example: z.infer<typeof slotExample>): SlotQuestion {
  const { timeZone, service, policy } = example
  const blocking = example.booked.filter(({ moving, status }) => !moving && status !== 'cancelled')
  const schedule: ProfessionalSchedule = {
    timeZone,
    hours: example.hours,
    exceptions: example.exceptions.map(({ own, from, to, hours }) => ({
      own,
      fromDate: from,
      toDate: to,
      hours,
    })),
    blocked: blocking.map((appointment) =>
      blockedInterval(instant(timeZone, appointment.start), appointment),
    ),
  }
  const now =
    example.now === undefined
      ? startOfDay(timeZone, addDays(example.from, -1))
      : instant(timeZone, example.now)
  return { schedule, service, policy, now }
}

function runSlots(example: z.infer<typeof slotExample>): void {
  const { timeZone, expect: expected, from: fromDate, to: toDate } = example
  const question = questionOf(example)
  const slots = findSlots({ ...question, fromDate, toDate, limits: 'customer' })
  const walls = slots.map(({ start }) => instantToWall(timeZone, start))
  if (expected.shifts !== undefined) {
    const shifts = expandShifts(question.schedule, fromDate, toDate)
    expect(shifts.map(({ start, end }) => [start, end])).toEqual(
      expected.shifts.map((ends) => ends.map((end) => Date.parse(end))),
    )
  }
  if (expected.all !== undefined) {
    expect(walls).toEqual(expected.all)
  }
  expect(walls).toEqual(expect.arrayContaining(expected.offered))
  expect(walls.filter((wall) => expected.notOffered.includes(wall))).toEqual([])
  for (const { start, result, limits: who } of expected.checks) {
    const check = checkStart({ ...question, start: instant(timeZone, start), limits: who })
    expect(check.ok ? 'ok' : check.reason, `${start} for ${who}`).toBe(result)
  }
  for (const { start } of slots) {
    expect(checkStart({ ...question, start, limits: 'customer' })).toEqual({ ok: true })
  }
}

function runChoice({ candidates, expect: expected }: z.infer<typeof choiceExample>): void {
  const chosen = new Set<string | undefined>()
  for (let turn = 0; turn < 100; turn += 1) {
    chosen.add(chooseProfessional(candidates, `turn-${turn}`)?.key)
  }
  expect([...chosen].sort()).toEqual(expected.chosen)
}

function runOverlap({ appointments, expect: expected }: z.infer<typeof overlapExample>): void {
  const intervals = appointments.map(([start, end]) => ({ start: Date.parse(start), end: Date.parse(end) }))
  const pairs = intervals.flatMap((a, first) =>
    intervals.flatMap((b, second) => (first < second && overlaps(a, b) ? [[first, second]] : [])),
  )
  expect(pairs).toEqual(expected.overlapping)
}

describe('the examples of docs/scheduling.md', () => {
  it('cover all nine rules', () => {
    expect([...new Set(examples.map(({ rule }) => rule))]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  for (const example of examples) {
    it(`rule ${example.rule}: ${example.name}`, () => {
      if ('candidates' in example) {
        runChoice(example)
      } else if ('appointments' in example) {
        runOverlap(example)
      } else {
        runSlots(example)
      }
    })
  }
})
