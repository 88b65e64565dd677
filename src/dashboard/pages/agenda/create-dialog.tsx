import { Alert, Button, Checkbox, Chip, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core'
import { DatePickerInput } from '@mantine/dates'
import { type FormEvent, useState } from 'react'
import { z } from 'zod'
import type { CatalogDto } from '../../../contracts/dashboard-api.ts'
import { ApiError } from '../../api/client.ts'
import { useTenant } from '../../auth/session.ts'
import { notifyDone } from '../../components/notify.ts'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useDateInputFormat } from '../../i18n/date-input-format.ts'
import { useTexts } from '../../i18n/texts.ts'
import { type Booking, useBook, useFreeTimes } from './agenda-api.ts'
import { agendaTexts } from './agenda-texts.ts'
import { explainRefusal, refusalTexts } from './refusal-texts.ts'
import { instantText } from './use-move-with-reason.tsx'
import { dateOfWall, timeOfWall, wallOf } from './wall-time.ts'

export interface CreateDialogProps {
  readonly catalog: CatalogDto
  /** Wall time. */
  readonly start: Date
  readonly hasTime: boolean
  readonly professional: string | undefined
  readonly onClose: () => void
}

/** Books for somebody on the phone or at the counter. */
export function CreateDialog(props: CreateDialogProps) {
  const texts = useTexts(agendaTexts)
  const dateFormat = useDateInputFormat()
  const common = useTexts(commonTexts)
  const form = useCreateForm(props)
  const { values, set, errors } = form
  const { services, professionals } = props.catalog
  const able = professionals.filter((one) => values.service === '' || one.services.includes(values.service))
  const text = (name: 'name' | 'phone' | 'forName') => ({
    value: values[name],
    error: errors[name],
    onChange: (event: { currentTarget: { value: string } }) => set({ [name]: event.currentTarget.value }),
  })
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={texts.create}
      size="lg"
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <form onSubmit={form.submit} noValidate>
        <Stack gap="sm">
          {form.refusal !== undefined && (
            <Alert color="red" role="alert" title={texts.refusedTitle}>
              {form.refusal}
            </Alert>
          )}
          <Group grow align="start">
            <Select
              label={texts.service}
              value={values.service === '' ? null : values.service}
              error={errors.service}
              onChange={(service) => set({ service: service ?? '' })}
              data={services.map(({ key, name }) => ({ value: key, label: name }))}
              data-autofocus
            />
            <Select
              label={texts.professional}
              value={able.some(({ key }) => key === values.professional) ? values.professional : ''}
              onChange={(professional) => set({ professional: professional ?? '' })}
              data={[
                { value: '', label: texts.anyone },
                ...able.map(({ key, name }) => ({ value: key, label: name })),
              ]}
              allowDeselect={false}
            />
          </Group>
          <Group grow align="start">
            <DatePickerInput
              label={texts.date}
              value={values.date}
              onChange={(date) => date !== null && set({ date })}
              valueFormat={dateFormat}
            />
            <TextInput
              type="time"
              label={texts.time}
              value={values.time}
              error={errors.time}
              onChange={(event) => set({ time: event.currentTarget.value })}
            />
          </Group>
          <FreeTimes values={values} onPick={(time) => set({ time })} />
          <Group grow align="start">
            <TextInput label={texts.customerName} maxLength={120} {...text('name')} />
            <TextInput
              type="tel"
              label={texts.customerPhone}
              description={texts.phoneHint}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              {...text('phone')}
            />
          </Group>
          <TextInput
            label={texts.forName}
            description={texts.forNameHint}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            maxLength={120}
            {...text('forName')}
          />
          <Checkbox
            label={texts.force}
            description={texts.forceHint}
            checked={values.force}
            onChange={(event) => set({ force: event.currentTarget.checked })}
          />
          <Group justify="flex-end" mt="xs">
            <Button variant="default" onClick={props.onClose}>
              {common.cancel}
            </Button>
            <Button type="submit" loading={form.isBusy}>
              {texts.book}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

interface Values {
  readonly service: string
  readonly professional: string
  readonly date: string
  readonly time: string
  readonly name: string
  readonly phone: string
  readonly forName: string
  readonly force: boolean
}
type Errors = { readonly [Field in keyof Values]?: string | undefined }

const issuesSchema = z.array(z.object({ path: z.string(), message: z.string() }))

function useCreateForm({ catalog, start, hasTime, professional = '', onClose }: CreateDialogProps) {
  const texts = useTexts(agendaTexts)
  const reasons = useTexts(refusalTexts)
  const { timeZone } = useTenant()
  const book = useBook()
  const [idempotencyKey, setIdempotencyKey] = useState(() => crypto.randomUUID())
  const [wasSent, setWasSent] = useState(false)
  const [values, setValues] = useState<Values>({
    service: '',
    professional,
    date: dateOfWall(start),
    time: hasTime ? timeOfWall(start) : '',
    name: '',
    phone: '',
    forName: '',
    force: false,
  })
  const set = (change: Partial<Values>) => {
    setValues((current) => ({ ...current, ...change }))
    // Another wish is another booking.
    setIdempotencyKey(crypto.randomUUID())
    book.reset()
  }
  const missing: Errors = {
    service: values.service === '' ? texts.required : undefined,
    time: values.time === '' ? texts.invalidTime : undefined,
    name: values.name.trim() === '' ? texts.required : undefined,
    phone: values.phone.trim() === '' ? texts.required : undefined,
  }
  const isComplete = Object.values(missing).every((error) => error === undefined)
  const issues =
    book.error instanceof ApiError ? issuesSchema.safeParse(book.error.body['issues']) : undefined
  const isPhoneWrong = issues?.success === true && issues.data.some(({ path }) => path.includes('phone'))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setWasSent(true)
    if (!isComplete) return
    const able = catalog.professionals.find(({ key }) => key === values.professional)
    const booking: Booking = {
      service: values.service,
      startsAt: instantText(timeZone, wallOf(values.date, values.time)),
      customer: { name: values.name.trim(), phone: values.phone.trim() },
      ...(able?.services.includes(values.service) === true ? { professional: able.key } : {}),
      ...(values.forName.trim() === '' ? {} : { forName: values.forName.trim() }),
      ...(values.force ? { force: true } : {}),
    }
    book.mutate(
      { booking, idempotencyKey },
      {
        onSuccess: ({ code }) => {
          notifyDone(texts.booked(code))
          onClose()
        },
      },
    )
  }
  return {
    values,
    set,
    submit,
    isBusy: book.isPending,
    errors: {
      ...(wasSent ? missing : {}),
      ...(isPhoneWrong ? { phone: texts.phoneHint } : {}),
    } satisfies Errors,
    refusal: book.error !== null && !isPhoneWrong ? explainRefusal(book.error, reasons) : undefined,
  }
}

function FreeTimes({ values, onPick }: { values: Values; onPick: (time: string) => void }) {
  const texts = useTexts(agendaTexts)
  const { service, professional, date, time } = values
  const free = useFreeTimes(
    service === '' ? null : { service, professional: professional === '' ? undefined : professional, date },
  )
  if (free.data === undefined) return null
  const times = [...new Set(free.data.map(({ startsAt }) => startsAt.slice(11, 16)))].toSorted()
  if (times.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {texts.noFreeTimes}
      </Text>
    )
  }
  return (
    <Chip.Group value={time} onChange={(picked) => typeof picked === 'string' && onPick(picked)}>
      <Group gap={6} role="group" aria-label={texts.freeTimes}>
        {times.map((each) => (
          <Chip key={each} value={each} size="xs">
            {each}
          </Chip>
        ))}
      </Group>
    </Chip.Group>
  )
}
