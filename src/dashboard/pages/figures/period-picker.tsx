import { SegmentedControl } from '@mantine/core'
import { DatePickerInput } from '@mantine/dates'
import { IconCalendar } from '@tabler/icons-react'
import { useState } from 'react'
import { dateInputFormat, writtenInDigits } from '../../i18n/date-input-format.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { figuresTexts } from './figures-texts.ts'
import { lastDateFrom, type Period, RECENT_DAYS, recentPeriod } from './period.ts'

export interface PeriodPickerProps {
  readonly period: Period
  /** Local date of the tenant. */
  readonly today: string
  readonly onPeriod: (period: Period) => void
}

/** The last days at one click, or any span of dates. */
export function PeriodPicker({ period, today, onPeriod }: PeriodPickerProps) {
  const texts = useTexts(figuresTexts)
  const { days, from, to } = period
  return (
    <>
      <SegmentedControl
        aria-label={texts.period}
        value={String(days)}
        onChange={(chosen) => {
          const recent = RECENT_DAYS.find((choice) => String(choice) === chosen)
          onPeriod(recent === undefined ? { days: 'custom', from, to } : recentPeriod(recent, today))
        }}
        data={[
          ...RECENT_DAYS.map((choice) => ({ value: String(choice), label: texts.days(choice) })),
          { value: 'custom', label: texts.custom },
        ]}
      />
      {days === 'custom' && (
        <RangeInput key={`${from} ${to}`} from={from} to={to} today={today} onPeriod={onPeriod} />
      )}
    </>
  )
}

/** Holds the first date until the second is chosen as well. */
function RangeInput({ from, to, today, onPeriod }: Omit<PeriodPickerProps, 'period'> & Omit<Period, 'days'>) {
  const texts = useTexts(figuresTexts)
  const { locale } = useLocale()
  const [chosen, setChosen] = useState<[string | null, string | null]>([from, to])
  const [start, end] = chosen
  const isHalf = start !== null && end === null
  return (
    <DatePickerInput
      type="range"
      aria-label={`${texts.range}: ${chosen.map((date) => writtenInDigits(date ?? '', locale)).join(' – ')}`}
      leftSection={<IconCalendar size={17} aria-hidden />}
      value={chosen}
      maxDate={isHalf ? lastDateFrom(start, today) : today}
      allowSingleDateInRange
      valueFormat={dateInputFormat(locale)}
      w={250}
      onChange={([first, last]) => {
        setChosen([first, last])
        if (first !== null && last !== null) onPeriod({ days: 'custom', from: first, to: last })
      }}
    />
  )
}
