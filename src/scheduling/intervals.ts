import type { Interval, ServiceTiming } from './types.ts'

export const MINUTE_MS = 60_000

/** True when two half-open intervals share an instant. Touching ones do not. */
export function overlaps(a: Interval, b: Interval): boolean {
  return a.start < b.end && b.start < a.end
}

/** What an appointment at `start` (epoch ms) keeps busy: the service with its buffers on both sides. */
export function blockedInterval(start: number, service: ServiceTiming): Interval {
  return {
    start: start - service.bufferBeforeMinutes * MINUTE_MS,
    end: start + (service.durationMinutes + service.bufferAfterMinutes) * MINUTE_MS,
  }
}

/**
 * Sorts intervals and joins those that overlap; with `joinTouching` also those that only touch.
 * Empty ones are dropped. The earliest of joined ones keeps whatever else it carries.
 */
export function mergeIntervals<T extends Interval>(intervals: readonly T[], joinTouching: boolean): T[] {
  const sorted = intervals.filter(({ start, end }) => start < end).sort((a, b) => a.start - b.start)
  const merged: T[] = []
  for (const interval of sorted) {
    const last = merged.at(-1)
    if (last === undefined || (joinTouching ? interval.start > last.end : interval.start >= last.end)) {
      merged.push(interval)
    } else if (interval.end > last.end) {
      merged[merged.length - 1] = { ...last, end: interval.end }
    }
  }
  return merged
}

/** Index of the first interval that ends after `instant`, in sorted intervals that do not overlap. */
export function firstEndingAfter(intervals: readonly Interval[], instant: number): number {
  let low = 0
  let high = intervals.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const interval = intervals[middle]
    if (interval !== undefined && interval.end <= instant) {
      low = middle + 1
    } else {
      high = middle
    }
  }
  return low
}
