import { z } from 'zod'
import type { ChannelAccount } from '../conversations/outbound-channel.ts'
import type { MediaSource, OpenedMedia } from '../media/media-source.ts'
import { InfrastructureError } from '../shared/app-error.ts'
import { looseNumber, looseText } from './loose.ts'

export interface GraphMediaOptions {
  /** `https://graph.facebook.com`, without version and without a slash at the end. */
  readonly baseUrl: string
  /** `v25.0` */
  readonly version: string
  readonly userAgent: string
  /** For each request, its body included. */
  readonly timeoutMs: number
  readonly fetch?: typeof fetch
}

/** An address lives five minutes; one that is gone at once is asked for again, this often. */
const MOST_ADDRESSES = 3

const metadataSchema = z.object({
  url: z.string(),
  mime_type: looseText,
  sha256: looseText,
  file_size: looseNumber,
})
const errorSchema = z.object({ error: z.object({ code: z.number() }) })

/**
 * Files of the Cloud API: `GET /{version}/{media id}` gives an address for five minutes, `GET` of the address
 * with the token gives the bytes. The address is asked for again when it answers 404.
 * https://developers.facebook.com/docs/whatsapp/cloud-api/reference/media
 */
export function createGraphMediaSource(options: GraphMediaOptions): MediaSource {
  return {
    async open(account, providerId, signal) {
      for (let address = 1; address <= MOST_ADDRESSES; address += 1) {
        const metadata = await readMetadata(options, account, providerId, signal)
        if (metadata === null) return null
        const opened = await download(options, account, metadata, signal)
        if (opened !== null) return opened
      }
      throw new InfrastructureError('media_address_gone', 'every address of the file answered 404')
    },
  }
}

type Metadata = z.infer<typeof metadataSchema>

async function readMetadata(
  options: GraphMediaOptions,
  account: ChannelAccount,
  providerId: string,
  signal: AbortSignal,
): Promise<Metadata | null> {
  const path = `${encodeURIComponent(providerId)}?phone_number_id=${encodeURIComponent(account.phoneNumberId)}`
  const response = await get(options, account, `${options.baseUrl}/${options.version}/${path}`, signal)
  const body = parseJson(await textOf(response))
  const metadata = metadataSchema.safeParse(body)
  if (response.ok && metadata.success) return metadata.data
  const code = errorSchema.safeParse(body)
  // 100 (and 33 as its subcode): no such object, or one of another number.
  if (response.status === 404 || (code.success && code.data.error.code === 100)) return null
  throw new InfrastructureError('media_unavailable', `the address of a file: ${response.status}`)
}

/** @returns null when the address is gone. */
async function download(
  options: GraphMediaOptions,
  account: ChannelAccount,
  metadata: Metadata,
  signal: AbortSignal,
): Promise<OpenedMedia | null> {
  const response = await get(options, account, safeAddress(options, metadata.url), signal)
  if (response.status === 404) {
    await response.body?.cancel()
    return null
  }
  if (!response.ok || response.body === null) {
    await response.body?.cancel()
    throw new InfrastructureError('media_unavailable', `the bytes of a file: ${response.status}`)
  }
  const { mime_type: mimeType, sha256, file_size: sizeBytes } = metadata
  return { mimeType, sha256, sizeBytes, chunks: readable(response.body) }
}

/** The token goes along, so the address must be as safe as the API's own: https, unless the API is on loopback. */
function safeAddress(options: GraphMediaOptions, address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null
  const isLikeApi = url !== null && url.origin === new URL(options.baseUrl).origin
  if (url === null || (url.protocol !== 'https:' && !isLikeApi)) {
    throw new InfrastructureError('media_unavailable', 'the address of a file is not https')
  }
  return url.href
}

async function get(
  options: GraphMediaOptions,
  account: ChannelAccount,
  url: string,
  signal: AbortSignal,
): Promise<Response> {
  try {
    return await (options.fetch ?? fetch)(url, {
      headers: { authorization: `Bearer ${account.accessToken}`, 'user-agent': options.userAgent },
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(options.timeoutMs)]),
    })
  } catch (cause) {
    throw unreachable(cause)
  }
}

async function textOf(response: Response): Promise<string> {
  try {
    return await response.text()
  } catch (cause) {
    throw unreachable(cause)
  }
}

/** A connection that breaks in the middle of a file is a failure like any other. */
async function* readable(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw unreachable(cause)
      })
      if (done) return
      yield value
    }
  } finally {
    // A reader that stopped early lets go of the connection.
    await reader.cancel().catch(() => undefined)
  }
}

function unreachable(cause: unknown): InfrastructureError {
  return new InfrastructureError('media_unavailable', 'the file cannot be reached', { cause })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
