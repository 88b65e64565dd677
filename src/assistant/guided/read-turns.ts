/**
 * The request's messages as turns of the dialogue: what the customer said, and what followed until the customer
 * spoke again. A user message of results alone, or of results and a remark of the loop, goes on with its turn;
 * results of the turn before may stand first in the customer's next message.
 */
import { LOOP_TEXTS } from '../../agent/texts.ts'
import type { ContentBlockParam, HistoryMessage } from '../../agent/types.ts'
import { type ContextFacts, parseChoiceReply, parseContextBlock } from '../message-format.ts'

export interface ToolExchange {
  name: string
  input: unknown
  /** null while there is no result. */
  result: string | null
  isError: boolean
}

export interface Turn {
  /** Of this message or the newest one before it. */
  context: Partial<ContextFacts>
  taps: { id: string; title: string }[]
  /** The customer's words, '' when there are none. */
  words: string
  calls: ToolExchange[]
  /** What was last written to the customer as plain text. */
  text: string
}

export function readTurns(messages: readonly HistoryMessage[]): Turn[] {
  const turns: Turn[] = []
  const open = new Map<string, ToolExchange>()
  for (const message of messages) {
    if (message.role === 'user') readUser(message.content, turns, open)
    else readAssistant(message.content, turns, open)
  }
  return turns
}

const END_TURN = new Set(['offer_choices', 'transfer_to_human'])
const REMARKS = new Set(Object.values(LOOP_TEXTS).flatMap((texts) => [texts.answerNow, texts.finalAnswer]))
/** A block of the application's own: a remark, or what a person of the team wrote. */
const TAGGED = /^\s*<(note|team)>[\s\S]*<\/\1>\s*$/
/** How a message is told that is more than its text: `[image] caption`. */
const MEDIA = /^\[[a-z_]+\]\s*/

function readUser(
  content: readonly ContentBlockParam[],
  turns: Turn[],
  open: Map<string, ToolExchange>,
): void {
  let isMidTurn = false
  for (const block of content) {
    if (block.type !== 'tool_result') continue
    const exchange = open.get(block.tool_use_id)
    if (exchange === undefined) continue
    exchange.result = resultText(block.content)
    exchange.isError = block.is_error === true
    isMidTurn ||= !END_TURN.has(exchange.name) || exchange.isError
  }
  const others = content.filter((block) => block.type !== 'tool_result')
  const texts = others.flatMap((block) =>
    block.type === 'text' && !REMARKS.has(block.text) ? [block.text] : [],
  )
  const contexts = texts.flatMap((text) => parseContextBlock(text) ?? [])
  const isRemark =
    others.length > 0 && others.every((block) => block.type === 'text' && REMARKS.has(block.text))
  if (others.length === 0 || isRemark || (isMidTurn && contexts.length === 0)) return
  const taps = texts.flatMap((text) => parseChoiceReply(text) ?? [])
  const words = texts.filter(
    (text) => !TAGGED.test(text) && parseContextBlock(text) === null && parseChoiceReply(text) === null,
  )
  const context = { ...turns.at(-1)?.context, ...contexts.at(-1) }
  turns.push({
    context,
    taps,
    words: words
      .map((text) => text.replace(MEDIA, ''))
      .join('\n')
      .trim(),
    calls: [],
    text: '',
  })
}

function readAssistant(
  content: readonly ContentBlockParam[],
  turns: Turn[],
  open: Map<string, ToolExchange>,
): void {
  const turn = turns.at(-1) ?? emptyTurn()
  if (turns.length === 0) turns.push(turn)
  for (const block of content) {
    if (block.type === 'text') turn.text = block.text
    if (block.type !== 'tool_use') continue
    const exchange = { name: block.name, input: block.input, result: null, isError: false }
    turn.calls.push(exchange)
    open.set(block.id, exchange)
  }
}

function emptyTurn(): Turn {
  return { context: {}, taps: [], words: '', calls: [], text: '' }
}

function resultText(content: string | readonly { type: string }[] | undefined): string {
  if (content === undefined) return ''
  if (typeof content === 'string') return content
  return content
    .map((block) => ('text' in block && typeof block.text === 'string' ? block.text : ''))
    .join('\n')
}
