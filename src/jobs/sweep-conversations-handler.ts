import type { TenantStore } from '../db/index.ts'
import { GIVE_UP_REASON } from '../handoff/give-up-turn.ts'
import { type SweepDependencies, sweepConversations } from '../handoff/sweep-conversations.ts'
import { forgetOldEvents } from '../live/live-events.ts'
import type { BusinessEvents } from '../observability/business-events.ts'
import { enqueue } from '../queue/enqueue.ts'
import { handleJob } from '../queue/handle-job.ts'
import { sweepConversationsJob } from '../queue/job-definition.ts'

/** How late a clock of a conversation may be. */
const EVERY_MS = 30_000
const KEY = 'sweep_conversations'

export function sweepConversationsHandler(deps: SweepDependencies & { events: BusinessEvents }) {
  return handleJob(sweepConversationsJob, async () => {
    const report = await sweepConversations(deps)
    for (const ids of report.givenUp) deps.events.handoffOpened({ ...ids, reason: GIVE_UP_REASON })
    deps.events.sweepEnded(report)
    await forgetOldEvents(deps.store)
    await queueSweep(deps.store, EVERY_MS)
  })
}

/** Queues the sweep; the key keeps it one job however many processes start. */
export async function queueSweep(store: TenantStore, delayMs: number): Promise<void> {
  await store.unsafeTransact('the clocks of conversations run for every tenant', (tx) =>
    enqueue(tx, sweepConversationsJob, {}, { jobKey: KEY, delayMs }),
  )
}
