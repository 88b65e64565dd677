import { ActionIcon, Button, Group, SegmentedControl, Select } from '@mantine/core'
import { DatePickerInput } from '@mantine/dates'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import type { PropsWithChildren } from 'react'
import type { CatalogDto } from '../../../contracts/dashboard-api.ts'
import { dateInputFormat, writtenInDigits } from '../../i18n/date-input-format.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import classes from './agenda-page.module.css'
import { agendaTexts } from './agenda-texts.ts'
import type { useAgendaPlace } from './use-agenda-place.ts'
import { addDays, wallOf } from './wall-time.ts'

export interface AgendaBarProps {
  readonly place: ReturnType<typeof useAgendaPlace>
  readonly catalog: CatalogDto
  readonly professional: string | undefined
  readonly onProfessional: (key: string | undefined) => void
}

/** Which days, and whose. */
export function AgendaBar(props: PropsWithChildren<AgendaBarProps>) {
  const { place, catalog, professional, onProfessional, children } = props
  const texts = useTexts(agendaTexts)
  const { locale } = useLocale()
  const isDay = place.view === 'day'
  const written = new Intl.DateTimeFormat(
    locale,
    isDay
      ? { timeZone: 'UTC', weekday: 'long', day: 'numeric', month: 'long' }
      : { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' },
  )
  const label = isDay
    ? written.format(wallOf(place.date))
    : written.formatRange(wallOf(place.first), wallOf(addDays(place.first, 6)))
  return (
    <div className={classes.bar}>
      <Group gap={6} wrap="nowrap">
        <Button variant="default" onClick={() => place.show(place.view, place.today)}>
          {texts.today}
        </Button>
        <ActionIcon
          variant="default"
          size={36}
          aria-label={isDay ? texts.previousDay : texts.previousWeek}
          onClick={() => place.step(-1)}
        >
          <IconChevronLeft size={18} />
        </ActionIcon>
        <ActionIcon
          variant="default"
          size={36}
          aria-label={isDay ? texts.nextDay : texts.nextWeek}
          onClick={() => place.step(1)}
        >
          <IconChevronRight size={18} />
        </ActionIcon>
      </Group>
      <span className={classes.label} aria-live="polite">
        {label}
      </span>
      <DatePickerInput
        aria-label={`${texts.pickDate}: ${writtenInDigits(place.date, locale)}`}
        value={place.date}
        onChange={(date) => date !== null && place.show(place.view, date)}
        valueFormat={dateInputFormat(locale)}
        w={130}
      />
      <SegmentedControl
        aria-label={texts.view}
        value={place.view}
        onChange={(view) => place.show(view === 'week' ? 'week' : 'day', place.date)}
        data={[
          { value: 'day', label: texts.day },
          { value: 'week', label: texts.week },
        ]}
      />
      <Select
        aria-label={texts.professional}
        value={professional ?? ''}
        onChange={(key) => onProfessional(key === null || key === '' ? undefined : key)}
        data={[
          { value: '', label: texts.everyone },
          ...catalog.professionals.map(({ key, name }) => ({ value: key, label: name })),
        ]}
        allowDeselect={false}
        w={150}
      />
      {children}
    </div>
  )
}
