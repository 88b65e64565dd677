import { Badge, Button, Drawer, Group, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { DatePickerInput } from '@mantine/dates'
import { useState } from 'react'
import type { CatalogDto } from '../../../contracts/dashboard-api.ts'
import type { AppointmentDto, AppointmentStatus } from '../../../contracts/staff-api.ts'
import { notifyFailure } from '../../components/notify.ts'
import { formatPhone } from '../../components/phone-number.ts'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useDateInputFormat } from '../../i18n/date-input-format.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/texts.ts'
import { type AppointmentStep, useAppointmentStep } from './agenda-api.ts'
import { agendaTexts } from './agenda-texts.ts'
import { isMovable } from './calendar.tsx'
import { explainRefusal, refusalTexts } from './refusal-texts.ts'
import type { MoveAppointment } from './use-move-with-reason.tsx'
import { dateOfWall, timeOfWall, wallOf, wallOfInstant } from './wall-time.ts'

const COLORS: Readonly<Record<AppointmentStatus, string>> = {
  booked: 'blue',
  confirmed: 'brand',
  completed: 'gray',
  no_show: 'orange',
  cancelled: 'red',
}

export interface AppointmentDrawerProps {
  readonly appointment: AppointmentDto | undefined
  readonly catalog: CatalogDto
  readonly onClose: () => void
  readonly onMove: MoveAppointment
}

/** One appointment: who, what, when, and what became of it. */
export function AppointmentDrawer({ appointment, catalog, onClose, onMove }: AppointmentDrawerProps) {
  const texts = useTexts(agendaTexts)
  const common = useTexts(commonTexts)
  return (
    <Drawer
      opened={appointment !== undefined}
      onClose={onClose}
      position="right"
      size={400}
      title={texts.details}
      closeButtonProps={{ 'aria-label': common.close }}
    >
      {appointment !== undefined && (
        <Stack key={appointment.code + appointment.startsAt + appointment.professional.key} gap="lg">
          <Facts appointment={appointment} />
          {isMovable(appointment) && (
            <>
              <Steps appointment={appointment} />
              <MoveForm appointment={appointment} catalog={catalog} onMove={onMove} />
              <CancelForm appointment={appointment} />
            </>
          )}
        </Stack>
      )}
    </Drawer>
  )
}

function Facts({ appointment }: { appointment: AppointmentDto }) {
  const texts = useTexts(agendaTexts)
  const format = useFormat()
  const { customer, forName, service, professional, startsAt, endsAt, priceCents, code, source } = appointment
  const rows = [
    [texts.service, service.name],
    [texts.professional, professional.name],
    [
      texts.customer,
      customer === null
        ? texts.noCustomer
        : [customer.name, formatPhone(customer.phone)].filter(Boolean).join(' · '),
    ],
    ...(forName === null ? [] : [[texts.forWhom, forName]]),
    ...(priceCents === null ? [] : [[texts.price, format.money(priceCents)]]),
    [texts.code, code],
    [texts.source, texts.sources[source]],
  ]
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="start" wrap="nowrap">
        <div>
          <Text fw={650} size="lg">
            {forName ?? customer?.name ?? customer?.phone ?? code}
          </Text>
          <Text c="dimmed" size="sm">
            {format.longDay(startsAt)}
            <br />
            {format.time(startsAt)} – {format.time(endsAt)}
          </Text>
        </div>
        <Badge color={COLORS[appointment.status]} variant="light" size="lg" style={{ flex: 'none' }}>
          {texts.status[appointment.status]}
        </Badge>
      </Group>
      {rows.map(([name, value]) => (
        <Group key={name} justify="space-between" gap="md" wrap="nowrap">
          <Text size="sm" c="dimmed">
            {name}
          </Text>
          <Text size="sm" ta="right">
            {value}
          </Text>
        </Group>
      ))}
    </Stack>
  )
}

function useStep(code: string) {
  const texts = useTexts(agendaTexts)
  const reasons = useTexts(refusalTexts)
  const step = useAppointmentStep()
  const take = (taken: AppointmentStep, reason?: string) =>
    step.mutate(
      { code, step: taken, ...(reason === undefined ? {} : { reason }) },
      { onError: (error) => notifyFailure(texts.stepRefused, error, () => explainRefusal(error, reasons)) },
    )
  return { take, isBusy: step.isPending }
}

function Steps({ appointment: { code, status } }: { appointment: AppointmentDto }) {
  const texts = useTexts(agendaTexts)
  const { take, isBusy } = useStep(code)
  return (
    <Group gap="xs" grow>
      {status === 'booked' && (
        <Button onClick={() => take('confirm')} disabled={isBusy}>
          {texts.confirm}
        </Button>
      )}
      <Button variant="light" onClick={() => take('complete')} disabled={isBusy}>
        {texts.complete}
      </Button>
      <Button variant="default" onClick={() => take('no-show')} disabled={isBusy}>
        {texts.noShow}
      </Button>
    </Group>
  )
}

function MoveForm({
  appointment,
  catalog,
  onMove,
}: Pick<AppointmentDrawerProps, 'catalog' | 'onMove'> & { appointment: AppointmentDto }) {
  const texts = useTexts(agendaTexts)
  const dateFormat = useDateInputFormat()
  const start = wallOfInstant(appointment.startsAt)
  const [date, setDate] = useState<string>(dateOfWall(start))
  const [time, setTime] = useState(timeOfWall(start))
  const [key, setKey] = useState(appointment.professional.key)
  const able = catalog.professionals.filter(({ services }) => services.includes(appointment.service.key))
  const professional = able.find((one) => one.key === key) ?? appointment.professional
  return (
    <Stack gap="xs">
      <Group grow>
        <DatePickerInput
          label={texts.date}
          value={date}
          onChange={(next) => next !== null && setDate(next)}
          valueFormat={dateFormat}
        />
        <TextInput
          type="time"
          label={texts.time}
          value={time}
          onChange={(event) => setTime(event.currentTarget.value)}
        />
      </Group>
      <Select
        label={texts.professional}
        value={key}
        onChange={(next) => next !== null && setKey(next)}
        data={able.map((one) => ({ value: one.key, label: one.name }))}
        allowDeselect={false}
      />
      <Button
        variant="default"
        disabled={time === ''}
        onClick={() => onMove(appointment, { start: wallOf(date, time), professional })}
      >
        {texts.saveMove}
      </Button>
    </Stack>
  )
}

function CancelForm({ appointment: { code } }: { appointment: AppointmentDto }) {
  const texts = useTexts(agendaTexts)
  const [isOpen, setIsOpen] = useState(false)
  const [reason, setReason] = useState('')
  const { take, isBusy } = useStep(code)
  if (!isOpen) {
    return (
      <Button variant="subtle" color="red" onClick={() => setIsOpen(true)}>
        {texts.cancelAppointment}
      </Button>
    )
  }
  return (
    <Stack gap="xs">
      <Textarea
        label={texts.cancelReason}
        value={reason}
        maxLength={500}
        autosize
        data-autofocus
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <Group grow>
        <Button variant="default" onClick={() => setIsOpen(false)}>
          {texts.keep}
        </Button>
        <Button color="red.8" loading={isBusy} onClick={() => take('cancel', reason.trim())}>
          {texts.cancelAppointment}
        </Button>
      </Group>
    </Stack>
  )
}
