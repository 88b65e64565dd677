import { z } from 'zod'
import { type SqlReader, sql } from '../db/index.ts'
import type { HoursException, SchedulePolicy, WeeklyHours } from '../scheduling/types.ts'
import { AppError } from '../shared/app-error.ts'
import { LOCALES, type Locale } from '../shared/locale.ts'
import { slotAlignmentColumn, wallRangesColumn, weeklyHoursColumn } from './columns.ts'

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
  /** Everyone's closed days and special hours, in document order. */
  readonly exceptions: readonly HoursException[]
  readonly instructions: string
  /** The approved template that leaves in place of a text whose 24-hour window is closed; null: none. */
  readonly reopenTemplate: { readonly name: string; readonly language: string } | null
  /** Raised by every change of the tenant document. */
  readonly version: number
}

export interface TenantPolicy extends SchedulePolicy {
  readonly changeNoticeMinutes: number
  readonly maxActivePerCustomer: number
}

const profileRows = z
  .array(
    z.object({
      id: z.string(),
      slug: z.string(),
      name: z.string(),
      timeZone: z.string(),
      locale: z.enum(LOCALES),
      currency: z.string(),
      slotStepMinutes: z.int(),
      slotAlignment: slotAlignmentColumn,
      minNoticeMinutes: z.int(),
      maxAdvanceDays: z.int(),
      changeNoticeMinutes: z.int(),
      maxActivePerCustomer: z.int(),
      handoffHours: weeklyHoursColumn,
      firstReplyMinutes: z.int(),
      returnToQueueMinutes: z.int(),
      exceptions: z.array(z.object({ fromDate: z.string(), toDate: z.string(), hours: wallRangesColumn })),
      instructions: z.string(),
      reopenTemplateName: z.string().nullable(),
      reopenTemplateLanguage: z.string().nullable(),
      version: z.int(),
    }),
  )
  .max(1)

/** @throws AppError `tenant_not_found` when the handle's tenant does not exist. */
export async function loadTenantProfile(reader: SqlReader): Promise<TenantProfile> {
  const rows = await reader.$queryRaw(sql`select id, slug, name, time_zone as "timeZone", locale, currency,
      slot_step_minutes as "slotStepMinutes", slot_alignment as "slotAlignment",
      min_notice_minutes as "minNoticeMinutes", max_advance_days as "maxAdvanceDays",
      change_notice_minutes as "changeNoticeMinutes", max_active_per_customer as "maxActivePerCustomer",
      handoff_hours as "handoffHours", first_reply_minutes as "firstReplyMinutes",
      return_to_queue_minutes as "returnToQueueMinutes", instructions,
      (select coalesce(json_agg(json_build_object('fromDate', e.from_date, 'toDate', e.to_date, 'hours', e.hours)
          order by e.position), '[]')
        from schedule_exceptions e where e.tenant_id = tenants.id and e.professional_id is null) as exceptions,
      reopen_template_name as "reopenTemplateName", reopen_template_language as "reopenTemplateLanguage", version
    from tenants where id = ${reader.tenantId}::uuid`)
  const [row] = profileRows.parse(rows)
  if (row === undefined) throw new AppError('tenant_not_found', 'there is no such tenant')
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    timeZone: row.timeZone,
    locale: row.locale,
    currency: row.currency,
    policy: {
      slotStepMinutes: row.slotStepMinutes,
      slotAlignment: row.slotAlignment,
      minNoticeMinutes: row.minNoticeMinutes,
      maxAdvanceDays: row.maxAdvanceDays,
      changeNoticeMinutes: row.changeNoticeMinutes,
      maxActivePerCustomer: row.maxActivePerCustomer,
    },
    handoff: {
      hours: row.handoffHours,
      firstReplyMinutes: row.firstReplyMinutes,
      returnToQueueMinutes: row.returnToQueueMinutes,
    },
    exceptions: row.exceptions.map((exception) => ({ own: false, ...exception })),
    instructions: row.instructions,
    reopenTemplate: reopenTemplateOf(row.reopenTemplateName, row.reopenTemplateLanguage),
    version: row.version,
  }
}

function reopenTemplateOf(name: string | null, language: string | null): TenantProfile['reopenTemplate'] {
  return name === null || language === null ? null : { name, language }
}
