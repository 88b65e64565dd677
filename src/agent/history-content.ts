/**
 * What of a model's message may enter the history. Blocks go in as they came, the same objects, but for what
 * the API gives (or a bad model could give) and would refuse to take back: blank text, a thinking block at the
 * end, a tool call that nobody will answer, an id that was used before, an input that is no object.
 * Everything here is a function of the message and the ids before it, so a resumed run gets the same.
 */
import { joinMessages } from './history.ts'
import type { ContentBlockParam, HistoryMessage, ToolCall } from './types.ts'

export interface AcceptedCalls {
  content: ContentBlockParam[]
  calls: ToolCall[]
}

/** Content of a message whose tool calls will all be answered, with those calls under their final ids. */
export function acceptCalls(content: readonly ContentBlockParam[], usedIds: Set<string>): AcceptedCalls {
  const calls: ToolCall[] = []
  const accepted = content.filter(isSayable).map((block): ContentBlockParam => {
    if (block.type !== 'tool_use') return block
    const id = uniqueId(block.id, usedIds)
    calls.push({ toolUseId: id, name: block.name, input: block.input })
    const name = wireName(block.name)
    if (id === block.id && name === block.name && isPlainObject(block.input)) return block
    return { ...block, id, name, input: isPlainObject(block.input) ? block.input : {} }
  })
  return { content: withoutLastThinking(accepted), calls }
}

/**
 * Content of a message that runs no tools (an answer, or a paused one that goes back for more): a tool call in
 * it will never be answered, so none stays. Empty when nothing is left to say.
 */
export function acceptWithoutCalls(content: readonly ContentBlockParam[]): ContentBlockParam[] {
  return withoutLastThinking(content.filter((block) => isSayable(block) && block.type !== 'tool_use'))
}

/**
 * The history as the API takes it: neighbours of one role joined, and calls of the API's own tools only with
 * their results in the same message. `pausedTail` leaves such a call alone at the very end: it is why the
 * message paused, and the API goes on from there.
 */
export function toSendable(history: readonly HistoryMessage[], pausedTail: boolean): HistoryMessage[] {
  const joined = joinMessages(history)
  if (!joined.some(callsServerTools)) return joined
  return joinMessages(
    joined.map((message, index) =>
      callsServerTools(message)
        ? { role: message.role, content: paired(message.content, pausedTail && index === joined.length - 1) }
        : message,
    ),
  )
}

/** Something in it is of the API's own tools: a call, or the result of one. */
function callsServerTools({ role, content }: HistoryMessage): boolean {
  return (
    role === 'assistant' &&
    content.some((block) => block.type === 'server_tool_use' || 'tool_use_id' in block)
  )
}

/** The ids of every tool call in a history. */
export function toolUseIds(history: readonly HistoryMessage[]): Set<string> {
  const ids = new Set<string>()
  for (const { content } of history) {
    for (const block of content) {
      if (block.type === 'tool_use') ids.add(block.id)
    }
  }
  return ids
}

/** A text cut by `max_tokens`, up to its last whole sentence; without one, up to its last whole word. */
export function cutAtSentence(text: string): string {
  const trimmed = text.trim()
  const sentence = /^[\s\S]*[.!?…](?=["'”’)\]*_]*(\s|$))["'”’)\]*_]*/u.exec(trimmed)?.[0]
  if (sentence !== undefined) return sentence
  const words = /^[\s\S]*\S(?=\s)/u.exec(trimmed)?.[0] ?? trimmed
  return `${words}…`
}

/** The content with `cut` in place of all its text. */
export function withCutText(content: readonly ContentBlockParam[], cut: string): ContentBlockParam[] {
  return [...content.filter((block) => block.type !== 'text'), { type: 'text', text: cut }]
}

function isSayable(block: ContentBlockParam): boolean {
  return block.type !== 'text' || block.text.trim() !== ''
}

function paired(content: readonly ContentBlockParam[], keepOpenCalls: boolean): ContentBlockParam[] {
  const called = new Set<string>()
  const kept = content.filter((block, index) => {
    if ('tool_use_id' in block) return called.has(block.tool_use_id)
    if (block.type !== 'server_tool_use') return true
    called.add(block.id)
    return keepOpenCalls || content.slice(index).some((later) => answers(later, block.id))
  })
  return kept.length === content.length ? kept : withoutLastThinking(kept)
}

function answers(block: ContentBlockParam, id: string): boolean {
  return 'tool_use_id' in block && block.tool_use_id === id
}

function withoutLastThinking(content: readonly ContentBlockParam[]): ContentBlockParam[] {
  const end = content.findLastIndex(
    (block) => block.type !== 'thinking' && block.type !== 'redacted_thinking',
  )
  return content.slice(0, end + 1)
}

function uniqueId(given: string, used: Set<string>): string {
  const base = given.replace(/[^a-zA-Z0-9_-]/g, '_') || 'toolu'
  let id = base
  for (let suffix = 2; used.has(id); suffix += 1) id = `${base}_${suffix}`
  used.add(id)
  return id
}

function wireName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 128) || 'unnamed'
}

function isPlainObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
