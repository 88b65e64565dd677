/**
 * At most `max` of the items, evenly spread over their order, the first and the last among them. For a
 * day's times: a customer sees morning, noon and evening, not only the first two hours.
 */
export function spreadOverDay<T>(slots: readonly T[], max: number): T[] {
  if (slots.length <= max) {
    return [...slots]
  }
  if (max <= 1) {
    return slots.slice(0, Math.max(0, max))
  }
  const stride = (slots.length - 1) / (max - 1)
  const chosen = new Set(Array.from({ length: max }, (_, index) => Math.round(index * stride)))
  return slots.filter((_, index) => chosen.has(index))
}
