import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { GraphSend } from './graph-api-types.ts'

/** The body of an accepted send, as the Cloud API answers it: a phone comes back as `wa_id`, a BSUID as `user_id`. */
export function acceptance(send: GraphSend): unknown {
  const contact = send.phone === null ? { user_id: send.bsuid } : { wa_id: send.phone }
  return {
    messaging_product: 'whatsapp',
    contacts: [{ input: send.body['to'] ?? send.body['recipient'], ...contact }],
    messages: [{ id: send.wamid }],
  }
}

/** The body of a refusal; the Cloud API puts what a program branches on into `code` and `error_data.details`. */
export function graphError(code: number, details: string, subcode?: number): unknown {
  const error = {
    message: `(#${code}) ${details}`,
    type: 'OAuthException',
    code,
    error_data: { messaging_product: 'whatsapp', details },
    fbtrace_id: randomBytes(8).toString('base64url'),
  }
  return { error: subcode === undefined ? error : { ...error, error_subcode: subcode } }
}

/** Resolves when the answer was handed to the network: what happens next happens after it. */
export function answer(response: ServerResponse, status: number, body: unknown): Promise<void> {
  response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' })
  return new Promise((resolve) => {
    response.once('close', resolve)
    response.end(JSON.stringify(body), () => resolve())
  })
}
