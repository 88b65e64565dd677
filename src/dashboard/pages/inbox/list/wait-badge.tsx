import { Badge } from '@mantine/core'
import { IconAlarm } from '@tabler/icons-react'
import type { ConversationDto } from '../../../../contracts/staff-api.ts'
import { shortDuration } from '../../../i18n/duration.ts'
import { type Format, useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/texts.ts'
import { useNow } from '../../../i18n/use-now.ts'
import { inboxTexts } from '../inbox-texts.ts'

const SOON_MS = 3 * 60_000
/** Due further away than this is outside the hours of the business: the moment says more than the time left. */
const FAR_MS = 3 * 3_600_000

/** The time that is left for the first reply, or by how much it is late. */
export function WaitBadge({ conversation }: { conversation: ConversationDto }) {
  const texts = useTexts(inboxTexts)
  const format = useFormat()
  const now = useNow(5_000)
  const dueAt = firstReplyDue(conversation)
  if (dueAt === null) return null
  const left = dueAt - now
  if (left > FAR_MS) {
    return (
      <Badge size="sm" variant="light" color="gray" tt="none" fw={550}>
        {texts.dueAt(isToday(dueAt, format) ? format.time(dueAt) : format.dayTime(dueAt))}
      </Badge>
    )
  }
  const color = left < 0 ? 'red' : left < SOON_MS ? 'orange' : 'brand'
  return (
    <Badge
      size="sm"
      variant={left < 0 ? 'filled' : 'light'}
      color={left < 0 ? 'red.8' : color}
      tt="none"
      fw={600}
      leftSection={<IconAlarm size={12} />}
    >
      {left < 0 ? texts.overdueBy(shortDuration(-left)) : texts.dueIn(shortDuration(left))}
    </Badge>
  )
}

function isToday(instant: number, format: Format): boolean {
  return format.localDate(instant) === format.localDate(Date.now())
}

/** Epoch milliseconds, or null when nobody waits for a first reply. */
function firstReplyDue({ status, handoff }: ConversationDto): number | null {
  const dueAt = handoff?.firstReplyDueAt ?? null
  if (dueAt === null) return null
  const isWaiting = status === 'queued' || (status === 'assigned' && handoff?.firstReplyAt === null)
  return isWaiting ? Date.parse(dueAt) : null
}
