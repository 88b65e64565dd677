import { z } from 'zod'
import type { Reader } from '../db/index.ts'
import type { SchedulePolicy, WeeklyHours } from '../scheduling/types.ts'
import { AppError } from '../shared/app-error.ts'
import { LOCALES, type Locale } from '../shared/locale.ts'
import { slotAlignmentColumn, weeklyHoursColumn } from './columns.ts'

/** What a tenant is, but for its services and people. */
export interface TenantProfile {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly timeZone: string
  readonly locale: Locale
  /** ISO 4217. */
  readonly currency: string
  readonly policy: TenantPolicy
  readonly handoff: {
    /** When people answer; empty: always. */
    readonly hours: readonly WeeklyHours[]
    readonly firstReplyMinutes: number
    readonly returnToQueueMinutes: number
  }
  readonly instructions: string
  /** Raised by every change of the tenant document. */
  readonly version: number
}

export interface TenantPolicy extends SchedulePolicy {
  readonly changeNoticeMinutes: number
  readonly maxActivePerCustomer: number
}

const localeColumn = z.enum(LOCALES)

/** @throws AppError `tenant_not_found` when the handle's tenant does not exist. */
export async function loadTenantProfile(reader: Reader): Promise<TenantProfile> {
  const row = await reader.tenant.findUnique({ where: { id: reader.tenantId } })
  if (row === null) throw new AppError('tenant_not_found', 'there is no such tenant')
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    timeZone: row.timeZone,
    locale: localeColumn.parse(row.locale),
    currency: row.currency,
    policy: {
      slotStepMinutes: row.slotStepMinutes,
      slotAlignment: slotAlignmentColumn.parse(row.slotAlignment),
      minNoticeMinutes: row.minNoticeMinutes,
      maxAdvanceDays: row.maxAdvanceDays,
      changeNoticeMinutes: row.changeNoticeMinutes,
      maxActivePerCustomer: row.maxActivePerCustomer,
    },
    handoff: {
      hours: weeklyHoursColumn.parse(row.handoffHours),
      firstReplyMinutes: row.firstReplyMinutes,
      returnToQueueMinutes: row.returnToQueueMinutes,
    },
    instructions: row.instructions,
    version: row.version,
  }
}
