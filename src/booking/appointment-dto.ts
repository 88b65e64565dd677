import { type AppointmentDto, appointmentDtoSchema } from '../contracts/staff-api.ts'
import { formatOffsetInstant } from '../scheduling/time-zone.ts'

/** What of an appointment is shown. */
export interface AppointmentRow {
  readonly code: string
  readonly status: string
  readonly startsAt: Date
  readonly endsAt: Date
  readonly forName: string | null
  readonly priceCents: number | null
  readonly source: string
  readonly createdAt: Date
  readonly service: { readonly key: string; readonly name: string }
  readonly professional: { readonly key: string; readonly name: string }
  readonly customer: {
    readonly id: string
    readonly name: string | null
    readonly phone: string | null
  } | null
}

const { status: statusColumn, source: sourceColumn } = appointmentDtoSchema.shape

/** An appointment as the API shows it, with the tenant's offset at each instant. */
export function toAppointmentDto(row: AppointmentRow, timeZone: string): AppointmentDto {
  const instant = (value: Date) => formatOffsetInstant(timeZone, value.getTime())
  return {
    code: row.code,
    status: statusColumn.parse(row.status),
    service: { key: row.service.key, name: row.service.name },
    professional: { key: row.professional.key, name: row.professional.name },
    customer: row.customer === null ? null : { ...row.customer },
    forName: row.forName,
    startsAt: instant(row.startsAt),
    endsAt: instant(row.endsAt),
    priceCents: row.priceCents,
    source: sourceColumn.parse(row.source),
    createdAt: instant(row.createdAt),
  }
}

/** The tenant's wall time `YYYY-MM-DDTHH:MM` of an instant in a DTO, as the tools write it. */
export function wallTimeOf(instant: string): string {
  return instant.slice(0, 16)
}
