import { forgetExpired } from '../conversations/viewers.ts'
import { classifyDatabaseError, type Reader, type TenantStore } from '../db/index.ts'
import type { Clock } from '../shared/clock.ts'
import {
  type ConversationClock,
  type ConversationPage,
  idleConversation,
  silentAssignee,
} from './conversation-clocks.ts'
import type { HandoffProfile } from './first-reply-clock.ts'
import { abandonedTurn } from './give-up-turn.ts'

const EVERY_TENANT = 'the clocks of conversations run for every tenant'
const PAGE_SIZE = 500
const BEFORE_EVERY_ID = '00000000-0000-0000-0000-000000000000'

export interface SweepReport {
  /** Conversations whose assignee was silent and that are back in the queue. */
  readonly returnedToQueue: number
  readonly closed: number
  /** Conversations of the bot whose turn nobody would take, and that a person has now. */
  readonly givenUp: readonly { readonly tenantId: string; readonly conversationId: string }[]
  /** What failed; all else was swept all the same. */
  readonly failures: readonly SweepFailure[]
}

export interface SweepFailure {
  readonly tenantId: string
  /** null: it was not about one conversation. */
  readonly conversationId: string | null
  readonly error: unknown
}

export interface SweepDependencies {
  readonly store: TenantStore
  readonly loadProfile: (reader: Reader) => Promise<HandoffProfile>
  readonly clock: Clock
}

/**
 * Moves on what nobody moves: see `conversation-clocks`. Safe to run at any time and twice at once, for every
 * step looks again under the lock. A conversation that fails keeps no other from being swept, a tenant neither.
 * @throws whatever the database throws when it is away: nothing can be swept then.
 */
export async function sweepConversations(dependencies: SweepDependencies): Promise<SweepReport> {
  const tenants = await dependencies.store.unsafeRead(EVERY_TENANT, (reader) =>
    reader.tenant.findMany({ select: { id: true }, orderBy: { id: 'asc' } }),
  )
  const failures: SweepFailure[] = []
  const moved = { returnedToQueue: 0, closed: 0 }
  const givenUp: SweepReport['givenUp'][number][] = []
  for (const { id: tenantId } of tenants) {
    const sweep = (clock: ConversationClock) => sweepTenant(dependencies, tenantId, clock, failures)
    await orReport(failures, { tenantId, conversationId: null }, async () => {
      for (const conversationId of await sweep(abandonedTurn)) givenUp.push({ tenantId, conversationId })
      moved.returnedToQueue += (await sweep(silentAssignee)).length
      moved.closed += (await sweep(idleConversation)).length
      await dependencies.store.transact(tenantId, (tx) => forgetExpired(tx, dependencies.clock.now()))
    })
  }
  return { ...moved, givenUp, failures }
}

/** The conversations of a tenant that this clock moved on. */
async function sweepTenant(
  { store, loadProfile, clock }: SweepDependencies,
  tenantId: string,
  { find, move }: ConversationClock,
  failures: SweepFailure[],
): Promise<string[]> {
  const profile = await store.read(tenantId, loadProfile)
  const reading = () => ({ profile, now: clock.now() })
  const moved: string[] = []
  let after: string | undefined = BEFORE_EVERY_ID
  while (after !== undefined) {
    const page: ConversationPage = { after, limit: PAGE_SIZE }
    const found = await store.read(tenantId, (reader) => find(reader, reading(), page))
    for (const conversationId of found) {
      await orReport(failures, { tenantId, conversationId }, async () => {
        const isMoved = await store.transact(tenantId, (tx) => move(tx, conversationId, reading()))
        if (isMoved) moved.push(conversationId)
      })
    }
    after = found.length < PAGE_SIZE ? undefined : found.at(-1)
  }
  return moved
}

async function orReport(
  failures: SweepFailure[],
  about: Omit<SweepFailure, 'error'>,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (classifyDatabaseError(error).kind === 'connection') throw error
    failures.push({ ...about, error })
  }
}
