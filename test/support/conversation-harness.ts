import { z } from 'zod'
import { lockConversation } from '../../src/conversations/conversation-row.ts'
import { type DrainReport, drainOutbox } from '../../src/conversations/drain-outbox.ts'
import type { Identity } from '../../src/conversations/identities.ts'
import type {
  ChannelAccount,
  OutboundChannel,
  OutboundContent,
  OutboundRequest,
  SendOutcome,
} from '../../src/conversations/outbound-channel.ts'
import { writeOutbound } from '../../src/conversations/outbox.ts'
import { type InboundMessage, type Recorded, recordInbound } from '../../src/conversations/record-inbound.ts'
import { type ConversationModel, type MessageModel, sql } from '../../src/db/index.ts'
import type { StaffActor } from '../../src/handoff/ownership.ts'
import { migrateQueue } from '../../src/queue/migrate-queue.ts'
import { newId } from '../../src/shared/ids.ts'
import { loadChannelAccount } from '../../src/tenancy/channels.ts'
import { outcomeOfCode } from '../../src/whatsapp/error-table.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import {
  createTestClock,
  createTwoTenants,
  type DocumentInput,
  staffEntry,
  TEST_ENCRYPTION_KEY,
  type TestClock,
  type TestTenant,
} from './factories.ts'

export const DEBOUNCE_MS = 1_500

export interface TestStaff extends StaffActor {
  readonly name: string
}

/** A tenant with an owner and two attendants. */
export interface StaffedTenant extends TestTenant {
  readonly owner: TestStaff
  readonly paula: TestStaff
  readonly rita: TestStaff
}

export interface WaitingJob {
  readonly task: string
  readonly key: string | null
  readonly runAt: number
  /** From when it was added, by the database's clock. */
  readonly delayMs: number
}

/** Two tenants with staff, a queue, and a channel that answers as it is told. */
export interface ConversationHarness {
  readonly db: TestDatabase
  readonly clock: TestClock
  readonly one: StaffedTenant
  readonly other: StaffedTenant
  readonly channel: ScriptedChannel
  say(tenant: StaffedTenant, phone: string, text: string, more?: Partial<InboundMessage>): Promise<Recorded>
  conversation(tenant: StaffedTenant, id: string): Promise<ConversationModel>
  messages(tenant: StaffedTenant, conversationId: string): Promise<MessageModel[]>
  /** Writes as the bot with the conversation's epoch of this moment. */
  botSays(tenant: StaffedTenant, conversationId: string, text: string): Promise<MessageModel>
  drain(tenant: StaffedTenant, conversationId: string, signal?: AbortSignal): Promise<DrainReport>
  jobs(keyEnding: string): Promise<WaitingJob[]>
  close(): Promise<void>
}

export async function createConversationHarness(overrides: DocumentInput = {}): Promise<ConversationHarness> {
  const db = await createTestDatabase()
  const silent = () => undefined
  await migrateQueue({
    databaseUrl: db.url,
    log: { debug: silent, info: silent, warn: silent, error: silent },
  })
  const { store } = db
  const clock = createTestClock()
  const staff = [
    staffEntry('dona@example.com'),
    staffEntry('paula@example.com', 'attendant'),
    staffEntry('rita@example.com', 'attendant'),
  ]
  const [first, second] = await createTwoTenants(store, { staff, ...overrides })
  const channel = new ScriptedChannel()
  return {
    db,
    clock,
    one: await withStaff(db, first),
    other: await withStaff(db, second),
    channel,
    say: (tenant, phone, text, more) =>
      store.transact(tenant.id, (tx) =>
        recordInbound(tx, { ...inbound(tenant, phone, text, clock), ...more }),
      ),
    conversation: (tenant, id) => store.transact(tenant.id, (tx) => lockConversation(tx, id)),
    messages: (tenant, conversationId) =>
      store.read(tenant.id, (reader) =>
        reader.message.findMany({ where: { conversationId }, orderBy: { seq: 'asc' } }),
      ),
    botSays: (tenant, conversationId, text) =>
      store.transact(tenant.id, async (tx) => {
        const conversation = await lockConversation(tx, conversationId)
        const content: OutboundContent = { kind: 'text', text }
        const { ownerEpoch } = conversation
        return writeOutbound(tx, { conversation, author: 'bot', content, ownerEpoch, clock })
      }),
    drain: (tenant, conversationId, signal = new AbortController().signal) =>
      drainOutbox(
        {
          store,
          channel,
          clock,
          random: () => 0.5,
          pause: async (durationMs) => clock.advance(durationMs),
          loadAccount: (reader, channelId) => loadChannelAccount(reader, channelId, TEST_ENCRYPTION_KEY),
        },
        { tenantId: tenant.id, conversationId, signal },
      ),
    async jobs(keyEnding) {
      const rows = await store.unsafeRead('test', (reader) =>
        reader.$queryRaw<{ task: string; key: string | null; run_at: Date; delay_ms: number }[]>(
          sql`select task_identifier as task, key, run_at,
              round(extract(epoch from run_at - updated_at) * 1000)::int as delay_ms from graphile_worker.jobs
            where key like ${`%${keyEnding}`} order by task_identifier, id`,
        ),
      )
      return rows.map(({ task, key, run_at, delay_ms }) => ({
        task,
        key,
        runAt: run_at.getTime(),
        delayMs: delay_ms,
      }))
    },
    close: () => db.close(),
  }
}

/** A text message of somebody known by phone, ready to record. */
export function inbound(tenant: TestTenant, phone: string, text: string, clock: TestClock): InboundMessage {
  return {
    channelId: tenant.channelId,
    identities: [phoneIdentity(phone)],
    profileName: null,
    wamid: `wamid.${newId()}`,
    type: 'text',
    text,
    payload: null,
    sentAt: Math.floor(clock.now() / 1_000) * 1_000,
    arrivedAt: clock.now(),
    startsTurn: true,
    debounceMs: DEBOUNCE_MS,
    clock,
  }
}

export function phoneIdentity(phone: string, address = phone): Identity {
  return { kind: 'phone', value: phone, address }
}

export function bsuidIdentity(bsuid: string): Identity {
  return { kind: 'bsuid', value: bsuid, address: bsuid }
}

let lastPhone = 5_511_900_000_000

/** A number nobody else in this test process has. */
export function freshPhone(): string {
  lastPhone += 1
  return String(lastPhone)
}

type Answer = SendOutcome | ((request: OutboundRequest) => Promise<SendOutcome>)

/** Accepts everything, but for the answers that were put in line. */
export class ScriptedChannel implements OutboundChannel {
  readonly requests: OutboundRequest[] = []
  /** `atMs`: of a clock that only goes on. */
  readonly reads: { readonly wamid: string; readonly typing: boolean; readonly atMs: number }[] = []
  readonly #answers: Answer[] = []

  answerNext(...answers: Answer[]): void {
    this.#answers.push(...answers)
  }

  /** Texts in the order they were sent, and forgets them. */
  takeTexts(): string[] {
    return this.requests
      .splice(0)
      .map(({ content }) => (content.kind === 'template' ? content.name : content.text))
  }

  async send(request: OutboundRequest): Promise<SendOutcome> {
    this.requests.push(request)
    const answer = this.#answers.shift() ?? { kind: 'accepted', wamid: `wamid.${newId()}` }
    return typeof answer === 'function' ? answer(request) : answer
  }

  async markRead(
    _account: ChannelAccount,
    wamid: string,
    { typing }: { readonly typing: boolean },
  ): Promise<boolean> {
    this.reads.push({ wamid, typing, atMs: performance.now() })
    return true
  }

  outcomeOf = outcomeOfCode
}

async function withStaff(db: TestDatabase, tenant: TestTenant): Promise<StaffedTenant> {
  const rows = await db.store.read(tenant.id, (reader) => reader.staff.findMany())
  const find = (name: string): TestStaff => {
    const row = rows.find((candidate) => candidate.name === name)
    if (row === undefined) throw new Error(`no ${name} in the staff`)
    return { id: row.id, name, role: z.enum(['owner', 'attendant']).parse(row.role) }
  }
  return { ...tenant, owner: find('dona'), paula: find('paula'), rita: find('rita') }
}
