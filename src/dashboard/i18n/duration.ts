const MINUTE = 60_000

/** `45 s`, `8 min`, `2 h 05`, `3 d`: one glance, no more exact than it matters. */
export function shortDuration(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / MINUTE)
  if (minutes < 1) return `${Math.max(0, Math.floor(milliseconds / 1_000))} s`
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return `${hours} h ${String(minutes % 60).padStart(2, '0')}`
  return `${Math.floor(hours / 24)} d`
}
