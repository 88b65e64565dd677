import { Anchor } from '@mantine/core'
import {
  IconAddressBook,
  IconMapPin,
  IconPuzzle,
  IconShoppingBag,
  IconSticker,
  IconTemplate,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { MessageDto } from '../../../../contracts/staff-api.ts'
import { formatPhone } from '../../../components/phone-number.ts'
import { useTexts } from '../../../i18n/texts.ts'
import classes from './attachment.module.css'
import { MediaFile } from './media-file.tsx'
import { attachmentTexts, kindOf, mediaTexts } from './media-texts.ts'

/** Whether the card says the message's text already. */
export function saysItsText({ location, contacts, type }: MessageDto): boolean {
  return location !== null || contacts.length > 0 || type === 'template'
}

/** What a message is besides its words: a file, a place, a card, an order. */
export function Attachment({ message }: { message: MessageDto }) {
  const texts = useTexts(attachmentTexts)
  const kinds = useTexts(mediaTexts)
  const { media, location, contacts, order, type } = message
  if (media !== null) return <MediaFile media={media} />
  if (location !== null) return <Place location={location} />
  if (contacts.length > 0)
    return contacts.map((contact) => <Contact key={keyOf(contact)} contact={contact} />)
  if (order !== null) {
    return (
      <Card icon={<IconShoppingBag size={20} />} title={kinds.order} more={texts.items(order.itemCount)} />
    )
  }
  const kind = kindOf(type)
  switch (kind) {
    case null:
      return null
    case 'template':
      return <Card icon={<IconTemplate size={20} />} title={kinds.template} more={message.text} />
    case 'reaction':
      return <Card icon={<IconSticker size={20} />} title={kinds.reaction} more={null} />
    default:
      return <Card icon={<IconPuzzle size={20} />} title={kinds[kind]} more={texts.unsupportedHint} />
  }
}

interface CardProps {
  readonly icon: ReactNode
  readonly title: string
  readonly more: ReactNode
  readonly children?: ReactNode
}

function Card({ icon, title, more, children }: CardProps) {
  return (
    <span className={classes.card}>
      <span className={classes.icon} aria-hidden>
        {icon}
      </span>
      <span className={classes.body}>
        <strong>{title}</strong>
        {more !== null && <small>{more}</small>}
        {children}
      </span>
    </span>
  )
}

function Place({ location }: { location: NonNullable<MessageDto['location']> }) {
  const texts = useTexts(attachmentTexts)
  const kinds = useTexts(mediaTexts)
  const { latitude, longitude, name, address } = location
  const at = `${latitude},${longitude}`
  return (
    <Card icon={<IconMapPin size={20} />} title={name ?? kinds.location} more={address ?? at}>
      <Anchor
        href={`https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(at)}`}
        target="_blank"
        rel="noreferrer noopener"
        size="sm"
        fw={600}
        c="var(--app-accent)"
      >
        {texts.openMap}
      </Anchor>
    </Card>
  )
}

function keyOf({ name, phones }: MessageDto['contacts'][number]): string {
  return `${name}:${phones.join()}`
}

function Contact({ contact }: { contact: MessageDto['contacts'][number] }) {
  const kinds = useTexts(mediaTexts)
  const phones = contact.phones.map((phone) => formatPhone(phone.replace(/\D/g, '')) || phone)
  return (
    <Card
      icon={<IconAddressBook size={20} />}
      title={contact.name ?? kinds.contacts}
      more={phones.join(' · ')}
    />
  )
}
