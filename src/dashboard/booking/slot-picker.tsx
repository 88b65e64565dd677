import { Button, Chip, Group, Loader, Stack, Text } from '@mantine/core'
import { DatePickerInput } from '@mantine/dates'
import { IconCalendar } from '@tabler/icons-react'
import type { AvailabilityItem } from '../../contracts/staff-api.ts'
import { type AvailabilityQuery, useAvailability, useFirstFree } from '../api/appointments.ts'
import { ErrorState } from '../components/error-state.tsx'
import { useFormat } from '../i18n/format.ts'
import { useTexts } from '../i18n/texts.ts'
import { bookingTexts } from './booking-texts.ts'
import classes from './slot-picker.module.css'

export interface SlotPickerProps {
  readonly service: string | null
  readonly professional: string | null
  /** `YYYY-MM-DD` of the tenant. */
  readonly date: string
  readonly onDate: (date: string) => void
  readonly slot: AvailabilityItem | null
  readonly onSlot: (slot: AvailabilityItem | null) => void
}

/** A day, and the starts that are free on it. */
export function SlotPicker({ service, professional, date, onDate, slot, onSlot }: SlotPickerProps) {
  const texts = useTexts(bookingTexts)
  const format = useFormat()
  return (
    <Stack gap="sm">
      <DatePickerInput
        label={texts.date}
        leftSection={<IconCalendar size={17} aria-hidden />}
        value={date}
        minDate={format.localDate(Date.now())}
        valueFormat="ddd, D MMM YYYY"
        onChange={(next) => {
          if (next === null) return
          onSlot(null)
          onDate(next)
        }}
      />
      {service !== null && (
        <fieldset className={classes.times}>
          <legend>{texts.time}</legend>
          <Times
            query={{ service, professional: professional ?? undefined, from: date, to: date }}
            slot={slot}
            onSlot={onSlot}
            onDate={onDate}
          />
        </fieldset>
      )}
    </Stack>
  )
}

function Times({
  query,
  slot,
  onSlot,
  onDate,
}: Pick<SlotPickerProps, 'slot' | 'onSlot' | 'onDate'> & { query: AvailabilityQuery }) {
  const format = useFormat()
  const { data, error, refetch } = useAvailability(query)
  if (data === undefined) {
    return error === null ? (
      <Loader type="dots" size="sm" />
    ) : (
      <ErrorState error={error} onRetry={() => void refetch()} />
    )
  }
  if (data.items.length === 0) {
    return <NoTimes query={query} onDate={onDate} />
  }
  const professionals = new Map(data.items.map((item) => [item.professional.key, item.professional.name]))
  return [...professionals].map(([key, name]) => (
    <div key={key} className={classes.professional}>
      <Text size="sm" fw={600} mb={4}>
        {name}
      </Text>
      <Group gap={6}>
        {data.items
          .filter((item) => item.professional.key === key)
          .map((item) => {
            const isChosen = slot?.startsAt === item.startsAt && slot.professional.key === key
            return (
              <Chip
                key={item.startsAt}
                size="sm"
                radius="md"
                checked={isChosen}
                onChange={() => onSlot(isChosen ? null : item)}
              >
                {format.time(item.startsAt)}
              </Chip>
            )
          })}
      </Group>
    </div>
  ))
}

/** A day without a free time leads on to the next that has one. */
function NoTimes({ query, onDate }: { query: AvailabilityQuery; onDate: (date: string) => void }) {
  const texts = useTexts(bookingTexts)
  const format = useFormat()
  const { data: next } = useFirstFree(query)
  return (
    <Group gap="sm">
      <Text size="sm" c="dimmed">
        {next === null ? texts.noneSoon : texts.noTimes}
      </Text>
      {next != null && (
        <Button
          size="compact-sm"
          variant="light"
          onClick={() => onDate(format.localDate(next.startsAt))}
        >{`${texts.nextFree}: ${format.day(next.startsAt)}`}</Button>
      )}
    </Group>
  )
}
