import { formatOffsetInstant } from '../scheduling/time-zone.ts'

/** RFC 3339 with the tenant's offset at that instant (epoch ms or date); null stays null. */
export function formatInstant(at: Date | number | null, timeZone: string): string | null {
  if (at === null) return null
  return formatOffsetInstant(timeZone, typeof at === 'number' ? at : at.getTime())
}
