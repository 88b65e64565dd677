import type { SqlTx } from '../db/index.ts'
import { checkStart } from '../scheduling/check-start.ts'
import { chooseProfessional } from '../scheduling/choose-professional.ts'
import type { BookingLimits } from '../scheduling/types.ts'
import type { CatalogProfessional } from '../tenancy/catalog.ts'
import { isExplainedNearby, loadBlockedAhead, type Refused, type Wish } from './explain-refusal.ts'
import { slotQuestion } from './setting.ts'
import type { Situation } from './situation.ts'
import { StartRefused } from './start-refused.ts'

/**
 * Who of the candidates gets the appointment: of those who are free the one with the fewest appointments
 * that local day, then by rotation. Call it under the locks of all candidates.
 *
 * `limits` in order of preference: a forced booking of the staff goes to somebody who works then, if
 * anybody does.
 * @throws StartRefused when nobody can be had
 */
export async function chooseFree(
  tx: SqlTx,
  wish: Wish,
  situation: Situation,
  limits: readonly BookingLimits[],
  rotation: string,
): Promise<CatalogProfessional> {
  let refused: readonly Refused[] = []
  for (const limit of limits) {
    const checked = checkCandidates(wish, situation, limit)
    const ranked = checked.free.map((professional) => ({
      professional,
      key: professional.key,
      appointmentsThatDay: situation.counts.get(professional.id) ?? 0,
    }))
    const chosen = chooseProfessional(ranked, rotation)
    if (chosen !== undefined) return chosen.professional
    refused = checked.refused
  }
  const { blocked } = situation
  const isEnough = isExplainedNearby(wish, refused, blocked)
  throw new StartRefused(wish, refused, isEnough ? blocked : await loadBlockedAhead(tx, wish))
}

/** How the turn rotates: the same for the times that are offered and the booking that follows. */
export function rotationOf(customerId: string | null, start: number): string {
  return `${customerId ?? ''} ${start}`
}

function checkCandidates(
  { setting, service, candidates, start }: Wish,
  { blocked }: Situation,
  limits: BookingLimits,
) {
  const free: CatalogProfessional[] = []
  const refused: Refused[] = []
  for (const professional of candidates) {
    const question = slotQuestion(setting, service, professional, blocked.get(professional.id) ?? [])
    const check = checkStart({ ...question, limits, start })
    if (check.ok) free.push(professional)
    else refused.push({ professional, refusal: check })
  }
  return { free, refused }
}
