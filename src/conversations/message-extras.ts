import { z } from 'zod'
import { type MessageDto, messageDtoSchema } from '../contracts/staff-api.ts'
import type { MediaModel, MessageModel } from '../db/index.ts'
import { standingReactions } from './reactions.ts'

const MESSAGE = messageDtoSchema.shape
const MEDIA = MESSAGE.media.unwrap()

const payloadSchema = z
  .looseObject({
    context: z
      .looseObject({ forwarded: z.boolean().catch(false) })
      .optional()
      .catch(undefined),
    referral: z
      .looseObject({
        source_url: z.string().nullish().catch(null),
        headline: z.string().nullish().catch(null),
        body: z.string().nullish().catch(null),
      })
      .optional()
      .catch(undefined),
    choices: z.array(z.object({ id: z.string(), title: z.string() })).catch([]),
    insteadOf: z.string().nullish().catch(null),
    raw: z.record(z.string(), z.unknown()).catch({}),
    content: z
      .discriminatedUnion('type', [
        z.object({ type: z.literal('location'), ...MESSAGE.location.unwrap().shape }),
        z.object({ type: z.literal('contacts'), contacts: MESSAGE.contacts }),
        z.object({ type: z.literal('order'), ...MESSAGE.order.unwrap().shape }),
      ])
      .nullable()
      .catch(null),
  })
  .catch({ choices: [], raw: {}, content: null })
const recording = z.object({ voice: z.literal(true) })

/** What a message has besides its words, as the thread shows it; all of it gone when it was taken back. */
export function messageExtras(
  message: MessageModel & { readonly media: MediaModel | null },
): Pick<
  MessageDto,
  | 'choices'
  | 'insteadOf'
  | 'forwarded'
  | 'referral'
  | 'reactions'
  | 'media'
  | 'location'
  | 'contacts'
  | 'order'
> {
  const { choices, content, insteadOf, context, raw, referral } = payloadSchema.parse(message.payload ?? {})
  return {
    choices,
    insteadOf: insteadOf ?? null,
    forwarded: context?.forwarded ?? false,
    referral:
      referral === undefined
        ? null
        : {
            url: referral.source_url ?? null,
            headline: referral.headline ?? null,
            body: referral.body ?? null,
          },
    reactions: standingReactions(message.reactions),
    media: message.media === null || message.revokedAt !== null ? null : mediaOf(message.media, raw),
    location: content?.type === 'location' ? MESSAGE.location.unwrap().parse(content) : null,
    contacts: content?.type === 'contacts' ? content.contacts : [],
    order: content?.type === 'order' ? { itemCount: content.itemCount } : null,
  }
}

function mediaOf(
  media: MediaModel,
  raw: Readonly<Record<string, unknown>>,
): NonNullable<MessageDto['media']> {
  const { id, filename, sizeBytes, transcript, failure } = media
  return {
    id,
    kind: MEDIA.shape.kind.parse(media.kind),
    state: MEDIA.shape.state.parse(media.state),
    contentType: media.contentType,
    filename,
    voice: recording.safeParse(raw[media.kind]).success,
    sizeBytes,
    transcript,
    failure,
  }
}
