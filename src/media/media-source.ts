import type { ChannelAccount } from '../conversations/outbound-channel.ts'

/** A file of the channel, opened for reading once. */
export interface OpenedMedia {
  readonly mimeType: string | null
  /** As the channel states it, hex or base64. */
  readonly sha256: string | null
  readonly sizeBytes: number | null
  readonly chunks: AsyncIterable<Uint8Array>
}

/** The port to where a channel keeps the files of its messages; src/whatsapp implements it. */
export interface MediaSource {
  /**
   * @returns null when the channel has no such file (any more).
   * @throws InfrastructureError when it cannot be had now; trying again later may help.
   */
  open(account: ChannelAccount, providerId: string, signal: AbortSignal): Promise<OpenedMedia | null>
}
