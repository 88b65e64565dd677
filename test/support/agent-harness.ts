import { z } from 'zod'
import type { AgentEvents } from '../../src/agent/agent-events.ts'
import { type AgentOptions, createAgent } from '../../src/agent/create-agent.ts'
import { defineTool } from '../../src/agent/tool.ts'
import type { HistoryMessage, RunInput, RunResult, Tool, ToolContext } from '../../src/agent/types.ts'
import { validateHistory } from '../../src/agent/validate-history.ts'
import { type MemoryRunStore, memoryRunStore } from './memory-run-store.ts'
import { type ScriptedModel, type ScriptLine, scriptedModel } from './scripted-model.ts'

/** What the tools of the harness see, and what they did: it outlives a run as a database would. */
export interface World {
  customer: string
  log: string[]
  booked: Map<string, string>
}

export interface Harness {
  model: ScriptedModel
  store: MemoryRunStore
  world: World
  clock: { now(): number; advance(ms: number): void }
  events: { name: keyof AgentEvents; event: unknown }[]
  /** Runs, and checks that the script was played and that the history is one the API would take. */
  run(input?: Partial<RunInput<World>>): Promise<RunResult>
}

export interface HarnessOptions extends Partial<AgentOptions<World>> {
  store?: MemoryRunStore
  world?: World
  /** The run may end before the script does. */
  mayStopEarly?: boolean
}

/** An agent over a scripted model and a store in memory, with one tool of each effect. */
export function agentHarness(lines: readonly ScriptLine[], options: HarnessOptions = {}): Harness {
  const { store = memoryRunStore(), world = newWorld(), mayStopEarly = false, ...rest } = options
  const model = scriptedModel(lines)
  const events: Harness['events'] = []
  let nowMs = 0
  const clock = {
    now: () => nowMs,
    advance: (ms: number) => {
      nowMs += ms
    },
  }
  const agent = createAgent<World>({
    id: 'test',
    model,
    modelName: 'claude-haiku-5-5',
    tools: harnessTools(),
    stopWhen: [],
    toolTimeoutMs: 50,
    clock,
    locale: 'en',
    runStore: store,
    events: recordInto(events),
    ...rest,
  })
  const run = async (input: Partial<RunInput<World>> = {}) => {
    const messages = input.messages ?? [customerSays('Hello')]
    const result = await agent.run({
      runId: 'run-1',
      system: 'Be brief.',
      context: world,
      ...input,
      messages,
    })
    if (!mayStopEarly) model.assertPlayed()
    const problems = validateHistory(result.messages, { stored: true })
    if (problems.length > 0) throw new Error(`invalid history: ${problems.join('; ')}`)
    return result
  }
  return { model, store, world, clock, events, run }
}

export function newWorld(): World {
  return { customer: 'maria', log: [], booked: new Map() }
}

export function customerSays(text: string): HistoryMessage {
  return { role: 'user', content: [{ type: 'text', text }] }
}

/** `times` reads, `book` writes by idempotency key and can look itself up, `offer` ends the turn. */
export function harnessTools(): Tool<World>[] {
  return [
    defineTool({
      name: 'times',
      description: 'Free times of a day',
      input: z.object({ day: z.iso.date() }).strict(),
      effect: 'read',
      run: async ({ day }, { context }: { context: World }) => {
        context.log.push(`times ${day}`)
        return { times: ['09:00', '10:00'] }
      },
    }),
    defineTool({
      name: 'book',
      description: 'Books a time',
      input: z.object({ time: z.string() }).strict(),
      effect: 'write',
      run: async ({ time }, { context, idempotencyKey }: { context: World; idempotencyKey: string }) => {
        const earlier = context.booked.get(idempotencyKey)
        if (earlier !== undefined) return { code: earlier }
        context.log.push(`book ${time}`)
        context.booked.set(idempotencyKey, `CODE-${context.booked.size + 1}`)
        return { code: context.booked.get(idempotencyKey) }
      },
      lookup: async (_input, { context, idempotencyKey }) => {
        const code = context.booked.get(idempotencyKey)
        return code === undefined ? null : { output: { code } }
      },
    }),
    defineTool({
      name: 'offer',
      description: 'Offers choices',
      input: z.object({ text: z.string() }).strict(),
      effect: 'end_turn',
      run: async ({ text }, { context }: { context: World }) => {
        context.log.push(`offer ${text}`)
        return { shown: true }
      },
    }),
  ]
}

/** A tool named `name` that does `run`. */
export function toolThat(
  name: string,
  effect: Tool<World>['effect'],
  run: (input: object, ctx: ToolContext<World>) => Promise<unknown>,
  lookup?: (input: object, ctx: ToolContext<World>) => Promise<{ output: unknown } | null>,
): Tool<World> {
  return defineTool({
    name,
    description: name,
    input: z.object({}).strict(),
    effect,
    run,
    ...(lookup === undefined ? {} : { lookup }),
  })
}

function recordInto(log: Harness['events']): AgentEvents {
  const record = (name: keyof AgentEvents) => (event: unknown) => {
    log.push({ name, event })
  }
  return {
    onModelCall: record('onModelCall'),
    onToolCall: record('onToolCall'),
    onUnknownStopReason: record('onUnknownStopReason'),
    onUnknownModel: record('onUnknownModel'),
    onBug: record('onBug'),
    onRunEnd: record('onRunEnd'),
  }
}
