import { Alert, Button, Group, Modal, Select, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { AvailabilityItem } from '../../contracts/staff-api.ts'
import { useBook, useCatalog } from '../api/appointments.ts'
import { notifyDone } from '../components/notify.ts'
import { commonTexts } from '../i18n/common-texts.ts'
import { useFormat } from '../i18n/format.ts'
import { useTexts } from '../i18n/texts.ts'
import { bookingTexts, refusalText } from './booking-texts.ts'
import { messageOfRefusal } from './refusal-message.ts'
import { SlotPicker } from './slot-picker.tsx'

export interface BookingDialogProps {
  readonly customer: { readonly id: string; readonly name: string }
  readonly onClose: () => void
}

/** Books for a customer that is known: service, who, when. */
export function BookingDialog({ customer, onClose }: BookingDialogProps) {
  const texts = useTexts(bookingTexts)
  const common = useTexts(commonTexts)
  const format = useFormat()
  const { data: catalog } = useCatalog()
  const [service, setService] = useState<string | null>(null)
  const [professional, setProfessional] = useState<string | null>(null)
  const [date, setDate] = useState(() => format.localDate(Date.now()))
  const [slot, setSlot] = useState<AvailabilityItem | null>(null)
  const [forName, setForName] = useState('')
  const [key, setKey] = useState(() => crypto.randomUUID())
  const book = useBook()
  const able = (catalog?.professionals ?? []).filter(
    ({ services }) => service === null || services.includes(service),
  )
  const choose = (change: () => void) => {
    change()
    setSlot(null)
    setKey(crypto.randomUUID())
  }
  const submit = () => {
    if (service === null || slot === null) return
    const name = forName.trim()
    book.mutate(
      {
        key,
        service,
        professional: slot.professional.key,
        startsAt: slot.startsAt,
        customer: { id: customer.id },
        ...(name === '' ? {} : { forName: name }),
      },
      {
        onSuccess: (appointment) => {
          notifyDone(
            texts.booked(`${format.day(appointment.startsAt)}, ${format.time(appointment.startsAt)}`),
          )
          onClose()
        },
        onError: () => choose(() => {}),
      },
    )
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={texts.bookFor(customer.name)}
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <Stack gap="md">
        {book.error !== null && (
          <Alert color="red" role="alert">
            {messageOfRefusal(book.error, (code) => refusalText(code, texts)) ?? texts.failed}
          </Alert>
        )}
        <Select
          label={texts.service}
          data-autofocus
          data={(catalog?.services ?? []).map((item) => ({
            value: item.key,
            label: [item.name, texts.duration(item.durationMinutes), format.money(item.priceCents)]
              .filter((part) => part !== '')
              .join(' · '),
          }))}
          value={service}
          onChange={(next) =>
            choose(() => {
              setService(next)
              setProfessional(null)
            })
          }
          allowDeselect={false}
        />
        <Select
          label={texts.professional}
          placeholder={texts.anybody}
          clearable
          data={able.map((item) => ({ value: item.key, label: item.name }))}
          value={professional}
          onChange={(next) => choose(() => setProfessional(next))}
        />
        <SlotPicker
          service={service}
          professional={professional}
          date={date}
          onDate={setDate}
          slot={slot}
          onSlot={setSlot}
        />
        <TextInput
          label={texts.forName}
          value={forName}
          maxLength={120}
          onChange={(event) => setForName(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {common.cancel}
          </Button>
          <Button disabled={slot === null} loading={book.isPending} onClick={submit}>
            {slot === null ? texts.chooseTime : texts.confirm}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
