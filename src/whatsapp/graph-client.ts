import { z } from 'zod'
import type {
  ChannelAccount,
  OutboundChannel,
  OutboundContent,
  OutboundRequest,
  Recipient,
  SendOutcome,
} from '../conversations/outbound-channel.ts'
import { assertNever } from '../shared/assert-never.ts'
import { outcomeOf, outcomeOfCode, outcomeOfNetwork } from './error-table.ts'
import { formatText } from './format-text.ts'
import { interactiveMessage, type MessagePayload, textMessage } from './interactive-message.ts'
import { networkFailure } from './network-failure.ts'

export interface GraphChannelOptions {
  /** `https://graph.facebook.com`, without version and without a slash at the end. */
  readonly baseUrl: string
  /** `v25.0` */
  readonly version: string
  readonly userAgent: string
  /**
   * For the whole exchange. Keep it above the ten seconds that connecting may take: a shorter one that strikes
   * while connecting cannot be told from one that strikes after sending, and counts as ambiguous.
   */
  readonly timeoutMs: number
  readonly fetch?: typeof fetch
}

/**
 * The WhatsApp Cloud API as the product's outbound channel: `POST /{version}/{phone_number_id}/messages`.
 * 200 means accepted, not delivered: delivery comes by webhook, with `messageId` in `biz_opaque_callback_data`.
 */
export function createGraphChannel(options: GraphChannelOptions): OutboundChannel {
  return {
    async send(request) {
      return readOutcome(await post(options, request.account, sendBody(request)))
    },
    async markRead(account, wamid, { typing }) {
      const answer = await post(options, account, readBody(wamid, typing))
      return answer.kind === 'answered' && successSchema.safeParse(answer.body).success
    },
    outcomeOf: outcomeOfCode,
  }
}

type Answer =
  | { readonly kind: 'answered'; readonly status: number; readonly body: unknown }
  | { readonly kind: 'failed'; readonly thrown: unknown }

const acceptedSchema = z.object({
  messages: z.tuple([z.object({ id: z.string().min(1) })]).rest(z.unknown()),
})
const successSchema = z.object({ success: z.literal(true) })

async function post(options: GraphChannelOptions, account: ChannelAccount, body: unknown): Promise<Answer> {
  const url = `${options.baseUrl}/${options.version}/${encodeURIComponent(account.phoneNumberId)}/messages`
  try {
    const response = await (options.fetch ?? fetch)(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${account.accessToken}`,
        'content-type': 'application/json',
        'user-agent': options.userAgent,
      },
      body: JSON.stringify(body),
      // A redirect would carry the message, and possibly the token, to another host.
      redirect: 'manual',
      signal: AbortSignal.timeout(options.timeoutMs),
    })
    return { kind: 'answered', status: response.status, body: parseJson(await response.text()) }
  } catch (thrown) {
    return { kind: 'failed', thrown }
  }
}

function readOutcome(answer: Answer): SendOutcome {
  if (answer.kind === 'failed') return outcomeOfNetwork(networkFailure(answer.thrown))
  const accepted = acceptedSchema.safeParse(answer.body)
  if (accepted.success && answer.status >= 200 && answer.status < 300) {
    return { kind: 'accepted', wamid: accepted.data.messages[0].id }
  }
  return outcomeOf(answer.status, answer.body)
}

function sendBody(request: OutboundRequest): MessagePayload {
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    ...addressee(request.to),
    ...contentPayload(request.content, request.locale),
    biz_opaque_callback_data: request.messageId,
  }
}

/** Without the plus Meta may take the number for a local one of the business's own country. */
function addressee(to: Recipient): MessagePayload {
  return to.kind === 'phone' ? { to: `+${to.phone.replace(/\D/g, '')}` } : { recipient: to.bsuid }
}

function contentPayload(content: OutboundContent, locale: string): MessagePayload {
  switch (content.kind) {
    case 'text':
      return textMessage(content.verbatim === true ? content.text : formatText(content.text))
    case 'choices':
      return interactiveMessage(formatText(content.text), content.choices, locale)
    case 'template': {
      const { name, language, components } = content
      return { type: 'template', template: { name, language: { code: language }, components } }
    }
    default:
      return assertNever(content)
  }
}

function readBody(wamid: string, typing: boolean): MessagePayload {
  return {
    messaging_product: 'whatsapp',
    status: 'read',
    message_id: wamid,
    ...(typing ? { typing_indicator: { type: 'text' } } : {}),
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
