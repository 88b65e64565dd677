import type { ModelRequest } from '../../src/agent/types.ts'

/** What the prompt cache compares, block for block: tools, system, messages, each without its cache mark. */
export function prefixBytes(request: Pick<ModelRequest, 'tools' | 'system' | 'messages'>): string[] {
  const messages = request.messages.flatMap(({ role, content }) =>
    content.map((block) => `${role} ${bytesOf(block)}`),
  )
  return [...request.tools.map(bytesOf), ...request.system.map(bytesOf), ...messages]
}

/** Whether everything of `earlier` stands at the beginning of `later`, byte for byte. */
export function isPrefix(earlier: readonly string[], later: readonly string[]): boolean {
  return earlier.length <= later.length && earlier.every((bytes, index) => bytes === later[index])
}

/** The estimate the whole product uses: four bytes a token. */
export function tokensOf(bytes: readonly string[]): number {
  return Math.ceil(bytes.reduce((sum, block) => sum + Buffer.byteLength(block), 0) / 4)
}

function bytesOf(block: object): string {
  return JSON.stringify({ ...block, cache_control: undefined })
}
