import { z } from 'zod'
import { LOCALES } from '../shared/locale.ts'

/**
 * The whole configuration of one tenant, as an operator writes it. Times are wall times in `timeZone`,
 * weekdays are ISO (1 Monday … 7 Sunday). Unknown properties are refused: a misspelt section would
 * otherwise silently go back to its default.
 */

const key = z.string().regex(/^[a-z0-9-]{1,40}$/, 'must be 1 to 40 of a-z, 0-9 and -')
/** PostgreSQL keeps no text with a NUL character. */
const text = z.string().refine((value) => !value.includes('\0'), 'must not hold a NUL character')
const name = text.trim().min(1).max(120)
const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time HH:MM from 00:00 to 23:59')
const endOfRange = z
  .string()
  .regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'must be a time HH:MM from 00:00 to 24:00')
const localDate = z.iso.date('must be a date YYYY-MM-DD that exists')

export const wallRangeSchema = z.strictObject({ from: timeOfDay, to: endOfRange })
const weeklyRangeSchema = z.strictObject({
  weekdays: z
    .array(z.int().min(1).max(7))
    .min(1)
    .max(7)
    .refine((days) => new Set(days).size === days.length, 'names a weekday twice'),
  from: timeOfDay,
  to: endOfRange,
})
export type WeeklyRange = z.infer<typeof weeklyRangeSchema>

const timeZone = z
  .string()
  .refine(isTimeZone, 'is not a time zone of the IANA database (e.g. America/Sao_Paulo)')

const currency = z.string().regex(/^[A-Z]{3}$/, 'must be three capital letters (ISO 4217), e.g. BRL')

const channelSchema = z.strictObject({
  phoneNumberId: z.string().regex(/^\d{1,32}$/, 'must be digits'),
  wabaId: z.string().regex(/^\d{1,32}$/, 'must be digits'),
  displayPhoneNumber: z.string().regex(/^\+\d{6,15}$/, 'must be + and 6 to 15 digits'),
  accessToken: text.min(1).max(2_000).optional(),
})

const notice = z.int().min(0).max(43_200)
const policySchema = z.strictObject({
  slotStepMinutes: z.int().min(5).max(240).default(30),
  slotAlignment: z.enum(['shift', 'gap']).default('shift'),
  minNoticeMinutes: notice.default(60),
  maxAdvanceDays: z.int().min(1).max(365).default(60),
  changeNoticeMinutes: notice.default(120),
  maxActivePerCustomer: z.int().min(1).max(50).default(3),
})

const serviceSchema = z.strictObject({
  key,
  name,
  description: text.max(1_000).default(''),
  durationMinutes: z.int().min(5).max(720),
  bufferBeforeMinutes: z.int().min(0).max(240).default(0),
  bufferAfterMinutes: z.int().min(0).max(240).default(0),
  priceCents: z.int().min(0).max(2_000_000_000).nullable().default(null),
})

const professionalSchema = z.strictObject({
  key,
  name,
  services: z.array(key).refine((keys) => new Set(keys).size === keys.length, 'names a service twice'),
  hours: z.array(weeklyRangeSchema).max(100).superRefine(refuseOverlapByWeekday),
})

const exceptionSchema = z
  .strictObject({
    professional: key.nullable(),
    from: localDate,
    to: localDate,
    hours: z.array(wallRangeSchema).max(20).superRefine(refuseOverlap),
  })
  .refine((exception) => exception.from <= exception.to, { path: ['to'], message: 'is before "from"' })

const DEFAULT_HANDOFF_HOURS: WeeklyRange[] = [{ weekdays: [1, 2, 3, 4, 5, 6], from: '08:00', to: '19:00' }]

const handoffSchema = z.strictObject({
  hours: z
    .array(weeklyRangeSchema)
    .max(100)
    .superRefine(refuseOverlapByWeekday)
    .default(DEFAULT_HANDOFF_HOURS),
  firstReplyMinutes: z.int().min(1).max(1_440).default(10),
  returnToQueueMinutes: z.int().min(1).max(1_440).default(15),
})

export const templateNameSchema = z
  .string()
  .regex(/^[a-z0-9_]{1,512}$/, 'must be the name of a template: a-z, 0-9 and _')
export const templateLanguageSchema = z
  .string()
  .regex(/^[A-Za-z_]{2,15}$/, 'must be a language code, e.g. pt_BR')

/** Words of the business that WhatsApp approved beforehand. Without variables: nothing here fills them in. */
const textsSchema = z.strictObject({
  reopenTemplate: z.strictObject({ name: templateNameSchema, language: templateLanguageSchema }),
})

const staffSchema = z.strictObject({
  email: z.email().max(254).toLowerCase(),
  name,
  role: z.enum(['owner', 'attendant']),
  password: text.min(10, 'must have at least 10 characters').max(200).optional(),
})

export const tenantDocumentSchema = z
  .strictObject({
    slug: key,
    name,
    timeZone,
    locale: z.enum(LOCALES),
    currency,
    channel: channelSchema,
    policy: policySchema.prefault({}),
    services: z.array(serviceSchema).max(200),
    professionals: z.array(professionalSchema).max(200),
    exceptions: z.array(exceptionSchema).max(1_000).default([]),
    handoff: handoffSchema.prefault({}),
    instructions: text.max(4_000).default(''),
    /** Off when it is left out. */
    texts: textsSchema.optional(),
    staff: z.array(staffSchema).max(500).default([]),
  })
  .superRefine((document, context) => {
    refuseRepeated(document.services, 'services', 'key', context)
    refuseRepeated(document.professionals, 'professionals', 'key', context)
    refuseRepeated(document.staff, 'staff', 'email', context)
    const services = new Set(document.services.map((service) => service.key))
    for (const [index, professional] of document.professionals.entries()) {
      for (const [at, service] of professional.services.entries()) {
        if (services.has(service)) continue
        context.addIssue({
          code: 'custom',
          path: ['professionals', index, 'services', at],
          message: `names the service "${service}", which is not in "services"`,
        })
      }
    }
    const professionals = new Set(document.professionals.map((professional) => professional.key))
    for (const [index, exception] of document.exceptions.entries()) {
      if (exception.professional === null || professionals.has(exception.professional)) continue
      context.addIssue({
        code: 'custom',
        path: ['exceptions', index, 'professional'],
        message: `names "${exception.professional}", which is not in "professionals"`,
      })
    }
  })

/** The document after validation: every default filled in. */
export type TenantDocument = z.output<typeof tenantDocumentSchema>

/** The stored document as it is given back: without access token and passwords. */
export const storedTenantDocumentSchema = z.object({
  ...tenantDocumentSchema.shape,
  channel: channelSchema.omit({ accessToken: true }),
  staff: z.array(staffSchema.omit({ password: true })),
})
export type StoredTenantDocument = z.output<typeof storedTenantDocumentSchema>

/** Minutes after midnight of `HH:MM`; `24:00` is 1440. The text was validated. */
export function minutesOfDay(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
}

/** `HH:MM` of minutes after midnight, 1440 as `24:00`. */
export function timeOfMinutes(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}

function isTimeZone(value: string): boolean {
  // Intl also takes offsets such as +03:00, which have no daylight saving rules to go by.
  if (!/^[A-Za-z]/.test(value)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: value })
    return true
  } catch {
    return false
  }
}

type TimeRange = z.infer<typeof wallRangeSchema>

/**
 * Two entries for the same time are a slip of whoever wrote the document: which grid did they mean? One entry
 * may well run past midnight into the next day's hours; those stay two shifts.
 */
function refuseOverlapByWeekday(ranges: readonly WeeklyRange[], context: z.RefinementCtx): void {
  for (let weekday = 1; weekday <= 7; weekday += 1) {
    const ofDay = ranges.map((range) => (range.weekdays.includes(weekday) ? range : null))
    reportOverlaps(ofDay, context, ` on weekday ${weekday}`)
  }
}

function refuseOverlap(ranges: readonly TimeRange[], context: z.RefinementCtx): void {
  reportOverlaps(ranges, context, '')
}

function reportOverlaps(
  ranges: readonly (TimeRange | null)[],
  context: z.RefinementCtx,
  where: string,
): void {
  const spans = ranges.flatMap((range, index) => {
    if (range === null) return []
    const from = minutesOfDay(range.from)
    const to = minutesOfDay(range.to)
    return [{ index, from, to: to <= from ? to + 1_440 : to }]
  })
  for (const [at, span] of spans.entries()) {
    const earlier = spans.slice(0, at).find((other) => other.from < span.to && span.from < other.to)
    if (earlier === undefined) continue
    context.addIssue({
      code: 'custom',
      path: [span.index],
      message: `overlaps entry ${earlier.index}${where}`,
    })
  }
}

function refuseRepeated<Field extends string>(
  items: readonly Record<Field, string>[],
  section: string,
  field: Field,
  context: z.RefinementCtx,
): void {
  const seen = new Set<string>()
  for (const [index, item] of items.entries()) {
    const value = item[field]
    if (seen.has(value)) {
      context.addIssue({
        code: 'custom',
        path: [section, index, field],
        message: `"${value}" stands there twice`,
      })
    }
    seen.add(value)
  }
}
