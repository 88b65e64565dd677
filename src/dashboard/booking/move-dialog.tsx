import { Alert, Button, Group, Modal, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { AppointmentDto, AvailabilityItem } from '../../contracts/staff-api.ts'
import { useCatalog, useMove } from '../api/appointments.ts'
import { notifyDone } from '../components/notify.ts'
import { commonTexts } from '../i18n/common-texts.ts'
import { useFormat } from '../i18n/format.ts'
import { useTexts } from '../i18n/texts.ts'
import { bookingTexts, refusalText } from './booking-texts.ts'
import { messageOfRefusal } from './refusal-message.ts'
import { SlotPicker } from './slot-picker.tsx'

/** Another time, or another professional, for an appointment that stands. */
export function MoveDialog({ appointment, onClose }: { appointment: AppointmentDto; onClose: () => void }) {
  const texts = useTexts(bookingTexts)
  const common = useTexts(commonTexts)
  const format = useFormat()
  const { data: catalog } = useCatalog()
  const [professional, setProfessional] = useState<string | null>(appointment.professional.key)
  const [date, setDate] = useState(() =>
    format.localDate(Math.max(Date.now(), Date.parse(appointment.startsAt))),
  )
  const [slot, setSlot] = useState<AvailabilityItem | null>(null)
  const move = useMove()
  const able = (catalog?.professionals ?? []).filter(({ services }) =>
    services.includes(appointment.service.key),
  )
  const submit = () => {
    if (slot === null) return
    move.mutate(
      { code: appointment.code, startsAt: slot.startsAt, professional: slot.professional.key },
      {
        onSuccess: (moved) => {
          notifyDone(texts.moved(`${format.day(moved.startsAt)}, ${format.time(moved.startsAt)}`))
          onClose()
        },
        onError: () => setSlot(null),
      },
    )
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={texts.moveTitle(appointment.service.name)}
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <Stack gap="md">
        {move.error !== null && (
          <Alert color="red" role="alert">
            {messageOfRefusal(move.error, (code) => refusalText(code, texts)) ?? texts.failed}
          </Alert>
        )}
        <Text size="sm" c="dimmed">
          {texts.now}: {format.day(appointment.startsAt)}, {format.time(appointment.startsAt)} ·{' '}
          {appointment.professional.name}
        </Text>
        <Select
          label={texts.professional}
          placeholder={texts.anybody}
          clearable
          data={able.map((item) => ({ value: item.key, label: item.name }))}
          value={professional}
          onChange={(next) => {
            setProfessional(next)
            setSlot(null)
          }}
        />
        <SlotPicker
          service={appointment.service.key}
          professional={professional}
          date={date}
          onDate={setDate}
          slot={slot}
          onSlot={setSlot}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {common.cancel}
          </Button>
          <Button disabled={slot === null} loading={move.isPending} onClick={submit}>
            {slot === null ? texts.chooseTime : texts.confirmMove}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
