import { createAnthropicModel } from '../../src/agent/anthropic-model.ts'
import { createAgent } from '../../src/agent/create-agent.ts'
import { maxCost, maxDuration, maxInputTokens, stepCountIs } from '../../src/agent/stop-conditions.ts'
import { defineTool } from '../../src/agent/tool.ts'
import type { RunStore } from '../../src/agent/types.ts'
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
import { memoryRunStore } from '../support/memory-run-store.ts'
import {
  type AgentRun,
  DESCRIPTION,
  freeTimes,
  input,
  MAX_TOKENS,
  MODEL,
  QUESTION,
  SYSTEM,
} from './agent-others.ts'

export function loopInMemory(baseURL: string): AgentRun {
  return loop(baseURL, async () => ({ runId: newId(), runStore: memoryRunStore() }))
}

/** As a worker runs it: every answer and tool call is a committed row before anything is made of it. */
export async function loopInPostgres(baseURL: string): Promise<{ run: AgentRun; close(): Promise<void> }> {
  const server = await startEphemeralPostgres({ log: () => undefined })
  const prisma = createPrismaClient({ databaseUrl: server.url })
  await applyMigrations(server.url, { log: () => undefined })
  const store = createTenantStore({ prisma })
  const newRun = await runsOf(store)
  return {
    run: loop(baseURL, newRun),
    close: async () => {
      await prisma.$disconnect()
      await server.stop()
    },
  }
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

/** The rows of the runs are made beforehand: in the product they come with the turn, not with the loop. */
async function runsOf(store: TenantStore): Promise<NewRun> {
  const tenant = await createTenant(store)
  const customerId = await createCustomer(store, tenant.id)
  const conversationId = newId()
  const at = new Date(systemClock.now())
  await store.transact(tenant.id, async (tx) => {
    await tx.conversation.create({
      data: {
        tenantId: tenant.id,
        id: conversationId,
        channelId: tenant.channelId,
        customerId,
        status: 'bot',
        statusSince: at,
        addressKind: 'phone',
        address: '5511900000000',
      },
    })
  })
  return async () => {
    const runId = newId()
    await store.transact(tenant.id, (tx) =>
      tx.run.create({
        data: {
          tenantId: tenant.id,
          id: runId,
          conversationId,
          ownerEpoch: 0,
          status: 'running',
          model: MODEL,
          uptoSeq: 0n,
          opening: jsonInput([{ type: 'text', text: QUESTION }]),
          startedAt: at,
        },
      }),
    )
    return {
      runId,
      runStore: createRunStore({
        store,
        clock: systemClock,
        lease: { tenantId: tenant.id, runId, attempt: 1 },
      }),
    }
  }
}
