import { Badge } from '@mantine/core'
import { IconCheck, IconEye, IconRobot } from '@tabler/icons-react'
import { Link } from 'wouter'
import type { ConversationDto } from '../../../../contracts/staff-api.ts'
import { useMe } from '../../../auth/session.ts'
import { CustomerAvatar } from '../../../components/customer-avatar.tsx'
import { formatPhone } from '../../../components/phone-number.ts'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/texts.ts'
import { inboxTexts } from '../inbox-texts.ts'
import { reasonTexts } from '../reason-texts.ts'
import { kindOf, mediaTexts } from '../thread/media-texts.ts'
import classes from './conversation-row.module.css'
import { WaitBadge } from './wait-badge.tsx'

export interface ConversationRowProps {
  readonly conversation: ConversationDto
  readonly href: string
  readonly isSelected: boolean
  /** In a search the rows come from every tab. */
  readonly showsStatus: boolean
}

export function ConversationRow({ conversation, href, isSelected, showsStatus }: ConversationRowProps) {
  const texts = useTexts(inboxTexts)
  const reasons = useTexts(reasonTexts)
  const format = useFormat()
  const me = useMe()
  const { customer, unread, handoff, status, lastMessageAt } = conversation
  const others = conversation.viewers.filter(({ id }) => id !== me.staff.id)
  const isToday = lastMessageAt !== null && format.localDate(lastMessageAt) === format.localDate(Date.now())
  return (
    <Link
      href={href}
      className={classes.row}
      data-selected={isSelected || undefined}
      data-conversation={conversation.id}
      aria-current={isSelected ? 'true' : undefined}
    >
      <CustomerAvatar id={customer.id} name={customer.name} />
      <span className={classes.body}>
        <span className={classes.line}>
          <strong className={classes.name}>
            {customer.name ?? (formatPhone(customer.phone) || texts.unnamed)}
          </strong>
          {lastMessageAt !== null && (
            <time className={classes.time} dateTime={lastMessageAt}>
              {isToday ? format.time(lastMessageAt) : format.day(lastMessageAt)}
            </time>
          )}
        </span>
        <span className={classes.line}>
          <Preview conversation={conversation} />
          {unread > 0 && (
            <Badge size="md" circle={unread < 10} variant="filled" aria-label={texts.unread(unread)}>
              {unread}
            </Badge>
          )}
        </span>
        <span className={classes.tags}>
          {showsStatus && (
            <Badge size="sm" variant="light" color="gray" tt="none" fw={550}>
              {statusWord(conversation, me.staff.id, texts)}
            </Badge>
          )}
          {status === 'queued' && <WaitBadge conversation={conversation} />}
          {status === 'queued' && handoff !== null && (
            <span className={classes.reason}>{reasons[handoff.reason]}</span>
          )}
          {status === 'assigned' && (
            <>
              <WaitBadge conversation={conversation} />
              {conversation.assignee?.id !== me.staff.id && !showsStatus && (
                <span className={classes.reason}>{statusWord(conversation, me.staff.id, texts)}</span>
              )}
            </>
          )}
          {others.length > 0 && (
            <span className={classes.viewers} title={others.map(({ name }) => name).join(', ')}>
              <IconEye size={14} aria-hidden />
              {others.map(({ name }) => name).join(', ')}
            </span>
          )}
        </span>
      </span>
    </Link>
  )
}

function Preview({ conversation }: { conversation: ConversationDto }) {
  const texts = useTexts(inboxTexts)
  const kinds = useTexts(mediaTexts)
  const last = conversation.lastMessage
  if (last === null) return <span className={classes.preview} />
  const kind = kindOf(last.type)
  return (
    <span className={classes.preview}>
      {last.author === 'bot' && <IconRobot size={15} aria-label={texts.bot} />}
      {last.author === 'staff' && <IconCheck size={15} aria-hidden />}
      <span className={classes.text}>{last.text ?? (kind === null ? '' : kinds[kind])}</span>
    </span>
  )
}

/** Who has the conversation, in words. */
export function statusWord(
  { status, assignee }: ConversationDto,
  staffId: string,
  texts: (typeof inboxTexts)['en'],
): string {
  switch (status) {
    case 'queued':
      return texts.status.queued
    case 'bot':
      return texts.status.bot
    case 'closed':
      return texts.status.closed
    case 'assigned':
      if (assignee === null) return texts.status.phone
      return assignee.id === staffId ? texts.status.mine : texts.status.assigned(assignee.name)
    default:
      return status satisfies never
  }
}
