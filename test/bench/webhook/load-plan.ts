import { z } from 'zod'

/** What the load process is told, as JSON in its argument. */
export const loadPlan = z.object({
  url: z.string(),
  appSecret: z.string(),
  phoneNumberId: z.string(),
  connections: z.number(),
  /** Requests a second, each at its own time whether earlier ones are answered or not; null: as fast as answers come. */
  perSecond: z.number().nullable(),
  seconds: z.number(),
  /** The first seconds are driven and not counted. */
  warmUpSeconds: z.number(),
  /** Different customers. */
  people: z.number(),
})
export type LoadPlan = z.infer<typeof loadPlan>

/** What it answers, one JSON line. */
export const loadResult = z.object({
  requests: z.number(),
  perSecond: z.number(),
  p50Ms: z.number(),
  p99Ms: z.number(),
  statuses: z.record(z.string(), z.number()),
})
export type LoadResult = z.infer<typeof loadResult>

export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? Number.NaN
}

export const turnsPlan = z.object({
  url: z.string(),
  appSecret: z.string(),
  phoneNumberId: z.string(),
  perSecond: z.number(),
  seconds: z.number(),
  warmUpSeconds: z.number(),
  debounceMs: z.number(),
})
export type TurnsPlan = z.infer<typeof turnsPlan>

/** Times from the end of the debounce to the send's arrival. */
export const turnsResult = z.object({
  turns: z.number(),
  answered: z.number(),
  /** Null when none was answered in time. */
  p50Ms: z.number().nullable(),
  p99Ms: z.number().nullable(),
})
export type TurnsResult = z.infer<typeof turnsResult>
