export interface ProfessionalCandidate {
  /** The professional's key, unique among the candidates. */
  readonly key: string
  /** How many appointments that block time they have on the local date of the start. */
  readonly appointmentsThatDay: number
}

/**
 * Who gets an appointment when nobody was named: the one with the fewest appointments that day. Among
 * equals the order is a rotation that `rotation` fixes (the customer's id and the start, say): the same
 * question gets the same answer, different ones get different people, and the order in which the
 * candidates were given does not matter. Undefined when there are none.
 */
export function chooseProfessional<T extends ProfessionalCandidate>(
  candidates: readonly T[],
  rotation: string,
): T | undefined {
  const ranked = candidates
    .map((candidate) => ({ candidate, turn: hash(`${rotation}\n${candidate.key}`) }))
    .sort(
      (a, b) =>
        a.candidate.appointmentsThatDay - b.candidate.appointmentsThatDay ||
        a.turn - b.turn ||
        (a.candidate.key < b.candidate.key ? -1 : 1),
    )
  return ranked[0]?.candidate
}

/**
 * FNV-1a with the finalizer of MurmurHash3: FNV alone leaves texts that differ in the last letter only
 * (`ana1`, `ana2`) in nearly the same order for every rotation.
 */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}
