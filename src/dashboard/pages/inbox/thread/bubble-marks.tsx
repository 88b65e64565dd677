import { Anchor } from '@mantine/core'
import { IconArrowForwardUp, IconSpeakerphone, IconTrash } from '@tabler/icons-react'
import type { MessageDto } from '../../../../contracts/staff-api.ts'
import { useTexts } from '../../../i18n/texts.ts'
import classes from './bubble.module.css'
import { attachmentTexts, kindOf, mediaTexts } from './media-texts.ts'

/** What stands above a message's words: that it was passed on, the ad it came from, what it answers. */
export function Provenance({ message }: { message: MessageDto }) {
  const texts = useTexts(attachmentTexts)
  return (
    <>
      {message.forwarded && (
        <span className={classes.forwarded}>
          <IconArrowForwardUp size={14} aria-hidden /> {texts.forwarded}
        </span>
      )}
      {message.referral !== null && <Referral referral={message.referral} />}
      {message.quoted !== null && <Quoted quoted={message.quoted} />}
    </>
  )
}

function Referral({ referral }: { referral: NonNullable<MessageDto['referral']> }) {
  const texts = useTexts(attachmentTexts)
  const { url, headline, body } = referral
  const name = headline ?? url
  return (
    <aside className={classes.referral}>
      <span className={classes.referralHead}>
        <IconSpeakerphone size={14} aria-hidden /> {texts.referral}
      </span>
      {name !== null &&
        (isWebAddress(url) ? (
          <Anchor
            href={url}
            target="_blank"
            rel="noreferrer noopener"
            size="sm"
            fw={600}
            c="var(--app-accent)"
          >
            {name}
          </Anchor>
        ) : (
          <strong>{name}</strong>
        ))}
      {body !== null && <span>{body}</span>}
    </aside>
  )
}

/** An address from outside is a link only where it leads to a page. */
function isWebAddress(url: string | null): url is string {
  return url !== null && /^https?:\/\//i.test(url)
}

function Quoted({ quoted }: { quoted: NonNullable<MessageDto['quoted']> }) {
  const kinds = useTexts(mediaTexts)
  const texts = useTexts(attachmentTexts)
  const kind = kindOf(quoted.type)
  return (
    <blockquote className={classes.quoted} data-author={quoted.author}>
      <cite>{texts.quoted[quoted.author]}</cite>
      <span>{quoted.text ?? (kind === null ? '…' : kinds[kind])}</span>
    </blockquote>
  )
}

/** In place of the words that were taken back. */
export function Revoked({ direction }: Pick<MessageDto, 'direction'>) {
  const texts = useTexts(attachmentTexts)
  return (
    <p className={classes.revoked}>
      <IconTrash size={15} aria-hidden /> {direction === 'in' ? texts.revoked : texts.revokedOut}
    </p>
  )
}

/** On the lower edge of the message they are about. */
export function Reactions({ reactions }: Pick<MessageDto, 'reactions'>) {
  const texts = useTexts(attachmentTexts)
  if (reactions.length === 0) return null
  return (
    <span className={classes.reactions}>
      {reactions.map(({ author, emoji }) => (
        <span key={author} role="img" aria-label={`${texts.reacted[author]}: ${emoji}`}>
          {emoji}
        </span>
      ))}
    </span>
  )
}
