import type { CatalogDto } from '../../../contracts/dashboard-api.ts'
import type { AppointmentDto } from '../../../contracts/staff-api.ts'

/** A professional in the agenda; one who was removed still has what was booked before. */
export interface AgendaColumn {
  readonly key: string
  readonly name: string
  /** Nothing can be booked with or moved to one who is not. */
  readonly isActive: boolean
}

interface BookedTime {
  readonly appointment: Pick<AppointmentDto, 'professional'>
  readonly end: Date
}

/**
 * Everyone who works, then by name whoever was removed and has an appointment in `events`.
 * @param from wall time; what ended by then gives nobody a column. Undefined: all of it counts.
 */
export function columnsOf(
  catalog: Pick<CatalogDto, 'professionals'>,
  events: readonly BookedTime[],
  from?: Date,
): AgendaColumn[] {
  const active = catalog.professionals.map(({ key, name }) => ({ key, name, isActive: true }))
  const known = new Set(active.map(({ key }) => key))
  const removed = new Map<string, AgendaColumn>()
  for (const { appointment, end } of events) {
    const { key, name } = appointment.professional
    if (known.has(key) || (from !== undefined && end <= from)) continue
    removed.set(key, { key, name, isActive: false })
  }
  return [...active, ...[...removed.values()].toSorted((one, other) => one.name.localeCompare(other.name))]
}
