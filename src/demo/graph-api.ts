import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { asRecord, looseText } from '../whatsapp/loose.ts'
import { acceptance, answer, graphError } from './graph-api-answers.ts'
import { violationOf } from './graph-api-limits.ts'
import type {
  FaultRule,
  GraphFault,
  GraphMedia,
  GraphRead,
  GraphSend,
  LoopbackGraphApi,
  LoopbackGraphApiOptions,
} from './graph-api-types.ts'
import { createRecording, type Recording } from './recording.ts'

/**
 * A Graph API on loopback, for tests and the demo: it checks sends as Meta does, answers with Meta's own error
 * bodies, records what came, and misbehaves on request. It sends no webhooks itself: whoever listens
 * (`onAccepted`) posts statuses, in time, late or out of order.
 */
export async function startLoopbackGraphApi(
  options: LoopbackGraphApiOptions = {},
): Promise<LoopbackGraphApi> {
  const state: State = {
    options,
    now: options.now ?? Date.now,
    rules: [],
    attempts: createRecording<GraphSend>('attempt'),
    sends: createRecording<GraphSend>('send'),
    reads: createRecording<GraphRead>('read call'),
    media: new Map(),
    mediaUrls: new Map(),
    url: '',
  }
  const server = createServer((request, response) => {
    handle(state, request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : new Error(String(error)))
    })
  })
  const port = await listen(server, options.port ?? 0)
  state.url = `http://127.0.0.1:${port}`
  return {
    url: state.url,
    attempts: state.attempts.items,
    sends: state.sends.items,
    reads: state.reads.items,
    script: (fault, rule = {}) => void state.rules.push({ fault, rule, left: rule.times ?? 1 }),
    clearScript: () => void state.rules.splice(0),
    onAccepted: state.sends.listen,
    onRead: state.reads.listen,
    waitForSend: state.sends.waitFor,
    waitForRead: state.reads.waitFor,
    addMedia: (media) => void state.media.set(media.id, media),
    expireMediaUrls: () => state.mediaUrls.clear(),
    refuse: () => stop(server),
    resume: async () => void (await listen(server, port)),
    close: () => stop(server),
  }
}

interface State {
  readonly options: LoopbackGraphApiOptions
  readonly now: () => number
  readonly rules: { readonly fault: GraphFault; readonly rule: FaultRule; left: number }[]
  readonly attempts: Recording<GraphSend>
  readonly sends: Recording<GraphSend>
  readonly reads: Recording<GraphRead>
  readonly media: Map<string, GraphMedia>
  /** One-time path to media id. */
  readonly mediaUrls: Map<string, string>
  url: string
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
}

async function stop(server: Server): Promise<void> {
  if (!server.listening) return
  await new Promise((resolve) => {
    server.close(resolve)
    server.closeAllConnections()
  })
}

async function handle(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = new URL(request.url ?? '/', state.url).pathname
  const body = await readBody(request)
  const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
  const known = state.options.tokens
  if (token === '' || (known !== undefined && !known.includes(token))) {
    return answer(response, 401, graphError(190, 'Invalid OAuth access token - Cannot parse access token'))
  }
  const messages = /^\/v\d+\.\d+\/([^/]+)\/messages$/.exec(path)?.[1]
  if (request.method === 'POST' && messages !== undefined) {
    return receiveMessage(state, {
      request,
      response,
      body,
      token,
      phoneNumberId: decodeURIComponent(messages),
    })
  }
  if (request.method === 'GET') return sendMedia(state, path, response)
  return answer(response, 404, graphError(100, 'Unsupported request'))
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly body: string
  readonly token: string
  readonly phoneNumberId: string
}

async function receiveMessage(state: State, exchange: Exchange): Promise<void> {
  const { response, phoneNumberId } = exchange
  const body = parseObject(exchange.body)
  if (body === null) return answer(response, 400, graphError(100, 'Invalid JSON payload'))
  if (state.options.phoneNumberIds?.includes(phoneNumberId) === false) {
    const details = `Unsupported post request. Object with ID '${phoneNumberId}' does not exist`
    return answer(response, 400, graphError(100, details, 33))
  }
  if (body['status'] === 'read') return receiveRead(state, phoneNumberId, body, response)
  const fault = takeFault(state, body)
  const refusal = fault?.kind === 'error' ? fault : (violationOf(body) ?? closedWindow(state, body))
  const accepted = refusal === null && (fault === null || goesOut(fault))
  const send = recordOf(state, exchange, body, accepted)
  state.attempts.add(send)
  if (refusal !== null) {
    const status = 'httpStatus' in refusal ? refusal.httpStatus : undefined
    return answer(
      response,
      status ?? 400,
      graphError(refusal.code, refusal.details ?? `Scripted ${refusal.code}`),
    )
  }
  if (fault === null) {
    await answer(response, 200, acceptance(send))
    state.sends.add(send)
    return
  }
  if (accepted) state.sends.add(send)
  return misbehave(fault, exchange, send)
}

/** Whether the customer gets the message although its sender gets no good answer. */
function goesOut(fault: GraphFault): boolean {
  if (fault.kind === 'slow') return true
  return fault.kind !== 'error' && fault.accept === true
}

async function misbehave(fault: GraphFault, { request, response }: Exchange, send: GraphSend): Promise<void> {
  switch (fault.kind) {
    case 'http':
      response.writeHead(fault.status, { 'content-type': 'text/html' })
      response.end(fault.body ?? '<html><body>Bad gateway</body></html>')
      return
    case 'reset':
      request.socket.resetAndDestroy()
      return
    case 'slow':
      await delay(fault.delayMs)
      return answer(response, 200, acceptance(send))
    case 'hang':
    case 'error':
      return
  }
}

function receiveRead(
  state: State,
  phoneNumberId: string,
  body: Readonly<Record<string, unknown>>,
  response: ServerResponse,
): Promise<void> {
  const wamid = looseText.parse(body['message_id'])
  if (wamid === null) return answer(response, 400, graphError(100, 'The parameter message_id is required.'))
  const typing = asRecord(body['typing_indicator'])?.['type'] === 'text'
  state.reads.add({ phoneNumberId, wamid, typing, atMs: state.now() })
  return answer(response, 200, { success: true })
}

function takeFault(state: State, body: Readonly<Record<string, unknown>>): GraphFault | null {
  const index = state.rules.findIndex(({ rule }) => rule.when?.(body) ?? true)
  const found = state.rules[index]
  if (found === undefined) return null
  found.left -= 1
  if (found.left <= 0) state.rules.splice(index, 1)
  return found.fault
}

function closedWindow(
  state: State,
  body: Readonly<Record<string, unknown>>,
): { code: number; details: string } | null {
  const recipient = digitsOf(body['to']) ?? looseText.parse(body['recipient']) ?? ''
  if (body['type'] === 'template' || (state.options.windowOpen?.(recipient) ?? true)) return null
  const details =
    'Message failed to send because more than 24 hours have passed since the customer last replied to this number.'
  return { code: 131047, details }
}

function recordOf(
  state: State,
  exchange: Exchange,
  body: Readonly<Record<string, unknown>>,
  accepted: boolean,
): GraphSend {
  const phone = digitsOf(body['to'])
  const type = looseText.parse(body['type']) ?? 'text'
  const interactive = asRecord(asRecord(body['interactive'])?.['body'])
  return {
    wamid: `wamid.${randomBytes(21).toString('base64url')}`,
    accepted,
    phoneNumberId: exchange.phoneNumberId,
    token: exchange.token,
    userAgent: exchange.request.headers['user-agent'] ?? '',
    phone,
    bsuid: phone === null ? looseText.parse(body['recipient']) : null,
    type,
    text: looseText.parse(asRecord(body['text'])?.['body']) ?? looseText.parse(interactive?.['text']),
    messageId: looseText.parse(body['biz_opaque_callback_data']),
    body,
    atMs: state.now(),
  }
}

function digitsOf(to: unknown): string | null {
  return typeof to === 'string' ? to.replace(/\D/g, '') : null
}

async function sendMedia(state: State, path: string, response: ServerResponse): Promise<void> {
  const byUrl = state.media.get(state.mediaUrls.get(path) ?? '')
  if (byUrl !== undefined) {
    response.writeHead(200, { 'content-type': byUrl.mimeType, 'content-length': byUrl.bytes.length })
    response.end(byUrl.bytes)
    return
  }
  const media = state.media.get(/^\/v\d+\.\d+\/([^/]+)$/.exec(path)?.[1] ?? '')
  if (media === undefined) return answer(response, 404, graphError(100, 'Object does not exist', 33))
  const mediaPath = `/media/${randomBytes(12).toString('hex')}`
  state.mediaUrls.set(mediaPath, media.id)
  return answer(response, 200, {
    messaging_product: 'whatsapp',
    url: `${state.url}${mediaPath}`,
    mime_type: media.mimeType,
    sha256: createHash('sha256').update(media.bytes).digest('hex'),
    file_size: media.bytes.length,
    id: media.id,
  })
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    return asRecord(JSON.parse(text))
  } catch {
    return null
  }
}
