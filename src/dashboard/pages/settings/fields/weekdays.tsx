import { Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useLocale, useTexts } from '../../../i18n/texts.ts'
import { documentTexts } from '../document-texts.ts'
import classes from '../settings.module.css'
import { useField } from './use-field.tsx'

const ISO_DAYS = [1, 2, 3, 4, 5, 6, 7] as const
/** A Monday. */
const SOME_MONDAY = Date.UTC(2024, 0, 1)
const DAY_MS = 86_400_000

/** Seven switches, Monday first. */
export function Weekdays({
  path,
  value,
  onChange,
}: {
  path: string
  value: readonly number[]
  onChange: (value: number[]) => void
}) {
  const texts = useTexts(documentTexts)
  const { locale } = useLocale()
  const { error } = useField()(path)
  const toggle = (day: number) => {
    onChange(ISO_DAYS.filter((other) => (other === day) !== value.includes(other)))
  }
  return (
    <div>
      <fieldset aria-label={texts.hours.days} className={classes.days} data-path={path} tabIndex={-1}>
        {ISO_DAYS.map((day) => (
          <UnstyledButton
            key={day}
            className={classes.day}
            aria-pressed={value.includes(day)}
            onClick={() => toggle(day)}
          >
            <span aria-hidden>{weekdayName(locale, day, 'short')}</span>
            <VisuallyHidden>{weekdayName(locale, day, 'long')}</VisuallyHidden>
          </UnstyledButton>
        ))}
      </fieldset>
      {error !== undefined && (
        <Text size="xs" c="var(--app-danger)" mt={4}>
          {texts.hours.pickDay}
        </Text>
      )}
    </div>
  )
}

function weekdayName(locale: string, day: number, width: 'short' | 'long'): string {
  const name = new Intl.DateTimeFormat(locale, { weekday: width, timeZone: 'UTC' }).format(
    SOME_MONDAY + (day - 1) * DAY_MS,
  )
  return width === 'short' ? name.replace('.', '').slice(0, 3) : name
}
