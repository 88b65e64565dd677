/**
 * Joining and cutting histories. Roles alternate: what two successive messages of one role hold becomes one
 * message, so a text that follows tool results stands after them in the same message.
 */
import type { ContentBlockParam, HistoryMessage } from './types.ts'

/**
 * The histories one after another, with neighbours of one role joined. What is joined is a new message; all else
 * is shared with what was given.
 */
export function joinMessages(...histories: readonly (readonly HistoryMessage[])[]): HistoryMessage[] {
  const joined: HistoryMessage[] = []
  for (const history of histories) {
    for (const message of history) {
      if (message.content.length === 0) continue
      const last = joined.at(-1)
      if (last?.role !== message.role) joined.push(message)
      else joined[joined.length - 1] = { role: last.role, content: [...last.content, ...message.content] }
    }
  }
  return joined
}

/**
 * The newer turns of a history that is too long: about half of it, cut where a customer speaks, never between
 * a tool call and its result. The newest turn always stays. null when there is nothing to drop.
 */
export function dropOlderTurns(history: readonly HistoryMessage[]): HistoryMessage[] | null {
  const starts = history.flatMap((message, index) => (index > 0 && startsTurn(message) ? [index] : []))
  const newest = starts.at(-1)
  if (newest === undefined) return null
  const sizes = history.map((message) => JSON.stringify(message.content).length)
  const half = sum(sizes) / 2
  const start = starts.find((index) => sum(sizes.slice(index)) <= half) ?? newest
  const [first, ...rest] = history.slice(start)
  if (first === undefined) return null
  return [{ role: 'user', content: first.content.filter((block) => block.type !== 'tool_result') }, ...rest]
}

/** The text of a message's text blocks, trimmed. */
export function textOf(content: readonly ContentBlockParam[]): string {
  return content
    .map((block) => (block.type === 'text' ? block.text : ''))
    .join('')
    .trim()
}

/** Something else than results stands in it: results of the turn before may come first in the same message. */
function startsTurn(message: HistoryMessage): boolean {
  return message.role === 'user' && message.content.some((block) => block.type !== 'tool_result')
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
