import { z } from 'zod'
import { instantSchema, localDateSchema } from '../contracts/staff-api.ts'
import { addDays } from '../scheduling/civil-date.ts'
import { localDate } from '../scheduling/time-zone.ts'
import { AppError } from '../shared/app-error.ts'

/** What several routes take. An empty query parameter is one that was left out (see `build-app`). */

/** PostgreSQL keeps no text with a NUL character. */
const withoutNul = z.string().refine((value) => !value.includes('\0'), 'must not hold a NUL character')

/** Text that must say something. */
export function requiredText(maxLength: number) {
  return withoutNul.max(maxLength).refine((value) => value.trim() !== '', 'must not be empty')
}

export function optionalText(maxLength: number) {
  return withoutNul.max(maxLength).optional()
}

/** The last path segment of a row; whatever is no id of the tenant's is answered with 404. */
export const idParams = z.object({ id: z.string() })

export const idempotencyHeaders = z.object({
  'idempotency-key': requiredText(200).optional().describe('The same key and body give the same answer'),
})

export const limitQuery = z.coerce.number().int().min(1).max(100).default(50)
export const cursorQuery = z.string().max(500).optional()

/** Years a business can mean; beyond them date arithmetic has no answer. */
export const dateQuery = localDateSchema
  .refine((date) => date >= '1970-01-01' && date < '3000-01-01', 'must be a date from 1970 to 2999')
  .optional()

const FIRST_INSTANT = Date.parse('1970-01-02T00:00:00Z')
const LAST_INSTANT = Date.parse('2999-12-30T00:00:00Z')

/** When something begins; any offset is accepted. */
export const startInstant = instantSchema.refine((text) => {
  const instant = Date.parse(text)
  return instant >= FIRST_INSTANT && instant < LAST_INSTANT
}, 'must be an instant from 1970 to 2999')

/** Most days that can be asked for at once. */
const MAX_RANGE_DAYS = 366

interface DateRange {
  readonly from: string
  readonly to: string
}

/**
 * The local dates that were asked for, both included. What is left out: `days` days up to today (negative)
 * or from today on (positive).
 * @throws AppError `invalid_request` when `to` is before `from`, or more than 366 days lie between.
 */
export function dateRange(
  query: { readonly from?: string | undefined; readonly to?: string | undefined },
  { timeZone, now, days }: { readonly timeZone: string; readonly now: number; readonly days: number },
): DateRange {
  const today = localDate(timeZone, now)
  const span = Math.abs(days) - 1
  const from = query.from ?? (days > 0 ? today : addDays(query.to ?? today, -span))
  const to = query.to ?? (days > 0 ? addDays(from, span) : today)
  if (to < from) throw new AppError('invalid_request', 'to: is before "from"')
  if (to > addDays(from, MAX_RANGE_DAYS)) {
    throw new AppError('invalid_request', `to: is more than ${MAX_RANGE_DAYS} days after "from"`)
  }
  return { from, to }
}
