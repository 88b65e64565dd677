import { IconLock, IconRobot } from '@tabler/icons-react'
import type { MessageDto } from '../../../../contracts/staff-api.ts'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/texts.ts'
import { Attachment, saysItsText } from './attachment.tsx'
import classes from './bubble.module.css'
import { Provenance, Reactions, Revoked } from './bubble-marks.tsx'
import { FormattedText } from './formatted-text.tsx'
import { attachmentTexts } from './media-texts.ts'
import { RunDetails } from './run-details.tsx'
import { SendState } from './send-state.tsx'
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
  const { direction, author, status } = message
  const isDead = status === 'failed' || status === 'canceled'
  return (
    <article
      className={classes.item}
      data-direction={direction}
      data-author={author}
      data-first={isFirstOfGroup || undefined}
      data-status={status}
    >
      <div
        className={classes.bubble}
        data-dead={isDead || undefined}
        data-sticker={message.media?.kind === 'sticker' || undefined}
        data-reacted={message.reactions.length > 0 || undefined}
      >
        {isFirstOfGroup && <Author message={message} />}
        <Provenance message={message} />
        {message.revokedAt === null ? <Content message={message} /> : <Revoked direction={direction} />}
        <Foot message={message} />
        <Reactions reactions={message.reactions} />
      </div>
      <SendState message={message} />
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

function Content({ message }: { message: MessageDto }) {
  const { text, media } = message
  // The words of a voice note stand with it already.
  const isShown = text !== null && text !== '' && text !== media?.transcript && !saysItsText(message)
  return (
    <>
      <Attachment message={message} />
      {isShown && (
        <p className={classes.text}>
          <FormattedText text={text} />
        </p>
      )}
      <Choices choices={message.choices} />
    </>
  )
}

function Foot({ message }: { message: MessageDto }) {
  const texts = useTexts(attachmentTexts)
  const format = useFormat()
  const { createdAt, direction, editedAt, revokedAt, status } = message
  return (
    <span className={classes.foot}>
      {editedAt !== null && revokedAt === null && (
        <span title={`${format.date(editedAt)} ${format.time(editedAt)}`}>{texts.edited}</span>
      )}
      <time dateTime={createdAt}>{format.time(createdAt)}</time>
      {direction === 'out' && <Ticks status={status} />}
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
