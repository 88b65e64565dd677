import { lockConversation } from '../../src/conversations/conversation-row.ts'
import type { ConversationView } from '../../src/conversations/conversation-view.ts'
import type { Tx } from '../../src/db/index.ts'
import { claim, release, type StaffStep } from '../../src/handoff/ownership.ts'
import { requestHandoff } from '../../src/handoff/request-handoff.ts'
import { loadTenantProfile } from '../../src/tenancy/tenant-profile.ts'
import {
  type ConversationHarness,
  freshPhone,
  type StaffedTenant,
  type TestStaff,
} from './conversation-harness.ts'

export type Step<T> = (tx: Tx, step: StaffStep) => Promise<T>

/** Release with the tenant's own profile. */
export const releaseStep: Step<ConversationView> = async (tx, step) =>
  release(tx, { ...step, profile: await loadTenantProfile(tx) })

/** The steps of a handoff as tests take them; the tenant is `world.one` where none is named. */
export function handoffSteps(world: ConversationHarness) {
  const { one, db, clock } = world
  const act = <T>(
    step: Step<T>,
    actor: TestStaff,
    conversationId: string,
    tenant: StaffedTenant = one,
  ): Promise<T> => db.store.transact(tenant.id, (tx) => step(tx, { conversationId, actor, clock }))
  const handOff = (
    conversationId: string,
    reason: 'customer_request' | 'step_limit' = 'customer_request',
    tenant: StaffedTenant = one,
  ) =>
    db.store.transact(tenant.id, async (tx) => {
      const conversation = await lockConversation(tx, conversationId)
      const profile = await loadTenantProfile(tx)
      const summary = 'quer um desconto'
      return requestHandoff(tx, { conversation, reason, summary, runId: null, profile, clock })
    })
  const queued = async (phone = freshPhone()): Promise<string> => {
    const { conversationId } = await world.say(one, phone, 'quero falar com alguém')
    await handOff(conversationId)
    return conversationId
  }
  const assigned = async (phone = freshPhone()): Promise<string> => {
    const conversationId = await queued(phone)
    await act(claim, one.paula, conversationId)
    return conversationId
  }
  return { act, handOff, queued, assigned }
}
