import { lockConversation } from '../../src/conversations/conversation-row.ts'
import { type DrainReport, drainOutbox } from '../../src/conversations/drain-outbox.ts'
import type { OutboundContent } from '../../src/conversations/outbound-channel.ts'
import { writeOutbound } from '../../src/conversations/outbox.ts'
import type { MessageModel } from '../../src/db/index.ts'
import { startLoopbackGraphApi } from '../../src/demo/graph-api.ts'
import type { LoopbackGraphApi } from '../../src/demo/graph-api-types.ts'
import { loadSendState, resumeSends, type SendState } from '../../src/tenancy/channel-sends.ts'
import { loadChannelAccount } from '../../src/tenancy/channels.ts'
import { createGraphChannel } from '../../src/whatsapp/graph-client.ts'
import {
  type ConversationHarness,
  createConversationHarness,
  freshPhone,
  type StaffedTenant,
} from './conversation-harness.ts'
import { type DocumentInput, TEST_ENCRYPTION_KEY } from './factories.ts'

/** The conversation harness, with a Graph API on loopback at the other end of its drains. */
export interface OutboundHarness {
  readonly world: ConversationHarness
  readonly graph: LoopbackGraphApi
  write(tenant: StaffedTenant, conversationId: string, content: OutboundContent): Promise<MessageModel>
  /** A new customer wrote just now, and this is to be sent to them. */
  conversationWith(content: OutboundContent | string, tenant?: StaffedTenant): Promise<string>
  drain(conversationId: string, tenant?: StaffedTenant, timeoutMs?: number): Promise<DrainReport>
  /** The newest message of a conversation. */
  last(conversationId: string, tenant?: StaffedTenant): Promise<MessageModel | undefined>
  state(tenant?: StaffedTenant): Promise<SendState | null>
  /** Field and event of the owner's alerts, oldest first. */
  alerts(tenant?: StaffedTenant): Promise<(readonly [string, string | null])[]>
  /** No scripted fault, no pause, no block. */
  reset(): Promise<void>
  close(): Promise<void>
}

export async function createOutboundHarness(overrides: DocumentInput = {}): Promise<OutboundHarness> {
  const world = await createConversationHarness(overrides)
  const graph = await startLoopbackGraphApi()
  const { db, clock } = world
  const { store } = db
  const harness: OutboundHarness = {
    world,
    graph,
    write: (tenant, conversationId, content) =>
      store.transact(tenant.id, async (tx) => {
        const conversation = await lockConversation(tx, conversationId)
        return writeOutbound(tx, { conversation, author: 'system', content, ownerEpoch: null, clock })
      }),
    conversationWith: async (content, tenant = world.one) => {
      const { conversationId } = await world.say(tenant, freshPhone(), 'oi')
      const written = typeof content === 'string' ? ({ kind: 'text', text: content } as const) : content
      await harness.write(tenant, conversationId, written)
      return conversationId
    },
    drain: (conversationId, tenant = world.one, timeoutMs = 5_000) =>
      drainOutbox(
        {
          store,
          channel: createGraphChannel({ baseUrl: graph.url, version: 'v25.0', userAgent: 'test', timeoutMs }),
          clock,
          random: () => 0.5,
          pause: async (durationMs) => clock.advance(durationMs),
          loadAccount: (reader, channelId) => loadChannelAccount(reader, channelId, TEST_ENCRYPTION_KEY),
        },
        { tenantId: tenant.id, conversationId, signal: new AbortController().signal },
      ),
    last: async (conversationId, tenant = world.one) => (await world.messages(tenant, conversationId)).at(-1),
    state: (tenant = world.one) => store.read(tenant.id, loadSendState),
    alerts: async (tenant = world.one) => {
      const rows = await store.read(tenant.id, (reader) =>
        reader.channelEvent.findMany({ orderBy: { id: 'asc' } }),
      )
      return rows.map(({ field, event }) => [field, event] as const)
    },
    reset: async () => {
      graph.clearScript()
      for (const tenant of [world.one, world.other]) {
        await store.transact(tenant.id, (tx) => resumeSends(tx, clock.now()))
      }
      await store.unsafeTransact('test', (tx) => tx.sendBlock.deleteMany())
    },
    close: async () => {
      await graph.close()
      await world.close()
    },
  }
  return harness
}
