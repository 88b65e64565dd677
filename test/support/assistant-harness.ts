import type { Model } from '../../src/agent/types.ts'
import type { Concluded } from '../../src/assistant/conclude-turn.ts'
import { type Context, type ContextOverrides, createContext } from '../../src/context.ts'
import {
  type ConversationHarness,
  createConversationHarness,
  type StaffedTenant,
} from './conversation-harness.ts'
import type { DocumentInput } from './factories.ts'
import { testConfig } from './http-harness.ts'

/** The product's assistant on a database, with the model and the channel in the test's hands; no worker runs. */
export interface AssistantHarness extends ConversationHarness {
  readonly context: Context
  /** What answers from now on. */
  use(model: Model): void
  /** Runs what the conversation owes, as the job would; null when it owes nothing. */
  turn(tenant: StaffedTenant, conversationId: string): Promise<Concluded | null>
  /** A text of the customer and the turn after it; gives the conversation and what left for the customer. */
  talk(tenant: StaffedTenant, phone: string, text: string): Promise<Talk>
}

export interface Talk {
  readonly conversationId: string
  readonly concluded: Concluded | null
  readonly texts: readonly string[]
}

export async function createAssistantHarness(
  options: { env?: NodeJS.ProcessEnv; document?: DocumentInput; overrides?: ContextOverrides } = {},
): Promise<AssistantHarness> {
  const world = await createConversationHarness(options.document)
  let current: Model | null = null
  const context = createContext(
    testConfig({ LOG_LEVEL: 'silent', ANTHROPIC_API_KEY: 'test-key', ...options.env }),
    world.db.url,
    {
      clock: world.clock,
      channel: world.channel,
      model: (real) => ({ complete: (request, call) => (current ?? real).complete(request, call) }),
      ...options.overrides,
    },
  )
  const turn = (tenant: StaffedTenant, conversationId: string) =>
    context.assistant.runTurn({ tenantId: tenant.id, conversationId, signal: new AbortController().signal })
  return {
    ...world,
    context,
    turn,
    use: (model) => {
      current = model
    },
    async talk(tenant, phone, text) {
      const { conversationId } = await world.say(tenant, phone, text)
      const concluded = await turn(tenant, conversationId)
      await world.drain(tenant, conversationId)
      return { conversationId, concluded, texts: world.channel.takeTexts() }
    },
    async close() {
      await context.close()
      await world.close()
    },
  }
}
