/**
 * A strict validator of the rules by which the Messages API refuses a request with 400, and of a few of our
 * own (results in the order of their calls, four cache marks at most counted over the whole request). It takes
 * anything, so that a test server can put a parsed body through it. Half a surrogate pair is refused because the
 * API answers it with 400 ("no low surrogate in string").
 *
 * Sources: https://platform.claude.com/docs/en/agents-and-tools/tool-use/implement-tool-use (results first, each call
 * answered in the next message), …/build-with-claude/extended-thinking (thinking blocks go back unchanged and
 * never last), …/build-with-claude/prompt-caching (four marks, none on thinking or empty text).
 */
import { problemsOfMessage } from './validate-message.ts'

export interface ValidateOptions {
  /** The last message may be the assistant's: a paused one, sent back for more. Default false. */
  pausedTail?: boolean
}

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/
const MAX_CACHE_MARKS = 4
/** `JSON.stringify` writes a whole pair as it is and half of one as an escape. */
const HALF_PAIR = /(?<!\\)(?:\\\\)*\\ud[89a-f]/

/** What is wrong with a request body, one line each with its path; empty when the API would take it. */
export function validateRequest(body: unknown, options: ValidateOptions = {}): string[] {
  if (!isRecord(body)) return ['request: not an object']
  const problems: string[] = []
  if (typeof body['model'] !== 'string' || body['model'] === '') problems.push('model: missing')
  const maxTokens = body['max_tokens']
  if (typeof maxTokens !== 'number' || !Number.isInteger(maxTokens) || maxTokens < 1) {
    problems.push('max_tokens: not a positive integer')
  }
  problems.push(...problemsOfSystem(body['system']), ...problemsOfTools(body['tools'], body['tool_choice']))
  problems.push(...validateHistory(body['messages'], options))
  if (HALF_PAIR.test(JSON.stringify(body))) problems.push('request: half a surrogate pair')
  if (countMarks(body) > MAX_CACHE_MARKS) problems.push(`cache_control: more than ${MAX_CACHE_MARKS} marks`)
  return problems
}

/** The same for the messages alone. A history that is stored between turns may end with either role. */
export function validateHistory(
  messages: unknown,
  options: ValidateOptions & { stored?: boolean } = {},
): string[] {
  if (!Array.isArray(messages) || messages.length === 0) return ['messages: empty']
  const problems: string[] = []
  const ids = new Set<string>()
  let expected = 'user'
  let openCalls: string[] = []
  for (const [index, message] of messages.entries()) {
    const path = `messages.${index}`
    if (!isRecord(message)) return [...problems, `${path}: not an object`]
    if (message['role'] !== expected) problems.push(`${path}: the role must be ${expected}`)
    expected = message['role'] === 'user' ? 'assistant' : 'user'
    const isTail = index === messages.length - 1
    const found = problemsOfMessage(path, message, {
      openCalls,
      ids,
      isTail,
      pausedTail: options.pausedTail === true,
    })
    problems.push(...found.problems)
    openCalls = found.openCalls
  }
  if (openCalls.length > 0) problems.push('messages: the last tool calls are not answered')
  if (expected === 'user' && options.pausedTail !== true && options.stored !== true) {
    problems.push('messages: the last one must be the user’s')
  }
  if (countMarks(messages) > MAX_CACHE_MARKS)
    problems.push(`cache_control: more than ${MAX_CACHE_MARKS} marks`)
  return problems
}

function problemsOfSystem(system: unknown): string[] {
  if (system === undefined || typeof system === 'string') return []
  if (!Array.isArray(system)) return ['system: neither text nor blocks']
  return system.flatMap((block, index) =>
    isRecord(block) &&
    block['type'] === 'text' &&
    typeof block['text'] === 'string' &&
    block['text'].trim() !== ''
      ? []
      : [`system.${index}: not a text block with text`],
  )
}

function problemsOfTools(tools: unknown, toolChoice: unknown): string[] {
  if (tools === undefined) return toolChoice === undefined ? [] : ['tool_choice: without tools']
  if (!Array.isArray(tools)) return ['tools: not a list']
  const problems: string[] = []
  const names = new Set<unknown>()
  for (const [index, tool] of tools.entries()) {
    if (!isRecord(tool) || typeof tool['name'] !== 'string' || !TOOL_NAME.test(tool['name'])) {
      problems.push(`tools.${index}.name: not a tool name`)
      continue
    }
    if (names.has(tool['name'])) problems.push(`tools.${index}.name: used twice`)
    names.add(tool['name'])
    const schema = tool['input_schema']
    if (!isRecord(schema) || schema['type'] !== 'object')
      problems.push(`tools.${index}.input_schema: no object`)
  }
  if (toolChoice !== undefined && !(isRecord(toolChoice) && isToolChoice(toolChoice['type']))) {
    problems.push('tool_choice: unknown')
  }
  return problems
}

function isToolChoice(type: unknown): boolean {
  return type === 'auto' || type === 'none' || type === 'any' || type === 'tool'
}

/** Every `cache_control` in the value, but for those inside tool inputs, which are data. */
function countMarks(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((total: number, item) => total + countMarks(item), 0)
  if (!isRecord(value)) return 0
  const own = value['cache_control'] === undefined || value['cache_control'] === null ? 0 : 1
  const skipped = new Set(['input', 'input_schema', 'cache_control'])
  return Object.entries(value).reduce(
    (total, [key, member]) => (skipped.has(key) ? total : total + countMarks(member)),
    own,
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
