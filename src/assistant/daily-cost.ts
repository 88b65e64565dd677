import type { StopRule } from '../agent/stop-conditions.ts'

/**
 * Stops a run when the tenant's money of the day is spent: by this run and all others. `spentByOthers` is as
 * fresh as the last request, so each run that goes on at the time overshoots by one request at most. It is no
 * limit with a forced final answer: that would be one more request.
 */
export function dailyCost(limitMicroUsd: number, spentByOthers: () => number): StopRule {
  return {
    word: 'daily_cost',
    budget: true,
    deadlineMs: null,
    matches: ({ costUsd }) => Math.round(costUsd * 1_000_000) + spentByOthers() >= limitMicroUsd,
  }
}
