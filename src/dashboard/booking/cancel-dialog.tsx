import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { AppointmentDto } from '../../contracts/staff-api.ts'
import { useCancel } from '../api/appointments.ts'
import { notifyDone } from '../components/notify.ts'
import { commonTexts } from '../i18n/common-texts.ts'
import { useFormat } from '../i18n/format.ts'
import { useTexts } from '../i18n/texts.ts'
import { bookingTexts, refusalText } from './booking-texts.ts'
import { messageOfRefusal } from './refusal-message.ts'

/** Asks once before an appointment is cancelled: its time is free for others at that moment. */
export function CancelDialog({ appointment, onClose }: { appointment: AppointmentDto; onClose: () => void }) {
  const texts = useTexts(bookingTexts)
  const common = useTexts(commonTexts)
  const format = useFormat()
  const [reason, setReason] = useState('')
  const cancel = useCancel()
  const submit = () =>
    cancel.mutate(
      { code: appointment.code, reason: reason.trim() },
      {
        onSuccess: () => {
          notifyDone(texts.cancelled)
          onClose()
        },
      },
    )
  return (
    <Modal
      opened
      onClose={onClose}
      title={texts.cancelTitle}
      closeButtonProps={{ 'aria-label': common.close }}
      centered
    >
      <Stack gap="md">
        {cancel.error !== null && (
          <Alert color="red" role="alert">
            {messageOfRefusal(cancel.error, (code) => refusalText(code, texts)) ?? texts.failed}
          </Alert>
        )}
        <Text size="sm">
          <strong>{appointment.service.name}</strong> · {format.day(appointment.startsAt)},{' '}
          {format.time(appointment.startsAt)} · {appointment.professional.name}
        </Text>
        <TextInput
          label={texts.cancelReason}
          value={reason}
          maxLength={500}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {texts.keep}
          </Button>
          <Button color="red.8" loading={cancel.isPending} onClick={submit}>
            {texts.cancel}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
