import { z } from 'zod'
import type { Tool, ToolContext, ToolEffect, ToolSchema } from './types.ts'

export interface ToolDefinition<Ctx, Input> {
  /** `[a-zA-Z0-9_-]{1,128}`, as the Messages API wants it. */
  name: string
  description: string
  /** `z.object({ … }).strict()`: unknown properties are refused. */
  input: z.ZodType<Input>
  /**
   * `read`: may run beside others and again. `write`: one after another, by idempotency key.
   * `end_turn`: the run ends when it succeeds.
   */
  effect: ToolEffect
  /** Returns a string or any JSON value. Refuse with `DomainError`; report an outage with `InfrastructureError`. */
  run(input: Input, ctx: ToolContext<Ctx>): Promise<unknown>
  /** For writes: the result of an earlier call with `ctx.idempotencyKey`, null when it never took place. */
  lookup?(input: Input, ctx: ToolContext<Ctx>): Promise<{ output: unknown } | null>
}

const NAME = /^[a-zA-Z0-9_-]{1,128}$/

/** Makes a tool; throws at once when its name or its schema could not be sent to the model. */
export function defineTool<Ctx, Input>(definition: ToolDefinition<Ctx, Input>): Tool<Ctx> {
  const { name, description, effect, input, lookup } = definition
  if (!NAME.test(name)) throw new Error(`the tool name ${JSON.stringify(name)} is not one the API takes`)
  return {
    name,
    description,
    effect,
    inputSchema: toInputSchema(name, input),
    prepare: (raw, error) => {
      const parsed = input.safeParse(raw, { error })
      if (!parsed.success) return { valid: false, issues: parsed.error.issues }
      const { data } = parsed
      return {
        valid: true,
        input: data,
        run: (ctx) => definition.run(data, ctx),
        lookup: lookup === undefined ? null : (ctx) => lookup.call(definition, data, ctx),
      }
    },
  }
}

function toInputSchema(name: string, input: z.ZodType): ToolSchema.InputSchema {
  const { $schema: _dialect, type, ...schema } = z.toJSONSchema(input, { io: 'input' })
  if (type !== 'object') throw new Error(`the input of tool ${name} must be an object`)
  return { type, ...schema }
}
