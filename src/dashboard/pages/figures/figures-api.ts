import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { metricsOverviewSchema } from '../../../contracts/dashboard-api.ts'
import { handoffReasonSchema, localDateSchema } from '../../../contracts/staff-api.ts'
import { call } from '../../api/client.ts'
import { keys } from '../../api/keys.ts'

const handoffCountsSchema = z.object({
  items: z.array(z.object({ date: localDateSchema, reason: handoffReasonSchema, count: z.int() })),
})

/** The queue of this moment grows old on a page that stays open. */
const REFRESH_MS = 30_000

interface Span {
  readonly from: string
  readonly to: string
}

/** Each day, all of them, and the queue now. */
export function useOverview({ from, to }: Span) {
  return useQuery({
    queryKey: [...keys.metrics, 'overview', { from, to }],
    queryFn: ({ signal }) =>
      call(metricsOverviewSchema, '/v1/metrics/overview', { query: { from, to }, signal }),
    refetchInterval: REFRESH_MS,
    refetchOnMount: 'always',
    placeholderData: (previous) => previous,
  })
}

/** How often which reason occurred on which day. */
export function useHandoffCounts({ from, to }: Span) {
  return useQuery({
    queryKey: [...keys.metrics, 'handoffs', { from, to }],
    queryFn: ({ signal }) =>
      call(handoffCountsSchema, '/v1/metrics/handoffs', { query: { from, to }, signal }),
    refetchInterval: REFRESH_MS,
    refetchOnMount: 'always',
    placeholderData: (previous) => previous,
  })
}
