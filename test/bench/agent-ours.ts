import pg from 'pg'
import { createAnthropicModel } from '../../src/agent/anthropic-model.ts'
import { createAgent } from '../../src/agent/create-agent.ts'
import { maxCost, maxDuration, maxInputTokens, stepCountIs } from '../../src/agent/stop-conditions.ts'
import type { RunStore, StoredAttempt, StoredToolCall } from '../../src/agent/stored-run.ts'
import { defineTool } from '../../src/agent/tool.ts'
import { createRunStore } from '../../src/assistant/run-store.ts'
import { startEphemeralPostgres } from '../../src/db/ephemeral-postgres.ts'
import {
  applyMigrations,
  createPrismaClient,
  createTenantStore,
  jsonInput,
  type TenantStore,
} from '../../src/db/index.ts'
import { systemClock } from '../../src/shared/clock.ts'
import { newId } from '../../src/shared/ids.ts'
import { createCustomer, createTenant } from '../support/factories.ts'
import {
  type AgentRun,
  DESCRIPTION,
  freeTimes,
  input,
  MAX_TOKENS,
  MODEL,
  QUESTION,
  SYSTEM,
  sdkByHand,
} from './agent-others.ts'

export function loopInMemory(baseURL: string): AgentRun {
  let runs = 0
  return loop(baseURL, async () => {
    runs += 1
    return { runId: `run-${runs}`, runStore: memoryStore() }
  })
}

/** Keeps what it is given for as long as the run lasts. */
function memoryStore(): RunStore {
  const attempts: StoredAttempt[] = []
  const calls = new Map<string, StoredToolCall>()
  return {
    load: async () => null,
    save: async (_runId, writes) => {
      attempts.push(...writes.attempts)
      for (const { toolUseId, name, stepIndex } of writes.toolStarts) {
        calls.set(toolUseId, { toolUseId, name, stepIndex, result: null })
      }
      for (const { stepIndex, atMs: _atMs, ...result } of writes.toolResults) {
        calls.set(result.toolUseId, { toolUseId: result.toolUseId, name: result.name, stepIndex, result })
      }
    },
  }
}

export interface StoredLoop {
  readonly run: AgentRun
  /** The least that storing can cost here: the SDK by hand, every answer one INSERT of its own in the same database. */
  readonly rowAStep: AgentRun
  /** Makes the row of the next run and ends the last: in the product they come with the turn, not with the loop. */
  prepare(): Promise<void>
  /** What autovacuum does within a minute in a database that is used, and not at all in this server. */
  settle(): Promise<void>
  close(): Promise<void>
}

/** As a worker runs it: every answer and tool call is a committed row before anything is made of it. */
export async function loopInPostgres(baseURL: string): Promise<StoredLoop> {
  const server = await startEphemeralPostgres({ log: () => undefined })
  const prisma = createPrismaClient({ databaseUrl: server.url })
  await applyMigrations(server.url, { log: () => undefined })
  const store = createTenantStore({ prisma })
  const { id: tenantId, channelId } = await createTenant(store)
  const conversationId = await createConversation(store, tenantId, channelId)
  const pool = new pg.Pool({ connectionString: server.url, max: 1 })
  await pool.query('create table kept (id bigserial primary key, answer json not null)')
  let runId = newId()
  return {
    rowAStep: sdkByHand(baseURL, (answer) =>
      pool.query({
        name: 'keep',
        text: 'insert into kept (answer) values ($1)',
        values: [JSON.stringify(answer)],
      }),
    ),
    run: loop(baseURL, async () => {
      const lease = { tenantId, runId, attempt: 1 }
      return { runId, runStore: createRunStore({ store, lease }) }
    }),
    prepare: () =>
      store.transact(tenantId, async (tx) => {
        await tx.run.updateMany({ where: { tenantId, id: runId }, data: { status: 'completed' } })
        runId = newId()
        await tx.run.create({
          data: {
            tenantId,
            id: runId,
            conversationId,
            ownerEpoch: 0,
            status: 'running',
            model: MODEL,
            uptoSeq: 0n,
            opening: jsonInput([{ type: 'text', text: QUESTION }]),
            startedAt: new Date(systemClock.now()),
          },
        })
      }),
    settle: async () => {
      for (const table of ['runs', 'run_steps', 'tool_calls', 'kept'])
        await pool.query(`vacuum analyze ${table}`)
    },
    close: async () => {
      await pool.end()
      await prisma.$disconnect()
      await server.stop()
    },
  }
}

async function createConversation(store: TenantStore, tenantId: string, channelId: string): Promise<string> {
  const customerId = await createCustomer(store, tenantId)
  const id = newId()
  await store.transact(tenantId, (tx) =>
    tx.conversation.create({
      data: {
        tenantId,
        id,
        channelId,
        customerId,
        status: 'bot',
        addressKind: 'phone',
        address: '5511900000000',
      },
    }),
  )
  return id
}

type NewRun = () => Promise<{ runId: string; runStore: RunStore }>

function loop(baseURL: string, newRun: NewRun): AgentRun {
  const model = createAnthropicModel({ apiKey: 'bench', baseURL })
  const times = defineTool({
    name: 'free_times',
    description: DESCRIPTION,
    effect: 'read',
    input,
    run: (wanted) => freeTimes(wanted),
  })
  return async () => {
    const { runId, runStore } = await newRun()
    const agent = createAgent({
      id: 'bench',
      model,
      modelName: MODEL,
      tools: [times],
      stopWhen: [stepCountIs(8), maxInputTokens(60_000), maxCost(0.25), maxDuration(60_000)],
      maxOutputTokens: MAX_TOKENS,
      clock: systemClock,
      runStore,
    })
    const result = await agent.run({
      runId,
      system: SYSTEM,
      messages: [{ role: 'user', content: [{ type: 'text', text: QUESTION }] }],
      context: null,
    })
    return result.text
  }
}
