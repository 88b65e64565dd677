import { z } from 'zod'
import { minutesOfDay, timeOfMinutes, type WeeklyRange } from '../contracts/tenant-document.ts'
import type { WallRange, WeeklyHours } from '../scheduling/types.ts'

/** What the columns of the tenancy tables hold, and how it reads in the tenant document. */

const minute = z.int().min(0).max(1440)

/** `schedule_exceptions.hours`. */
export const wallRangesColumn = z.array(z.object({ from: minute, to: minute }))

/** `tenants.handoff_hours`. */
export const weeklyHoursColumn = z.array(
  z.object({ weekdays: z.array(z.int().min(1).max(7)), from: minute, to: minute }),
)

export const slotAlignmentColumn = z.enum(['shift', 'gap'])
export const staffRoleColumn = z.enum(['owner', 'attendant'])

/** A `date` column: Prisma carries it as midnight UTC. */
export function dateColumn(date: string): Date {
  return new Date(`${date}T00:00:00Z`)
}

/** `YYYY-MM-DD` of a `date` column. */
export function dateOfColumn(value: Date): string {
  return value.toISOString().slice(0, 10)
}

export function toWallRange(range: { from: string; to: string }): WallRange {
  return { from: minutesOfDay(range.from), to: minutesOfDay(range.to) }
}

export function toWeeklyHours(range: WeeklyRange): WeeklyHours {
  return { weekdays: range.weekdays, ...toWallRange(range) }
}

export function fromWallRange(range: WallRange): { from: string; to: string } {
  return { from: timeOfMinutes(range.from), to: timeOfMinutes(range.to) }
}

export function fromWeeklyHours(hours: WeeklyHours): WeeklyRange {
  return { weekdays: [...hours.weekdays], ...fromWallRange(hours) }
}
