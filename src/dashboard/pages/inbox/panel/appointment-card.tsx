import { ActionIcon, Badge, Menu } from '@mantine/core'
import { IconCalendarX, IconClockEdit, IconDotsVertical } from '@tabler/icons-react'
import type { AppointmentDto } from '../../../../contracts/staff-api.ts'
import { bookingTexts } from '../../../booking/booking-texts.ts'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/texts.ts'
import classes from './appointment-card.module.css'
import { panelTexts } from './panel-texts.ts'

const COLORS = {
  booked: 'brand',
  confirmed: 'brand',
  completed: 'blue',
  no_show: 'orange',
  cancelled: 'gray',
} as const

export interface AppointmentCardProps {
  readonly appointment: AppointmentDto
  /** Left out for what can no longer change. */
  readonly onMove?: () => void
  readonly onCancel?: () => void
}

export function AppointmentCard({ appointment, onMove, onCancel }: AppointmentCardProps) {
  const texts = useTexts(panelTexts)
  const booking = useTexts(bookingTexts)
  const format = useFormat()
  const { status, service, professional, startsAt, endsAt, forName, priceCents, code } = appointment
  const price = format.money(priceCents)
  return (
    <article className={classes.card} data-status={status}>
      <div className={classes.body}>
        <p className={classes.when}>
          {format.day(startsAt)} · {format.time(startsAt)}–{format.time(endsAt)}
        </p>
        <p className={classes.what}>{[service.name, professional.name].join(' · ')}</p>
        <p className={classes.more}>
          {[forName === null ? '' : texts.forName(forName), price, texts.code(code)]
            .filter((part) => part !== '')
            .join(' · ')}
        </p>
        <Badge size="sm" variant="light" color={COLORS[status]} tt="none" fw={600} mt={4}>
          {booking.status[status]}
        </Badge>
      </div>
      {onMove !== undefined && (
        <Menu position="bottom-end" withArrow>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label={texts.actions(service.name)}>
              <IconDotsVertical size={17} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconClockEdit size={17} />} onClick={onMove}>
              {booking.move}
            </Menu.Item>
            <Menu.Item color="red" leftSection={<IconCalendarX size={17} />} onClick={onCancel}>
              {booking.cancel}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </article>
  )
}
