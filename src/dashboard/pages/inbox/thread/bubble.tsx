import {
  IconFile,
  IconLock,
  IconMapPin,
  IconMicrophone,
  IconPhoto,
  IconPuzzle,
  IconRobot,
  IconSticker,
  IconUser,
  IconVideo,
} from '@tabler/icons-react'
import type { MessageDto } from '../../../../contracts/staff-api.ts'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/texts.ts'
import classes from './bubble.module.css'
import { FormattedText } from './formatted-text.tsx'
import { kindOf, type MediaKind, mediaTexts } from './media-texts.ts'
import { RunDetails } from './run-details.tsx'
import { threadTexts } from './thread-texts.ts'
import { Ticks } from './ticks.tsx'

export interface BubbleProps {
  readonly conversationId: string
  readonly message: MessageDto
  /** The author's name stands above the first of several in a row. */
  readonly isFirstOfGroup: boolean
  /** The last message of a run carries what the run did. */
  readonly isLastOfRun: boolean
}

/** One message, or one note. */
export function Bubble({ conversationId, message, isFirstOfGroup, isLastOfRun }: BubbleProps) {
  const texts = useTexts(threadTexts)
  const format = useFormat()
  const { direction, author, error, status } = message
  const isDead = status === 'failed' || status === 'canceled'
  return (
    <article
      className={classes.item}
      data-direction={direction}
      data-author={author}
      data-first={isFirstOfGroup || undefined}
      data-status={status}
    >
      <div className={classes.bubble} data-dead={isDead || undefined}>
        {isFirstOfGroup && <Author message={message} />}
        {message.quoted !== null && <Quoted quoted={message.quoted} />}
        <Media message={message} />
        {message.text !== null && message.text !== '' && (
          <p className={classes.text}>
            <FormattedText text={message.text} />
          </p>
        )}
        <Choices choices={message.choices} />
        <span className={classes.foot}>
          <time dateTime={message.createdAt}>{format.time(message.createdAt)}</time>
          {direction === 'out' && <Ticks status={status} />}
        </span>
      </div>
      {(error !== null || status === 'failed' || status === 'canceled' || status === 'unknown') && (
        <p className={classes.error}>
          {texts.status[status]}
          {error !== null && (
            <>
              {error.detail !== '' && `: ${error.detail}`}{' '}
              {error.code !== 0 && <span>({texts.errorCode(error.code)})</span>}
            </>
          )}
        </p>
      )}
      {isLastOfRun && message.runId !== null && (
        <RunDetails conversationId={conversationId} runId={message.runId} />
      )}
    </article>
  )
}

function Author({ message }: { message: MessageDto }) {
  const texts = useTexts(threadTexts)
  const { direction, author, staff } = message
  if (direction === 'in') return null
  if (direction === 'note') {
    return (
      <span className={classes.author}>
        <IconLock size={13} aria-hidden /> {texts.note}
        {staff !== null && ` · ${staff.name}`}
      </span>
    )
  }
  if (author === 'bot') {
    return (
      <span className={classes.author}>
        <IconRobot size={14} aria-hidden /> {texts.bot}
      </span>
    )
  }
  const name = author === 'system' ? texts.fromSystem : (staff?.name ?? texts.fromPhone)
  return <span className={classes.author}>{name}</span>
}

function Quoted({ quoted }: { quoted: NonNullable<MessageDto['quoted']> }) {
  const kinds = useTexts(mediaTexts)
  const kind = kindOf(quoted.type)
  return (
    <blockquote className={classes.quoted}>{quoted.text ?? (kind === null ? '…' : kinds[kind])}</blockquote>
  )
}

const MEDIA_ICONS: Readonly<Record<MediaKind, typeof IconFile>> = {
  image: IconPhoto,
  audio: IconMicrophone,
  video: IconVideo,
  document: IconFile,
  sticker: IconSticker,
  location: IconMapPin,
  contacts: IconUser,
  order: IconFile,
  template: IconFile,
  reaction: IconSticker,
  unsupported: IconPuzzle,
}

/** Stands in for what is not text: what it is, and its file's name. */
function Media({ message }: { message: MessageDto }) {
  const texts = useTexts(threadTexts)
  const kinds = useTexts(mediaTexts)
  const kind = message.media?.kind ?? kindOf(message.type)
  if (kind === null) return null
  const Icon = MEDIA_ICONS[kind]
  const name = message.media?.voice === true ? texts.voice : kinds[kind]
  return (
    <span className={classes.media}>
      <span className={classes.mediaIcon}>
        <Icon size={20} stroke={1.6} aria-hidden />
      </span>
      <span className={classes.mediaBody}>
        <strong>{message.media?.filename ?? name}</strong>
        {message.media !== null && <small>{texts.noPreview}</small>}
      </span>
    </span>
  )
}

function Choices({ choices }: { choices: MessageDto['choices'] }) {
  const texts = useTexts(threadTexts)
  if (choices.length === 0) return null
  return (
    <ul className={classes.choices} aria-label={texts.options}>
      {choices.map(({ id, title }) => (
        <li key={id}>{title}</li>
      ))}
    </ul>
  )
}
