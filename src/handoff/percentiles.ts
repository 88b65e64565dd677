export interface Percentiles {
  readonly p50: number | null
  readonly p90: number | null
}

/** Handoffs that nobody waited for. */
export const TAKE_OVERS: ReadonlySet<string> = new Set(['staff_takeover', 'phone_takeover'])

/** Nearest rank, so that the figure is one that occurred. */
export function percentiles(seconds: readonly number[]): Percentiles {
  const sorted = seconds.toSorted((one, other) => one - other)
  const at = (share: number) => {
    const value = sorted[Math.ceil(sorted.length * share) - 1]
    return value === undefined ? null : Math.round(value)
  }
  return { p50: at(0.5), p90: at(0.9) }
}
