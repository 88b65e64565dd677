import { ActionIcon, Button, CopyButton, Skeleton, Text } from '@mantine/core'
import { IconCalendarPlus, IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import type { CustomerProfileDto } from '../../../../contracts/dashboard-api.ts'
import type { AppointmentDto } from '../../../../contracts/staff-api.ts'
import { useCustomer } from '../../../api/appointments.ts'
import { useConversation } from '../../../api/conversations.ts'
import { BookingDialog } from '../../../booking/booking-dialog.tsx'
import { bookingTexts } from '../../../booking/booking-texts.ts'
import { CancelDialog } from '../../../booking/cancel-dialog.tsx'
import { MoveDialog } from '../../../booking/move-dialog.tsx'
import { CustomerAvatar } from '../../../components/customer-avatar.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { formatPhone } from '../../../components/phone-number.ts'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/texts.ts'
import { inboxTexts } from '../inbox-texts.ts'
import { AppointmentCard } from './appointment-card.tsx'
import classes from './customer-panel.module.css'
import { panelTexts } from './panel-texts.ts'

type OpenDialog =
  | { readonly kind: 'book' }
  | { readonly kind: 'move' | 'cancel'; readonly appointment: AppointmentDto }
  | null

/** Who the customer is, and what they have booked: booking, moving and cancelling without leaving the thread. */
export function CustomerPanel({ conversationId }: { conversationId: string }) {
  const { data: conversation } = useConversation(conversationId)
  const { data: customer, error, refetch } = useCustomer(conversation?.customer.id)
  if (customer === undefined) {
    return error === null ? <PanelSkeleton /> : <ErrorState error={error} onRetry={() => void refetch()} />
  }
  return <Profile customer={customer} />
}

function Profile({ customer }: { customer: CustomerProfileDto }) {
  const texts = useTexts(panelTexts)
  const booking = useTexts(bookingTexts)
  const inbox = useTexts(inboxTexts)
  const [dialog, setDialog] = useState<OpenDialog>(null)
  const [showsPast, setShowsPast] = useState(false)
  const close = () => setDialog(null)
  const name = customer.name ?? (formatPhone(customer.phone) || inbox.unnamed)
  return (
    <div className={classes.panel}>
      <Head customer={customer} name={name} />
      <section>
        <div className={classes.sectionHead}>
          <h3>{texts.upcoming}</h3>
          <Button
            size="compact-sm"
            variant="light"
            leftSection={<IconCalendarPlus size={16} aria-hidden />}
            onClick={() => setDialog({ kind: 'book' })}
          >
            {booking.book}
          </Button>
        </div>
        {customer.upcoming.length === 0 && (
          <Text size="sm" c="dimmed">
            {texts.noUpcoming}
          </Text>
        )}
        {customer.upcoming.map((appointment) => (
          <AppointmentCard
            key={appointment.code}
            appointment={appointment}
            onMove={() => setDialog({ kind: 'move', appointment })}
            onCancel={() => setDialog({ kind: 'cancel', appointment })}
          />
        ))}
      </section>
      {customer.past.length > 0 && (
        <section>
          <div className={classes.sectionHead}>
            <h3>{texts.past}</h3>
          </div>
          {showsPast ? (
            customer.past.map((appointment) => (
              <AppointmentCard key={appointment.code} appointment={appointment} />
            ))
          ) : (
            <Button variant="subtle" size="compact-sm" px={0} onClick={() => setShowsPast(true)}>
              {texts.showPast(customer.past.length)}
            </Button>
          )}
        </section>
      )}
      {dialog?.kind === 'book' && <BookingDialog customer={{ id: customer.id, name }} onClose={close} />}
      {dialog?.kind === 'move' && <MoveDialog appointment={dialog.appointment} onClose={close} />}
      {dialog?.kind === 'cancel' && <CancelDialog appointment={dialog.appointment} onClose={close} />}
    </div>
  )
}

function Head({ customer, name }: { customer: CustomerProfileDto; name: string }) {
  const texts = useTexts(panelTexts)
  const format = useFormat()
  const phone = formatPhone(customer.phone)
  return (
    <header className={classes.head}>
      <CustomerAvatar id={customer.id} name={customer.name} size={64} />
      <h2>{name}</h2>
      {phone !== '' && (
        <div className={classes.phone}>
          {phone}
          <CopyButton value={phone}>
            {({ copied, copy }) => (
              <ActionIcon
                variant="subtle"
                color="gray"
                size="sm"
                aria-label={copied ? texts.copied : texts.copyPhone}
                onClick={copy}
              >
                {copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
              </ActionIcon>
            )}
          </CopyButton>
        </div>
      )}
      <Text size="xs" c="dimmed">
        {texts.since(format.date(customer.createdAt))}
      </Text>
    </header>
  )
}

function PanelSkeleton() {
  return (
    <div className={classes.panel}>
      <div className={classes.head}>
        <Skeleton circle height={64} />
        <Skeleton height={16} width={140} radius="xl" mt={12} />
        <Skeleton height={11} width={110} radius="xl" mt={8} />
      </div>
      <Skeleton height={86} radius="md" />
    </div>
  )
}
