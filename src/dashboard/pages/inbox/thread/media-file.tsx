import { Loader, Modal, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import {
  IconDownload,
  IconFile,
  IconFileTypePdf,
  IconFileUnknown,
  IconMicrophone,
  IconMusic,
} from '@tabler/icons-react'
import { useState } from 'react'
import type { MessageDto } from '../../../../contracts/staff-api.ts'
import { commonTexts } from '../../../i18n/common-texts.ts'
import { formatBytes } from '../../../i18n/format-bytes.ts'
import { useLocale, useTexts } from '../../../i18n/texts.ts'
import classes from './attachment.module.css'
import { attachmentTexts, mediaTexts } from './media-texts.ts'

type MediaDto = NonNullable<MessageDto['media']>

/** A file of the customer's: shown where a browser can show it, a card to download otherwise. */
export function MediaFile({ media }: { media: MediaDto }) {
  if (media.state !== 'stored') return <Absent media={media} />
  switch (media.kind) {
    case 'image':
    case 'sticker':
      return <Picture media={media} />
    case 'audio':
      return <Sound media={media} />
    case 'video':
      return <Film media={media} />
    case 'document':
      return <Download media={media} />
    default:
      return media.kind satisfies never
  }
}

function urlOf({ id }: MediaDto): string {
  return `/v1/media/${id}`
}

function Picture({ media }: { media: MediaDto }) {
  const texts = useTexts(attachmentTexts)
  const kinds = useTexts(mediaTexts)
  const common = useTexts(commonTexts)
  const [isOpen, view] = useDisclosure(false)
  const [isBroken, setIsBroken] = useState(false)
  if (isBroken) return <Download media={media} />
  const name = kinds[media.kind]
  const picture = (
    <img
      className={media.kind === 'sticker' ? classes.sticker : classes.image}
      src={urlOf(media)}
      alt={media.filename ?? name}
      loading="lazy"
      onError={() => setIsBroken(true)}
    />
  )
  if (media.kind === 'sticker') return picture
  return (
    <>
      <UnstyledButton className={classes.imageButton} aria-label={texts.enlarge} onClick={view.open}>
        {picture}
      </UnstyledButton>
      <Modal
        opened={isOpen}
        onClose={view.close}
        title={media.filename ?? name}
        closeButtonProps={{ 'aria-label': common.close }}
        size="auto"
        centered
      >
        <img className={classes.large} src={urlOf(media)} alt={media.filename ?? name} />
      </Modal>
    </>
  )
}

function Sound({ media }: { media: MediaDto }) {
  const texts = useTexts(attachmentTexts)
  const kinds = useTexts(mediaTexts)
  const name = media.voice ? texts.voice : (media.filename ?? kinds.audio)
  const Icon = media.voice ? IconMicrophone : IconMusic
  return (
    <div className={classes.sound}>
      <span className={classes.soundName}>
        <Icon size={15} aria-hidden /> {name}
      </span>
      <audio controls preload="metadata" src={urlOf(media)} aria-label={name} />
      {media.transcript !== null && (
        <figure className={classes.transcript}>
          <figcaption>{texts.transcript}</figcaption>
          <blockquote>{media.transcript}</blockquote>
        </figure>
      )}
    </div>
  )
}

function Film({ media }: { media: MediaDto }) {
  const kinds = useTexts(mediaTexts)
  return (
    <video
      className={classes.film}
      controls
      preload="metadata"
      src={urlOf(media)}
      aria-label={media.filename ?? kinds.video}
    />
  )
}

function Download({ media }: { media: MediaDto }) {
  const texts = useTexts(attachmentTexts)
  const kinds = useTexts(mediaTexts)
  const { locale } = useLocale()
  const name = media.filename ?? kinds[media.kind]
  const isPdf = media.contentType === 'application/pdf'
  const Icon = isPdf ? IconFileTypePdf : IconFile
  const facts = [isPdf ? 'PDF' : kinds[media.kind], formatBytes(media.sizeBytes, locale)]
  return (
    <a className={classes.card} href={urlOf(media)} download={name} aria-label={texts.download(name)}>
      <span className={classes.icon} aria-hidden>
        <Icon size={22} stroke={1.6} />
      </span>
      <span className={classes.body}>
        <strong>{name}</strong>
        <small>{facts.filter((fact) => fact !== '').join(' · ')}</small>
      </span>
      <IconDownload size={18} aria-hidden className={classes.download} />
    </a>
  )
}

/** On its way, or never to come. */
function Absent({ media }: { media: MediaDto }) {
  const texts = useTexts(attachmentTexts)
  const kinds = useTexts(mediaTexts)
  const isPending = media.state === 'pending'
  return (
    <span className={classes.card} data-absent>
      <span className={classes.icon} aria-hidden>
        {isPending ? <Loader size={18} color="currentColor" /> : <IconFileUnknown size={20} />}
      </span>
      <span className={classes.body}>
        <strong>{media.filename ?? (media.voice ? texts.voice : kinds[media.kind])}</strong>
        <small>{isPending ? texts.arriving : texts.gone[whyGone(media)]}</small>
      </span>
    </span>
  )
}

function whyGone({ state, failure }: MediaDto): 'too_large' | 'type_not_allowed' | 'expired' | 'other' {
  if (failure === 'too_large' || failure === 'type_not_allowed') return failure
  return state === 'expired' ? 'expired' : 'other'
}
