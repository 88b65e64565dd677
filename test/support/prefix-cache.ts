import type { ResponseUsage } from '../../src/agent/types.ts'

/** Shorter prefixes are not cached. Source: the prompt caching page of the API's documentation. */
const MINIMUM_TOKENS = 1024

/**
 * The API's prompt cache in small: a prefix is the exact bytes of tools, system and messages in that order up to
 * a block with a `cache_control` mark (the mark itself is no part of it). A token is four bytes. A request
 * reads the longest prefix that was written before and ends at one of its blocks, and writes up to its last mark.
 */
export class PrefixCache {
  private readonly written = new Set<string>()

  count(body: unknown): ResponseUsage {
    const blocks = blocksOf(body)
    let bytes = ''
    const prefixes = blocks.map((block) => {
      bytes += `${block.bytes}\n`
      return { bytes, marked: block.marked }
    })
    const total = tokens(bytes)
    const read = Math.max(
      0,
      ...prefixes.filter((prefix) => this.written.has(prefix.bytes)).map((prefix) => tokens(prefix.bytes)),
    )
    const marked = prefixes.filter((prefix) => prefix.marked && tokens(prefix.bytes) >= MINIMUM_TOKENS)
    const upTo = Math.max(read, ...marked.map((prefix) => tokens(prefix.bytes)))
    for (const prefix of marked) this.written.add(prefix.bytes)
    return {
      input_tokens: total - upTo,
      output_tokens: 0,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: upTo - read,
      cache_creation: { ephemeral_5m_input_tokens: upTo - read, ephemeral_1h_input_tokens: 0 },
    }
  }
}

interface Block {
  bytes: string
  marked: boolean
}

function blocksOf(body: unknown): Block[] {
  if (!isRecord(body)) return []
  const messages = list(body['messages']).flatMap((message) =>
    isRecord(message) ? list(message['content']).map((block) => toBlock(block, message['role'])) : [],
  )
  const head = [...list(body['tools']), ...list(body['system'])].map((block) => toBlock(block, 'head'))
  return [...head, ...messages]
}

function toBlock(block: unknown, role: unknown): Block {
  const marked = isRecord(block) && block['cache_control'] !== undefined
  const bytes = isRecord(block) ? { ...block, cache_control: undefined } : block
  return { bytes: `${String(role)} ${JSON.stringify(bytes)}`, marked }
}

function list(value: unknown): unknown[] {
  if (typeof value === 'string') return [{ type: 'text', text: value }]
  return Array.isArray(value) ? value : []
}

function tokens(bytes: string): number {
  return Math.ceil(Buffer.byteLength(bytes) / 4)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
