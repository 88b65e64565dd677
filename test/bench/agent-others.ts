import { createAnthropic } from '@ai-sdk/anthropic'
import Anthropic from '@anthropic-ai/sdk'
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod'
import type { MessageParam, ToolResultBlockParam } from '@anthropic-ai/sdk/resources/messages/messages.js'
import { generateText, stepCountIs, tool } from 'ai'
import { z } from 'zod'

/** One run; gives the answer's text. */
export type AgentRun = () => Promise<string>

export const MODEL = 'claude-haiku-5-5'
export const MAX_TOKENS = 2_048
export const SYSTEM = 'You are the receptionist of a salon. '.repeat(80)
export const QUESTION = 'Quero cortar o cabelo na terça à tarde, tem horário?'
export const DESCRIPTION = 'Free start times of a service on one day'
export const input = z.object({ day: z.iso.date(), service: z.string().min(1) }).strict()

export async function freeTimes({ day }: z.infer<typeof input>) {
  return { day, times: ['09:00', '10:00', '15:00', '16:00'] }
}

/**
 * What somebody writes who needs no more than the example in the SDK's README. `keep` is awaited for every answer
 * of the model before it is used.
 */
export function sdkByHand(baseURL: string, keep?: (answer: unknown) => Promise<unknown>): AgentRun {
  const client = newClient(baseURL)
  const { $schema: _dialect, ...schema } = z.toJSONSchema(input)
  const tools = [
    { name: 'free_times', description: DESCRIPTION, input_schema: { ...schema, type: 'object' as const } },
  ]
  return async () => {
    const messages: MessageParam[] = [{ role: 'user', content: QUESTION }]
    for (;;) {
      const message = await client.messages.create({
        model: MODEL,
        max_tokens: MAX_TOKENS,
        system: [{ type: 'text', text: SYSTEM, cache_control: { type: 'ephemeral' } }],
        tools,
        messages,
      })
      await keep?.(message)
      if (message.stop_reason !== 'tool_use') return textOf(message.content)
      const results: ToolResultBlockParam[] = []
      for (const block of message.content) {
        if (block.type !== 'tool_use') continue
        const content = JSON.stringify(await freeTimes(input.parse(block.input)))
        results.push({ type: 'tool_result', tool_use_id: block.id, content })
      }
      messages.push({ role: 'assistant', content: message.content }, { role: 'user', content: results })
    }
  }
}

export function sdkToolRunner(baseURL: string): AgentRun {
  const client = newClient(baseURL)
  const times = betaZodTool({
    name: 'free_times',
    description: DESCRIPTION,
    inputSchema: input,
    run: async (wanted) => JSON.stringify(await freeTimes(wanted)),
  })
  return async () => {
    const message = await client.beta.messages.toolRunner({
      model: MODEL,
      max_tokens: MAX_TOKENS,
      system: [{ type: 'text', text: SYSTEM, cache_control: { type: 'ephemeral' } }],
      tools: [times],
      messages: [{ role: 'user', content: QUESTION }],
      max_iterations: 8,
      thread: false,
    })
    return textOf(message.content)
  }
}

export function vercelAi(baseURL: string): AgentRun {
  const anthropic = createAnthropic({ apiKey: 'bench', baseURL: `${baseURL}/v1` })
  const tools = {
    free_times: tool({ description: DESCRIPTION, inputSchema: input, execute: freeTimes }),
  }
  return async () => {
    const { text } = await generateText({
      model: anthropic(MODEL),
      maxOutputTokens: MAX_TOKENS,
      system: {
        role: 'system',
        content: SYSTEM,
        providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
      },
      tools,
      prompt: QUESTION,
      stopWhen: stepCountIs(8),
    })
    return text
  }
}

/** As the adapter of the product sets it up: nothing but the request. */
function newClient(baseURL: string): Anthropic {
  return new Anthropic({ apiKey: 'bench', authToken: null, baseURL, logLevel: 'off', openTelemetry: false })
}

function textOf(content: readonly { type: string; text?: string }[]): string {
  return content.map((block) => (block.type === 'text' ? (block.text ?? '') : '')).join('')
}
