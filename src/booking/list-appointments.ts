import { z } from 'zod'
import type { AppointmentDto, AppointmentStatus } from '../contracts/staff-api.ts'
import { joinSql, type Reader, type Sql, sql } from '../db/index.ts'
import { endOfDay, startOfDay } from '../scheduling/time-zone.ts'
import { AppError } from '../shared/app-error.ts'
import type { Clock } from '../shared/clock.ts'
import { loadTenantProfile } from '../tenancy/tenant-profile.ts'
import { toAppointmentDto } from './appointment-dto.ts'
import { readAppointments } from './appointment-rows.ts'
import { unknownProfessional } from './errors.ts'
import { findAppointment } from './find-appointment.ts'
import { assertDate } from './resolve.ts'
import { loadSetting, type Setting } from './setting.ts'
import type { Actor } from './types.ts'

export interface ListInput {
  /** Local dates `YYYY-MM-DD`, both included; the start decides. */
  readonly fromDate?: string | undefined
  readonly toDate?: string | undefined
  /** Key; of somebody inactive too. */
  readonly professional?: string | undefined
  readonly status?: AppointmentStatus | undefined
  /** 1 to 100; 50 when left out. */
  readonly limit?: number | undefined
  /** `nextCursor` of the page before. */
  readonly cursor?: string | undefined
}

export interface AppointmentPage {
  readonly items: AppointmentDto[]
  /** null on the last page. */
  readonly nextCursor: string | null
}

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 100
const MAX_UPCOMING = 100

const cursorContent = z.tuple([z.int(), z.uuid()])

/**
 * Appointments by start.
 * @throws DomainError `unknown_professional`, `invalid_start` (a date); AppError `invalid_cursor`
 */
export async function listForStaff(reader: Reader, clock: Clock, input: ListInput): Promise<AppointmentPage> {
  const setting = await loadSetting(reader, clock)
  const limit = Math.min(Math.max(input.limit ?? DEFAULT_LIMIT, 1), MAX_LIMIT)
  const conditions = [
    ...inDates(setting, input.fromDate, input.toDate),
    ...(input.professional === undefined
      ? []
      : [sql`a.professional_id = ${professionalId(setting, input.professional)}::uuid`]),
    ...(input.status === undefined ? [] : [sql`a.status = ${input.status}`]),
    ...(input.cursor === undefined ? [] : [after(input.cursor)]),
  ]
  const condition = joinSql([sql`true`, ...conditions], ' and ')
  const rows = await readAppointments(reader, setting.profile.id, condition, limit + 1)
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    items: page.map((row) => toAppointmentDto(row, setting.profile.timeZone)),
    nextCursor: rows.length > limit && last !== undefined ? cursorOf(last) : null,
  }
}

/** What a customer has before them: booked or confirmed and not over, by start. */
export async function listForCustomer(
  reader: Reader,
  clock: Clock,
  customerId: string,
): Promise<AppointmentDto[]> {
  const { id, timeZone } = await loadTenantProfile(reader)
  const upcoming = sql`a.customer_id = ${customerId}::uuid and a.status in ('booked', 'confirmed')
    and a.ends_at > ${new Date(clock.now())}`
  const rows = await readAppointments(reader, id, upcoming, MAX_UPCOMING)
  return rows.map((row) => toAppointmentDto(row, timeZone))
}

/** @throws DomainError `not_found` */
export async function getByCode(reader: Reader, actor: Actor, code: string): Promise<AppointmentDto> {
  const { id, locale, timeZone } = await loadTenantProfile(reader)
  return toAppointmentDto(await findAppointment(reader, id, actor, code, locale), timeZone)
}

/** The appointments of these ids, by id. */
export async function getAppointments(
  reader: Reader,
  ids: readonly string[],
): Promise<Map<string, AppointmentDto>> {
  if (ids.length === 0) return new Map()
  const { id, timeZone } = await loadTenantProfile(reader)
  const rows = await readAppointments(reader, id, sql`a.id = any(${[...ids]}::uuid[])`, ids.length)
  return new Map(rows.map((row) => [row.id, toAppointmentDto(row, timeZone)]))
}

/** What a customer had: over, or called off; newest first. */
export async function listPastOfCustomer(
  reader: Reader,
  clock: Clock,
  customerId: string,
  limit: number,
): Promise<AppointmentDto[]> {
  const { id, timeZone } = await loadTenantProfile(reader)
  const newest = sql`a.id in (select p.id from appointments p
    where p.tenant_id = ${id}::uuid and p.customer_id = ${customerId}::uuid
      and (p.status not in ('booked', 'confirmed') or p.ends_at <= ${new Date(clock.now())})
    order by p.starts_at desc, p.id desc limit ${limit})`
  const rows = await readAppointments(reader, id, newest, limit)
  return rows.toReversed().map((row) => toAppointmentDto(row, timeZone))
}

function inDates(setting: Setting, fromDate: string | undefined, toDate: string | undefined): Sql[] {
  const { timeZone } = setting.profile
  for (const date of [fromDate, toDate]) if (date !== undefined) assertDate(setting, date)
  return [
    ...(fromDate === undefined ? [] : [sql`a.starts_at >= ${new Date(startOfDay(timeZone, fromDate))}`]),
    ...(toDate === undefined ? [] : [sql`a.starts_at < ${new Date(endOfDay(timeZone, toDate))}`]),
  ]
}

function professionalId(setting: Setting, key: string): string {
  const professional = setting.catalog.professionals.find((candidate) => candidate.key === key)
  if (professional === undefined) throw unknownProfessional(setting)
  return professional.id
}

function cursorOf(row: { readonly startsAt: Date; readonly id: string }): string {
  return Buffer.from(JSON.stringify([row.startsAt.getTime(), row.id])).toString('base64url')
}

function after(cursor: string): Sql {
  const [time, id] = parseCursor(cursor)
  return sql`(a.starts_at, a.id) > (${new Date(time)}, ${id}::uuid)`
}

function parseCursor(cursor: string): readonly [number, string] {
  try {
    return cursorContent.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')))
  } catch (error) {
    throw new AppError('invalid_cursor', 'the cursor is not one that was given out', { cause: error })
  }
}
