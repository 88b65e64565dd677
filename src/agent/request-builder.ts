/**
 * The request's bytes. The prompt cache's prefix order is tools → system → messages and it lives on exact
 * bytes: tools are sorted by name, the system text is one block, blocks of the history go out as they are.
 * Cache marks stand at the end of the system text and on the last block of the newest message; marks are no
 * part of the prefix, so the one that moves on does not spoil it.
 */
import type { Tool as ToolSchema } from '@anthropic-ai/sdk/resources/messages/messages.js'
import type { ContentBlockParam, HistoryMessage, ModelRequest, RequestShape, Tool } from './types.ts'

export interface RequestParts {
  model: string
  maxTokens: number
  system: string
  tools: readonly ToolSchema[]
  messages: readonly HistoryMessage[]
  /** False: `tool_choice` is `none`, with the same tools, as changing them would throw the cache away. */
  mayCallTools: boolean
}

export function buildRequest(parts: RequestParts): ModelRequest {
  return {
    model: parts.model,
    max_tokens: parts.maxTokens,
    tools: [...parts.tools],
    tool_choice: { type: parts.mayCallTools ? 'auto' : 'none' },
    system: [{ type: 'text', text: parts.system, cache_control: { type: 'ephemeral' } }],
    messages: markNewest(parts.messages),
  }
}

/** The tools as the API wants them, in an order that does not depend on how they were listed. */
export function toToolSchemas<Ctx>(tools: readonly Tool<Ctx>[]): ToolSchema[] {
  return [...tools]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema }))
}

/** A request's measures without its content. */
export function shapeOf(request: ModelRequest): RequestShape {
  return {
    model: request.model,
    maxTokens: request.max_tokens,
    toolChoice: request.tool_choice.type,
    toolCount: request.tools.length,
    systemLength: request.system.reduce((length, block) => length + block.text.length, 0),
    messages: request.messages.map(
      (message) => `${message.role}: ${message.content.map((block) => block.type).join(' ')}`,
    ),
  }
}

function markNewest(messages: readonly HistoryMessage[]): HistoryMessage[] {
  return messages.map((message, index) => {
    const isNewest = index === messages.length - 1
    if (!isNewest && !message.content.some(isMarked)) return message
    const last = isNewest ? message.content.length - 1 : -1
    const content = message.content.map((block, position) =>
      position === last ? marked(block) : unmarked(block),
    )
    return { role: message.role, content }
  })
}

function isMarked(block: ContentBlockParam): boolean {
  return 'cache_control' in block
}

function unmarked(block: ContentBlockParam): ContentBlockParam {
  if (!('cache_control' in block)) return block
  const { cache_control: _mark, ...rest } = block
  return rest
}

/** Thinking blocks take no mark; then this request has one mark less, and the next one makes up for it. */
function marked(block: ContentBlockParam): ContentBlockParam {
  if (block.type === 'thinking' || block.type === 'redacted_thinking') return block
  return { ...block, cache_control: { type: 'ephemeral' } }
}
