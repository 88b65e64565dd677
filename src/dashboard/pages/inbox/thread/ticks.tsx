import {
  IconAlertCircle,
  IconBan,
  IconCheck,
  IconChecks,
  IconClock,
  IconHelpCircle,
} from '@tabler/icons-react'
import type { MessageDto } from '../../../../contracts/staff-api.ts'
import { useTexts } from '../../../i18n/texts.ts'
import { threadTexts } from './thread-texts.ts'
import classes from './ticks.module.css'

const ICONS = {
  received: IconCheck,
  pending: IconClock,
  sent: IconCheck,
  delivered: IconChecks,
  read: IconChecks,
  failed: IconAlertCircle,
  unknown: IconHelpCircle,
  canceled: IconBan,
} as const satisfies Record<MessageDto['status'], unknown>

/** How far a message has come, as WhatsApp shows it. */
export function Ticks({ status }: { status: MessageDto['status'] }) {
  const texts = useTexts(threadTexts)
  const Icon = ICONS[status]
  return (
    <span
      className={classes.ticks}
      data-tick={status}
      role="img"
      aria-label={texts.status[status]}
      title={texts.status[status]}
    >
      <Icon size={15} stroke={2} aria-hidden />
    </span>
  )
}
