import type { Assistant } from '../assistant/assistant.ts'
import type { Reader, TenantStore } from '../db/index.ts'
import type { HandoffProfile } from '../handoff/first-reply-clock.ts'
import { GIVE_UP_REASON, giveUpTurn, TURN_PATIENCE_MS } from '../handoff/give-up-turn.ts'
import type { BusinessEvents } from '../observability/business-events.ts'
import { handleJob } from '../queue/handle-job.ts'
import { runTurnJob } from '../queue/job-definition.ts'
import type { Clock } from '../shared/clock.ts'

/** What fails the first times may be a moment's trouble, however long the job waited for its turn. */
const ATTEMPTS_BEFORE_GIVING_UP = 4

export interface RunTurnDeps {
  readonly assistant: Assistant
  readonly store: TenantStore
  readonly clock: Clock
  readonly loadProfile: (reader: Reader) => Promise<HandoffProfile>
  readonly events: Pick<BusinessEvents, 'handoffOpened' | 'turnGivenUp'>
}

/**
 * A turn that fails in its last attempt, or for as long as a customer can be asked to wait, is given to a
 * person. The job fails all the same: a fault of ours has to be seen.
 */
export function runTurnHandler({ assistant, store, clock, loadProfile, events }: RunTurnDeps) {
  return handleJob(runTurnJob, async (payload, { attempt, isLastAttempt, signal }) => {
    try {
      const concluded = await assistant.runTurn({ ...payload, signal })
      if (concluded?.handoff) events.handoffOpened({ ...payload, reason: concluded.handoff })
    } catch (error) {
      const mayGiveUp = isLastAttempt || attempt >= ATTEMPTS_BEFORE_GIVING_UP
      // A job that was taken away from this process is another's now.
      if (mayGiveUp && !signal.aborted) {
        const { tenantId, conversationId } = payload
        const patienceMs = isLastAttempt ? null : TURN_PATIENCE_MS
        const isGivenUp = await store
          .transact(tenantId, async (tx) =>
            giveUpTurn(tx, { conversationId, profile: await loadProfile(tx), clock, patienceMs }),
          )
          // The next attempt or the sweep does it; what to tell is what the turn failed of.
          .catch(() => false)
        if (isGivenUp) {
          events.handoffOpened({ ...payload, reason: GIVE_UP_REASON })
          events.turnGivenUp({ ...payload, error })
        }
      }
      throw error
    }
  })
}
