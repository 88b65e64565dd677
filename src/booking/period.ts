import { instantToWall } from '../scheduling/time-zone.ts'
import type { Period } from './types.ts'

/** Whether the wall clock shows a time of that part of the day; always true when no part was named. */
export function isInPeriod(timeZone: string, instant: number, period: Period | undefined): boolean {
  if (period === undefined) return true
  const hour = Number(instantToWall(timeZone, instant).slice(11, 13))
  switch (period) {
    case 'morning':
      return hour < 12
    case 'afternoon':
      return hour >= 12 && hour < 18
    case 'evening':
      return hour >= 18
  }
}
