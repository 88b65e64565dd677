import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { ContentBlockParam, ModelResponse } from '../../src/agent/types.ts'
import { validateRequest } from '../../src/agent/validate-history.ts'
import { PrefixCache } from './prefix-cache.ts'

/** What the server does with one request, in the order of arrival. */
export type ApiLine =
  | { type: 'message'; stopReason: string | null; content: ContentBlockParam[]; outputTokens?: number }
  | {
      type: 'error'
      status: number
      errorType?: string
      errorCode?: string
      headers?: Record<string, string>
    }
  | { type: 'reset' }
  | { type: 'hang' }
  | { type: 'page'; body: string }

export interface LoopbackMessagesApi {
  baseURL: string
  /** Bodies of the requests so far, retries too. */
  readonly requests: unknown[]
  /** The counters of each answer so far, as they were given. */
  readonly usages: ModelResponse['usage'][]
  /** What the validator said of each request that was answered with 400 for it. */
  readonly complaints: string[]
  /** Adds to the script. */
  play(...lines: ApiLine[]): void
  /** Answers every request that the script has no line for; without it such a request gets 500. */
  otherwise(line: (body: unknown) => ApiLine | Promise<ApiLine>): void
  close(): Promise<void>
}

/** The error types of the API by status, https://platform.claude.com/docs/en/api/errors */
const ERROR_TYPES: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}

/**
 * `POST /v1/messages` on 127.0.0.1, answering as the API does: a request that breaks its rules gets 400, usage
 * counts the prompt cache. Errors ask for a retry after one millisecond, so that tests do not wait.
 */
export async function startLoopbackMessagesApi(): Promise<LoopbackMessagesApi> {
  const script: ApiLine[] = []
  const requests: unknown[] = []
  const complaints: string[] = []
  const usages: ModelResponse['usage'][] = []
  const cache = new PrefixCache()
  let otherwise: (body: unknown) => ApiLine | Promise<ApiLine> = () => ({ type: 'error', status: 500 })
  let paused = false
  let served = 0

  const answer = async (body: unknown, response: ServerResponse): Promise<void> => {
    served += 1
    requests.push(body)
    const problems = validateRequest(body, { pausedTail: paused })
    if (problems.length > 0) {
      complaints.push(...problems)
      sendError(response, { type: 'error', status: 400 }, problems.join('; '))
      return
    }
    const line = script.shift() ?? (await otherwise(body))
    if (line.type === 'message') paused = line.stopReason === 'pause_turn'
    if (line.type !== 'message') {
      fail(response, line)
      return
    }
    const output = line.outputTokens ?? tokensOf(JSON.stringify(line.content))
    const usage = { ...cache.count(body), output_tokens: output }
    usages.push(usage)
    sendMessage(response, line, { id: `msg_${served}`, usage, model: modelOf(body) })
  }

  const server = createServer((request, response) => {
    if (request.method !== 'POST' || request.url?.split('?')[0] !== '/v1/messages') {
      sendError(response, { type: 'error', status: 404 }, 'not found')
      return
    }
    readBody(request)
      .then((body) => answer(body, response))
      .catch((error: unknown) => {
        complaints.push(`the script failed: ${String(error)}`)
        sendError(response, { type: 'error', status: 500 }, 'the script failed')
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return {
    baseURL: `http://127.0.0.1:${address.port}`,
    requests,
    usages,
    complaints,
    play: (...lines) => {
      script.push(...lines)
    },
    otherwise: (line) => {
      otherwise = line
    },
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

type Measures = Pick<ModelResponse, 'id' | 'usage' | 'model'>

function sendMessage(
  response: ServerResponse,
  line: ApiLine & { type: 'message' },
  measures: Measures,
): void {
  sendJson(response, 200, {
    ...measures,
    type: 'message',
    role: 'assistant',
    content: line.content,
    stop_reason: line.stopReason,
    stop_sequence: null,
  })
}

function fail(response: ServerResponse, line: Exclude<ApiLine, { type: 'message' }>): void {
  switch (line.type) {
    case 'error':
      sendError(response, line, 'scripted')
      return
    case 'reset':
      response.socket?.resetAndDestroy()
      return
    case 'hang':
      return
    case 'page':
      response.writeHead(200, { 'content-type': 'text/html' }).end(line.body)
  }
}

function sendError(response: ServerResponse, line: ApiLine & { type: 'error' }, message: string): void {
  const error = {
    type: line.errorType ?? ERROR_TYPES[line.status] ?? 'api_error',
    message,
    ...(line.errorCode === undefined ? {} : { details: { error_code: line.errorCode } }),
  }
  const body = { type: 'error', error, request_id: 'req_1' }
  sendJson(response, line.status, body, { 'retry-after-ms': '1', ...line.headers })
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_1', ...headers })
  response.end(JSON.stringify(body))
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}

function modelOf(body: unknown): string {
  return typeof body === 'object' && body !== null && 'model' in body ? String(body.model) : ''
}

function tokensOf(json: string): number {
  return Math.ceil(Buffer.byteLength(json) / 4)
}
