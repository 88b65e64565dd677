/** The part of `validate-history.ts` that looks at one message. */

export interface MessageSurroundings {
  /** Ids of the message before that this one has to answer, in order. */
  openCalls: readonly string[]
  /** Every tool call id of the conversation so far; this message's own are added. */
  ids: Set<string>
  isTail: boolean
  pausedTail: boolean
}

interface Found {
  problems: string[]
  openCalls: string[]
}

type Block = Record<string, unknown>

const ID = /^[a-zA-Z0-9_-]+$/
const NAME = /^[a-zA-Z0-9_-]{1,128}$/
const USER_TYPES = new Set(['text', 'image', 'document', 'search_result', 'tool_result'])

export function problemsOfMessage(path: string, message: Block, around: MessageSurroundings): Found {
  const blocks = toBlocks(message['content'])
  if (blocks === null || blocks.length === 0) {
    return { problems: [`${path}.content: empty, or not blocks`], openCalls: [] }
  }
  const problems = blocks.flatMap((block, index) => problemsOfBlock(`${path}.content.${index}`, block))
  if (message['role'] === 'user') {
    return { problems: [...problems, ...problemsOfUser(path, blocks, around.openCalls)], openCalls: [] }
  }
  return {
    problems: [...problems, ...problemsOfAssistant(path, blocks, around)],
    openCalls: blocks.flatMap((block) => (block['type'] === 'tool_use' ? [String(block['id'])] : [])),
  }
}

function problemsOfUser(path: string, blocks: readonly Block[], openCalls: readonly string[]): string[] {
  const problems: string[] = []
  const results = blocks.filter((block) => block['type'] === 'tool_result')
  const answered = results.map((block) => String(block['tool_use_id']))
  if (answered.join() !== openCalls.join()) {
    problems.push(`${path}: tool results [${answered.join()}] for calls [${openCalls.join()}]`)
  }
  if (blocks.slice(0, results.length).some((block) => block['type'] !== 'tool_result')) {
    problems.push(`${path}: tool results must come first`)
  }
  for (const block of blocks) {
    if (!USER_TYPES.has(String(block['type'])))
      problems.push(`${path}: ${String(block['type'])} in a user message`)
  }
  return problems
}

function problemsOfAssistant(path: string, blocks: readonly Block[], around: MessageSurroundings): string[] {
  const problems: string[] = []
  if (around.openCalls.length > 0) problems.push(`${path}: the tool calls before it are not answered`)
  const last = blocks.at(-1)
  if (last?.['type'] === 'thinking' || last?.['type'] === 'redacted_thinking') {
    problems.push(`${path}: the last block is thinking`)
  }
  const keepsOpen = around.isTail && around.pausedTail
  const called = new Set<unknown>()
  const answered = new Set(blocks.map((block) => block['tool_use_id']))
  for (const block of blocks) {
    const type = String(block['type'])
    if (type === 'tool_result' || type === 'image' || type === 'document') problems.push(`${path}: ${type}`)
    if (type === 'tool_use') problems.push(...problemsOfCall(path, block, around.ids))
    if (type === 'server_tool_use') {
      called.add(block['id'])
      if (!keepsOpen && !answered.has(block['id']))
        problems.push(`${path}: server_tool_use without its result`)
    }
    if (type !== 'tool_result' && 'tool_use_id' in block && !called.has(block['tool_use_id'])) {
      problems.push(`${path}: ${type} without its call`)
    }
  }
  return problems
}

function problemsOfCall(path: string, block: Block, ids: Set<string>): string[] {
  const problems: string[] = []
  const id = String(block['id'])
  if (typeof block['id'] !== 'string' || !ID.test(id)) problems.push(`${path}: tool_use id ${id}`)
  if (ids.has(id)) problems.push(`${path}: tool_use id ${id} used twice`)
  ids.add(id)
  if (typeof block['name'] !== 'string' || !NAME.test(block['name'])) problems.push(`${path}: tool_use name`)
  const input = block['input']
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    problems.push(`${path}: tool_use input is no object`)
  }
  return problems
}

function problemsOfBlock(path: string, block: Block): string[] {
  const problems: string[] = []
  const marked = block['cache_control'] !== undefined && block['cache_control'] !== null
  switch (block['type']) {
    case 'text':
      if (typeof block['text'] !== 'string' || block['text'].trim() === '')
        problems.push(`${path}: blank text`)
      break
    case 'thinking':
      if (typeof block['thinking'] !== 'string' || typeof block['signature'] !== 'string') {
        problems.push(`${path}: thinking without its signature`)
      }
      if (marked) problems.push(`${path}: cache mark on thinking`)
      break
    case 'redacted_thinking':
      if (typeof block['data'] !== 'string') problems.push(`${path}: redacted thinking without data`)
      if (marked) problems.push(`${path}: cache mark on thinking`)
      break
    case 'tool_result':
      if (block['is_error'] === true && isBlank(block['content']))
        problems.push(`${path}: error without content`)
      break
    default:
      if (typeof block['type'] !== 'string') problems.push(`${path}: no type`)
  }
  return problems
}

function toBlocks(content: unknown): Block[] | null {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!Array.isArray(content)) return null
  return content.every(isBlock) ? content : null
}

function isBlock(value: unknown): value is Block {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isBlank(content: unknown): boolean {
  return (
    content === undefined ||
    (typeof content === 'string' && content.trim() === '') ||
    (Array.isArray(content) && content.length === 0)
  )
}
