import type { Reader } from '../db/index.ts'
import { checkStart } from '../scheduling/check-start.ts'
import { chooseProfessional } from '../scheduling/choose-professional.ts'
import { endOfDay, localDate, startOfDay } from '../scheduling/time-zone.ts'
import type { BookingLimits } from '../scheduling/types.ts'
import type { CatalogProfessional } from '../tenancy/catalog.ts'
import { loadBlocked } from './blocked-time.ts'
import type { Refused, Wish } from './explain-refusal.ts'
import { slotQuestion } from './setting.ts'
import { StartRefused } from './write-appointment.ts'

/**
 * Who of the candidates gets the appointment: of those who are free the one with the fewest appointments
 * that local day, then by rotation. Call it under the locks of all candidates.
 *
 * `limits` in order of preference: a forced booking of the staff goes to somebody who works then, if
 * anybody does.
 * @throws StartRefused when nobody can be had
 */
export async function chooseFree(
  reader: Reader,
  wish: Wish,
  limits: readonly BookingLimits[],
  rotation: string,
): Promise<CatalogProfessional> {
  const blocked = await loadBlocked(reader, {
    professionalIds: wish.candidates.map(({ id }) => id),
    firstStart: wish.start,
    lastStart: wish.start,
    exceptAppointmentId: wish.appointmentId,
  })
  let refused: Refused[] = []
  for (const limit of limits) {
    refused = []
    const free: CatalogProfessional[] = []
    for (const professional of wish.candidates) {
      const question = slotQuestion(
        wish.setting,
        wish.service,
        professional,
        blocked.get(professional.id) ?? [],
      )
      const check = checkStart({ ...question, limits: limit, start: wish.start })
      if (check.ok) free.push(professional)
      else refused.push({ professional, refusal: check })
    }
    const chosen = await fairest(reader, wish, free, rotation)
    if (chosen !== undefined) return chosen
  }
  throw new StartRefused(wish, refused)
}

/** How the turn rotates: the same for the times that are offered and the booking that follows. */
export function rotationOf(customerId: string | null, start: number): string {
  return `${customerId ?? ''} ${start}`
}

/** How many appointments each has on the local date of an instant, by professional id. */
export async function countThatDay(
  reader: Reader,
  timeZone: string,
  date: string,
  professionalIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await reader.appointment.groupBy({
    by: ['professionalId'],
    where: {
      professionalId: { in: [...professionalIds] },
      status: { not: 'cancelled' },
      startsAt: { gte: new Date(startOfDay(timeZone, date)), lt: new Date(endOfDay(timeZone, date)) },
    },
    _count: { _all: true },
  })
  return new Map(rows.map((row) => [row.professionalId, row._count._all]))
}

async function fairest(
  reader: Reader,
  wish: Wish,
  free: readonly CatalogProfessional[],
  rotation: string,
): Promise<CatalogProfessional | undefined> {
  if (free.length <= 1) return free[0]
  const { timeZone } = wish.setting.profile
  const ids = free.map(({ id }) => id)
  const counts = await countThatDay(reader, timeZone, localDate(timeZone, wish.start), ids)
  const ranked = free.map((professional) => ({
    professional,
    key: professional.key,
    appointmentsThatDay: counts.get(professional.id) ?? 0,
  }))
  return chooseProfessional(ranked, rotation)?.professional
}
